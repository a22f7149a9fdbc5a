import signal
from abc import ABC, abstractmethod
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from annotate.formats import FormatError
from annotate.services.staging import ImportRefusedError
from annotate.services.staging import Progress as Advance

INTERRUPTED = 130
"""Exit status of a command that Ctrl-C has ended, by the custom of shells."""


class ImportCommand(BaseCommand, ABC):
    """What importing commands share: a dry run, a progress bar, and faults in one line each."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="name under which the import is stored")
        parser.add_argument(
            "--dry-run", action="store_true", help="check everything and say what would be stored"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with _terminated_as_interrupted():
                self.import_files(**options)
        except (FormatError, ImportRefusedError) as error:
            raise CommandError(str(error)) from error
        except ValidationError as error:
            raise CommandError(_in_words(error)) from error
        except DatabaseError as error:
            raise CommandError(
                f"Nothing was imported, the database refuses: {error}. "
                "A new one is set up by manage.py migrate."
            ) from error
        except KeyboardInterrupt as error:
            raise CommandError("Interrupted: nothing was imported.", returncode=INTERRUPTED) from error

    @abstractmethod
    def import_files(self, **options: Any) -> None:
        """Read, plan and, unless this is a dry run, store."""

    def carry_out(
        self, store: Callable[[Advance], object], *, total: int, unchanged: bool, dry_run: bool
    ) -> None:
        """Store what was planned, behind a progress bar of `total` steps, or say why not."""
        if unchanged:
            self.stdout.write("It is there already; nothing changed.")
        elif dry_run:
            self.stdout.write("Dry run: nothing was stored.")
        else:
            with _progress_bar(total) as advance:
                store(advance)
            self.stdout.write(self.style.SUCCESS("Imported."))


def counted(number: int, noun: str) -> str:
    """The number with its noun, in the plural where that is due."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


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


@contextmanager
def _terminated_as_interrupted() -> Iterator[None]:
    """A shutdown (SIGTERM) ends the import as Ctrl-C does, so that it cleans up behind itself."""

    def interrupt(signum: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def _progress_bar(total: int) -> Iterator[Advance]:
    """A bar on the terminal's error stream, absent where there is no terminal."""
    columns = (TextColumn("Storing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=total)
        yield lambda number: bar.advance(task, number)


def _in_words(error: ValidationError) -> str:
    return " ".join(
        f"{field}: {message}" for field, messages in error.message_dict.items() for message in messages
    )
