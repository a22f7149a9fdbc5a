"""The command `verify`: computes the contents of a bundle again, and checks a data release."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from analysis.management.terminal import shown_progress
from analysis.publishing.stated import BundleError
from analysis.publishing.verification import differences
from analysis.releases.verification import is_release, release_differences

DIFFERS, NO_BUNDLE = 1, 2
"""Exit codes."""


class Command(BaseCommand):
    help = (
        "Recompute every table, number and figure of a bundle from its judgments and scores, or check the "
        "files, numbers and ranking of a data release, and report what differs. The exit code is 0 if "
        "nothing does, 1 if something does, 2 if it is neither."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "zip",
            type=Path,
            help="a file that 'bundle' wrote, a published one, or the folder or zip of a data release",
        )

    def handle(self, *args: object, **options: Any) -> None:
        path, number = options["zip"], 0
        try:
            with shown_progress() as progress:
                check = release_differences if is_release(path) else differences
                for difference in check(path, progress):
                    # A name in the file could hold codes that steer the terminal.
                    self.stdout.write("".join(each if each.isprintable() else "?" for each in difference))
                    number += 1
        except BundleError as error:
            raise CommandError(f"{path}: {error}.", returncode=NO_BUNDLE) from error
        if number:
            raise CommandError(f"{path} differs from the results of its judgments.", returncode=DIFFERS)
        self.stdout.write("Everything follows from the judgments.")
