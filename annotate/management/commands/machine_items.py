"""Write the items of a campaign as a machine sees them."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand

from annotate.machines.answer_files import item_lines
from annotate.management.campaigns import machine_named


class Command(BaseCommand):
    help = "Write the items of a campaign as a machine sees them, as JSON Lines to standard output."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("campaign", help="name of the campaign")
        parser.add_argument("machine", help="name of the machine")
        parser.add_argument(
            "--repetition",
            type=int,
            default=0,
            help="how often the machine was asked before; each time it sees outputs in another order",
        )

    def handle(self, *args: object, **options: Any) -> None:
        machine = machine_named(options["campaign"], options["machine"])
        for line in item_lines(machine, repetition=options["repetition"]):
            self.stdout.write(line, ending="")
