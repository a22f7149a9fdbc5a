"""Store the answers of a machine from a file."""

from argparse import ArgumentParser
from itertools import islice
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError
from django.db import DatabaseError

from annotate.machines.answer_files import AnswerFile
from annotate.machines.answering import store_answers
from annotate.management.campaigns import machine_named
from annotate.management.terminal import INTERRUPTED, progress_steps, terminated_as_interrupted
from core.wording import counted
from formats import FormatError
from jobs.priority import give_way
from jobs.refusals import RefusedError

ANSWERS_AT_ONCE = 500


class Command(BaseCommand):
    help = "Store the answers of a machine from a file of JSON Lines; those stored already change nothing."

    def run_from_argv(self, argv: list[str]) -> None:
        """Run from a shell, at a low priority because a server may run on the same machine."""
        give_way()
        super().run_from_argv(argv)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="name of the campaign")
        parser.add_argument("machine", help="name of the machine")
        parser.add_argument("file", type=Path, help="answers, as docs/machines.md describes them")

    def handle(self, *args: object, **options: Any) -> None:
        machine = machine_named(options["campaign"], options["machine"])
        sent = new = 0
        try:
            with terminated_as_interrupted(), progress_steps() as steps:
                file = AnswerFile(options["file"], steps)
                steps.begin("Storing the answers", total=len(file))
                answers = iter(file)
                while piece := list(islice(answers, ANSWERS_AT_ONCE)):
                    new += store_answers(machine, piece)
                    sent += len(piece)
                    steps.advance(len(piece))
        except FormatError as error:
            raise CommandError(str(error)) from error
        except RefusedError as error:
            raise CommandError(f"{error}{_kept(sent)}") from error
        except DatabaseError as error:
            raise CommandError(f"The database failed: {error}.{_kept(sent)}") from error
        except KeyboardInterrupt as error:
            raise CommandError(f"Interrupted.{_kept(sent)}", returncode=INTERRUPTED) from error
        self.stdout.write(f"{counted(new, 'answer')} stored, {sent - new:,} there already.")


def _kept(sent: int) -> str:
    """How many answers from the beginning of the file are stored."""
    if not sent:
        return " Nothing was stored."
    return (
        f" Stored are the first {counted(sent, 'answer')} of the file; "
        "the command can be run again, and stores the others."
    )
