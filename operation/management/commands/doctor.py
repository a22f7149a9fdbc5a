"""The command `doctor`."""

import sys

from django.core.management.base import BaseCommand

from operation.doctor import examine


class Command(BaseCommand):
    help = (
        "Check this installation: settings, secrets, disk, broker, worker, database. If something is wrong, "
        "it says what to do and exits with status 1. Run it as the site's user, with the site's settings."
    )

    def handle(self, *args: object, **options: object) -> None:
        findings = examine()
        for finding in findings:
            self.stdout.write(f"{'FAULT' if finding.fault else 'ok':5}  {finding.check}")
            if finding.fault:
                self.stdout.write(f"       {finding.fault}\n       What to do: {finding.mend}")
        if any(finding.fault for finding in findings):
            sys.exit(1)
