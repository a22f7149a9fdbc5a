import secrets
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction

from annotate.models import Role, User

DEMO = Path(settings.BASE_DIR) / "fixtures" / "demo"
NAME = "demo"
SYSTEMS = sorted((DEMO / "systems").iterdir())


class Command(BaseCommand):
    help = "Load the demo corpus with its simulated judgments, and one account for each role."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--address", default="http://127.0.0.1:8000/", help="link to print")

    def handle(self, *args: Any, **options: Any) -> None:
        call_command(
            "import_corpus",
            NAME,
            language="en",
            source=DEMO / "source.txt",
            system=[(path.name, path) for path in SYSTEMS],
            role=[("INPUT", "source")],
            m2=[DEMO / "references.m2"],
            documents=DEMO / "documents.txt",
            domains=DEMO / "domains.txt",
        )
        call_command(
            "import_judgments", "demo-judgments", DEMO / "judgments.xml", corpus=NAME, synthetic=True
        )
        self.stdout.write(f"\nAssay is at {options['address']}")
        self.stdout.write("Logins (the passwords change with each start):")
        for role in Role:
            self.stdout.write("  {:<16} {}".format(*_account(role)))
        self.stdout.write("")


@transaction.atomic
def _account(role: Role) -> tuple[str, str]:
    """Name and password of the role's demo account; the password is new, since a fixed one would be known."""
    password = secrets.token_urlsafe(9)
    user, _ = User.objects.get_or_create(username=f"demo-{role.value}")
    user.role = role
    user.set_password(password)
    user.save()
    return user.username, password
