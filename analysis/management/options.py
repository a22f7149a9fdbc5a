"""Arguments shared by several commands."""

from argparse import ArgumentTypeError
from pathlib import Path

from django.core.management.base import CommandParser

from annotate.management.named_arguments import add_files
from formats.judgments import READ_FORMATS


def add_judgments_file(parser: CommandParser) -> None:
    """The argument `file`."""
    parser.add_argument("file", type=Path, help=f"the judgments: {READ_FORMATS}")


def add_corpus_files(parser: CommandParser) -> None:
    """The options `--source` and `--reference` for sentences with corrections, and `--lenient` for M2."""
    parser.add_argument(
        "--source",
        type=Path,
        required=True,
        metavar="FILE",
        help="tokenised source sentences, one per line",
    )
    add_files(parser, "--reference", "corrected text of an annotator")
    parser.add_argument(
        "--lenient",
        action="store_true",
        help="clip M2 spans that end past their sentence and drop edits that overlap, with a warning",
    )


def natural_number(argument: str) -> int:
    """Parse an argument as a number; argparse reports errors."""
    if not argument.isdecimal():
        raise ArgumentTypeError(f"{argument!r} is not a natural number")
    return int(argument)
