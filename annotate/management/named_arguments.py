"""Arguments of commands that give a file or a role a name."""

from argparse import ArgumentTypeError, _ActionsContainer
from collections.abc import Iterable
from pathlib import Path

from core.parameters import ParameterError
from formats import named_after


def named_path(argument: str) -> tuple[str, Path]:
    """`NAME=FILE`, or `FILE` alone, named after the file."""
    name, equals, file = argument.partition("=")
    return (name, Path(file)) if equals else (named_after(argument), Path(argument))


def add_files(parser: _ActionsContainer, option: str, help: str, *, is_named: bool = True) -> None:  # noqa: A002
    """An option for any number of files, which may have names; `parser` may be a group of arguments."""
    parser.add_argument(
        option,
        type=named_path if is_named else Path,
        nargs="+",
        action="extend",
        default=[],
        metavar="[NAME=]FILE" if is_named else "FILE",
        help=help,
    )


def by_name(option: str, named: Iterable[tuple[str, Path]]) -> dict[str, Path]:
    """The files of an option by name.

    Raises:
        ParameterError: two have the same.
    """
    files: dict[str, Path] = {}
    for name, path in named:
        if name in files:
            raise ParameterError(
                f"{option}: two files have the same name: {files[name]} and {path} are both called {name!r}; "
                "name one as NAME=FILE"
            )
        files[name] = path
    return files


def name_and_role(argument: str) -> tuple[str, str]:
    """`NAME=ROLE`."""
    return _pair(argument, "NAME=ROLE")


def name_and_family(argument: str) -> tuple[str, str]:
    """`NAME=FAMILY`."""
    name, family = _pair(argument, "NAME=FAMILY")
    return name, family.strip()


def _pair(argument: str, form: str) -> tuple[str, str]:
    name, equals, value = argument.partition("=")
    if not equals:
        raise ArgumentTypeError(f"{argument!r} is not of the form {form}")
    return name, value
