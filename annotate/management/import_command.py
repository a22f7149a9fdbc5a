from argparse import ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from annotate.formats import FormatError
from annotate.services.staging import ImportRefusedError
from annotate.services.staging import Progress as Advance


class ImportCommand(BaseCommand):
    """What importing commands share: a dry run, a progress bar, and faults in one line each."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="name under which the import is stored")
        parser.add_argument(
            "--dry-run", action="store_true", help="check everything and say what would be stored"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.import_files(**options)
        except (FormatError, ImportRefusedError) as error:
            raise CommandError(str(error)) from error
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error

    def import_files(self, **options: Any) -> None:
        """Read, plan and, unless this is a dry run, store."""
        raise NotImplementedError

    @contextmanager
    def progress_bar(self, total: int, what: str) -> Iterator[Advance]:
        """A bar on the terminal's error stream, absent where there is no terminal."""
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(what, total=total)
            yield lambda number: bar.advance(task, number)


def named_path(argument: str) -> tuple[str, Path]:
    """`NAME=FILE`, or `FILE` alone, named after the file without its ending."""
    name, equals, file = argument.partition("=")
    return (name, Path(file)) if equals else (Path(argument).stem, Path(argument))


def name_and_role(argument: str) -> tuple[str, str]:
    """`NAME=ROLE`."""
    name, equals, role = argument.partition("=")
    if not equals:
        raise ArgumentTypeError(f"{argument!r} is not of the form NAME=ROLE")
    return name, role
