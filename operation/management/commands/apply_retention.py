"""The command `apply_retention`."""

from dataclasses import asdict

from django.core.management.base import BaseCommand

from operation.retention import apply_retention


class Command(BaseCommand):
    help = (
        "Delete ended sessions, failed logins that no longer count, and addresses, jobs and audit entries "
        "older than KEEP_ADDRESSES_DAYS, KEEP_JOBS_DAYS and KEEP_AUDIT_DAYS. Job workers do this once a day."
    )

    def handle(self, *args: object, **options: object) -> None:
        deleted = asdict(apply_retention())
        self.stdout.write(
            "Deleted: " + ", ".join(f"{what.replace('_', ' ')} {count}" for what, count in deleted.items())
        )
