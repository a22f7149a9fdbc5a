"""Store the answers of a machine from a file."""

from argparse import ArgumentParser
from itertools import islice
from pathlib import Path
from typing import Any

from django.core.management import BaseCommand, CommandError

from annotate.machines.answer_files import read_answers
from annotate.machines.answering import store_answers
from annotate.management.campaigns import machine_named
from core.wording import counted
from formats import FormatError
from jobs.refusals import RefusedError

ANSWERS_AT_ONCE = 500


class Command(BaseCommand):
    help = "Store the answers of a machine from a file of JSON Lines; those stored already change nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="name of the campaign")
        parser.add_argument("machine", help="name of the machine")
        parser.add_argument("file", type=Path, help="answers, as docs/machines.md describes them")

    def handle(self, *args: object, **options: Any) -> None:
        machine = machine_named(options["campaign"], options["machine"])
        try:
            answers = read_answers(options["file"])
            sent = new = 0
            while piece := list(islice(answers, ANSWERS_AT_ONCE)):
                new += store_answers(machine, piece)
                sent += len(piece)
        except (FormatError, RefusedError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{counted(new, 'answer')} stored, {sent - new:,} there already.")
