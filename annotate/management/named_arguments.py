"""Arguments of commands that give a file or a role a name."""

from argparse import ArgumentTypeError
from pathlib import Path

from formats import named_after


def named_path(argument: str) -> tuple[str, Path]:
    """`NAME=FILE`, or `FILE` alone, named after the file."""
    name, equals, file = argument.partition("=")
    return (name, Path(file)) if equals else (named_after(argument), Path(argument))


def name_and_role(argument: str) -> tuple[str, str]:
    """`NAME=ROLE`."""
    name, equals, role = argument.partition("=")
    if not equals:
        raise ArgumentTypeError(f"{argument!r} is not of the form NAME=ROLE")
    return name, role
