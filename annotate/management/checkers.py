"""Options of commands that need a grammar checker (`metrics.english.grammar_checkers.checker_named`)."""

from argparse import ArgumentParser

from metrics.english.grammar_checkers import HARPER


def add_checker_option(parser: ArgumentParser) -> None:
    """The option `--checker`."""
    parser.add_argument(
        "--checker",
        default=HARPER,
        metavar="harper|URL",
        help="grammar checker: harper, or the address of a LanguageTool server",
    )


def add_language_option(parser: ArgumentParser) -> None:
    """The option `--language`."""
    parser.add_argument(
        "--language", default="en-US", help="language of the texts, for a LanguageTool server (en-US)"
    )
