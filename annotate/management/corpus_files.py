"""Options of commands for the files of systems and references."""

from argparse import _ActionsContainer
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from django.core.management.base import CommandError

from annotate.management.named_arguments import add_files, name_and_family, name_and_role
from formats.naming import SameIdentifierError, identifiers_of

Value = TypeVar("Value")

PARALLEL_OPTIONS = ("system", "reference", "m2", "documents", "domains", "absent", "lenient")


def add_parallel_files(group: _ActionsContainer) -> None:
    """The options of files with a line for each sentence; `group` may be a parser or a group."""
    add_files(
        group,
        "--system",
        "outputs of a system, named after the file without its extension (such as .txt) unless a "
        "name is given. A name that is not a valid identifier becomes the label and gives the identifier",
    )
    add_files(group, "--reference", "corrected text of a human annotator")
    add_files(group, "--m2", "references as M2", is_named=False)
    group.add_argument(
        "--absent",
        choices=["auto", "absent", "unchanged"],
        help="what it means if an M2 annotator has no line for a sentence: not seen, or left "
        "unchanged; auto: not seen in files of several annotators, unchanged in files of one",
    )
    group.add_argument(
        "--lenient",
        action="store_true",
        help="clip M2 spans that end past their sentence, with a warning",
    )


def add_whole_files(parser: _ActionsContainer) -> None:
    """The options of files that name the sentences themselves, and of the roles and families of systems."""
    parser.add_argument("--jsonl", type=Path, metavar="FILE", help="JSON Lines, instead of the options above")
    parser.add_argument(
        "--answers",
        type=Path,
        metavar="FILE",
        help="table of several people's answers (columns sentence and correction), which become "
        "references, instead of the options above",
    )
    parser.add_argument(
        "--role",
        type=name_and_role,
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME=ROLE",
        help="role of a system: source (unchanged input), reference or control",
    )
    parser.add_argument(
        "--family",
        type=name_and_family,
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME=FAMILY",
        help="family of the model that made the outputs of a system, such as GPT",
    )


def refuse_parallel_files(options: Mapping[str, Any], *, beside: str) -> None:
    """Refuse files with a line for each sentence beside the file of another option.

    Raises:
        CommandError: there is one.
    """
    if needless := [option for option in PARALLEL_OPTIONS if options.get(option)]:
        raise CommandError(f"--{needless[0]} is for parallel text; --{beside} contains everything.")


def named_systems(
    options: Mapping[str, Any],
) -> tuple[dict[str, Path], dict[str, str], dict[str, str], dict[str, str]]:
    """The files of systems by identifier, the labels of those that have one, given roles, and given families.

    Raises:
        CommandError: a name is given twice, or two come to one identifier.
    """
    systems = distinct(options["system"])
    try:
        identifiers = identifiers_of(systems)
    except SameIdentifierError as error:
        raise CommandError(f"{error} Rename one with NAME=FILE.") from error
    labels = {name: label for label, name in identifiers.items() if name != label}
    roles, families = distinct(options["role"]), distinct(options["family"])
    return (
        {identifiers[label]: path for label, path in systems.items()},
        labels,
        {identifiers.get(name, name): role for name, role in roles.items()},
        {identifiers.get(name, name): family for name, family in families.items()},
    )


def distinct(named: list[tuple[str, Value]]) -> dict[str, Value]:
    """The values by name.

    Raises:
        CommandError: a name is given twice.
    """
    values = dict(named)
    for name, value in named:
        if values[name] != value:
            raise CommandError(f"{name!r} is given twice: {value} and {values[name]}.")
    return values
