"""Arguments that several commands take."""

from argparse import ArgumentTypeError
from pathlib import Path

from django.core.management.base import CommandParser


def add_judgments_file(parser: CommandParser) -> None:
    """The argument `file`."""
    parser.add_argument("file", type=Path, help="the judgments, in any format that can be imported")


def natural_number(argument: str) -> int:
    """The number that an argument is; a fault in it is argparse's to tell."""
    if not argument.isdecimal():
        raise ArgumentTypeError(f"{argument!r} is not a natural number")
    return int(argument)
