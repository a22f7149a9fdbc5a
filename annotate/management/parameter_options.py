"""Parameters as options of a command."""

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any, TypeVar

from core.parameters import ParameterField, parameter_fields, parameters_from_text

P = TypeVar("P")


def add_options(
    parser: ArgumentParser, parameters: type[Any], *, spelled: Mapping[str, str | None] | None = None
) -> None:
    """Add an option for each parameter, such as `--tie-width`.

    Args:
        parser: of the command.
        parameters: the dataclass.
        spelled: other names for options, by attribute; None for no option.
    """
    for each in parameter_fields(parameters):
        name = (spelled or {}).get(each.attribute, each.name)
        if name is None:
            continue
        if each.type is bool:
            parser.add_argument(
                f"--{name}", dest=each.attribute, action="store_const", const="yes", help=_help(each)
            )
        else:
            parser.add_argument(
                f"--{name}",
                dest=each.attribute,
                metavar=f"{{{','.join(each.choices)}}}" if each.choices else each.name.upper(),
                nargs="+" if each.several else None,
                help=_help(each),
            )


def from_options(parameters: type[P], options: Mapping[str, Any]) -> P:
    """The parameters given by such options.

    Raises:
        ParameterError: some are invalid.
    """
    stated = {each.name: options.get(each.attribute) for each in parameter_fields(parameters)}
    texts = {
        name: ",".join(text) if isinstance(text, list) else text
        for name, text in stated.items()
        if text is not None
    }
    return parameters_from_text(parameters, texts)


def _help(each: ParameterField) -> str:
    text = each.help[:1].lower() + each.help[1:].removesuffix(".")
    stated = each.default is not None and each.type is not bool
    default = each.placeholder or (f"{each.default}" if stated else "")
    return f"{text}{f' (default: {default})' if default else ''}".replace("%", "%%")
