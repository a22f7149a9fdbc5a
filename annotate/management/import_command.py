"""The base class of import commands."""

from abc import ABC, abstractmethod
from collections.abc import Callable

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from annotate.database.staging import ImportRefusedError
from annotate.management.terminal import INTERRUPTED, progress_bar, terminated_as_interrupted
from annotate.web.wording import validation_in_words
from core.progress import Advance
from formats import FormatError
from jobs.database_errors import first_line, is_lost
from jobs.priority import give_way


class ImportCommand(BaseCommand, ABC):
    """Base of import commands: a dry run, a progress bar, and one-line error messages.

    Attributes:
        name_help: what the name is of.
    """

    name_help = "name under which the import is stored"

    def run_from_argv(self, argv: list[str]) -> None:
        """Run from a shell, at a low priority because a server may run on the same machine."""
        give_way()
        super().run_from_argv(argv)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help=self.name_help)
        parser.add_argument(
            "--dry-run",
            action="store_true",
            help="check everything and report what would be stored, without storing it",
        )

    def handle(self, *args: object, **options: object) -> None:
        try:
            with terminated_as_interrupted():
                self.import_files(**options)
        except (FormatError, ImportRefusedError) as error:
            raise CommandError(str(error)) from error
        except ValidationError as error:
            raise CommandError(validation_in_words(error)) from error
        except DatabaseError as error:
            if is_lost(error):
                raise CommandError(
                    f"The database was lost, so nothing was imported: {first_line(error)}. "
                    "Start the import again when it is back."
                ) from error
            raise CommandError(
                f"Nothing was imported because of a database error: {error}. "
                "Set up a new database with manage.py migrate."
            ) from error
        except KeyboardInterrupt as error:
            raise CommandError("Interrupted: nothing was imported.", returncode=INTERRUPTED) from error

    @abstractmethod
    def import_files(self, **options: object) -> None:
        """Read, plan and, unless this is a dry run, store."""

    def carry_out(
        self, store: Callable[[Advance], object], *, total: int, unchanged: bool, dry_run: bool
    ) -> None:
        """Store the plan with a progress bar of `total` steps, or report why it is not stored."""
        if unchanged:
            self.stdout.write("It has already been imported; nothing changed.")
        elif dry_run:
            self.stdout.write("Dry run: nothing was stored.")
        else:
            with progress_bar("Storing", total) as advance:
                store(advance)
            self.stdout.write(self.style.SUCCESS("Imported."))
