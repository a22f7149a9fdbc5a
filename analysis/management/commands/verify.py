"""The command `verify`: computes the contents of a bundle again."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.management.terminal import told
from analysis.publishing.verification import BundleError, differences
from formats import FormatError
from metrics.parameters import ParameterError
from ranking import SnapshotError


class Command(BaseCommand):
    help = "Recompute every table and number of a bundle from its judgments, and report what differs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("zip", type=Path, help="a file that 'bundle' wrote")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with told() as progress:
                found = differences(options["zip"], progress)
        except (BundleError, FormatError, ParameterError, SnapshotError) as error:
            raise CommandError(str(error)) from error
        for difference in found:
            self.stdout.write(difference)
        if found:
            raise CommandError(f"{options['zip']} does not hold what follows from its judgments.")
        self.stdout.write("Everything follows from the judgments.")
