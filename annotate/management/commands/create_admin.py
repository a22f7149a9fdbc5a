"""The command `create_admin`: an account with all rights."""

import os
import sys
from getpass import getpass

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from annotate.accounts.administration import create_admin
from annotate.models import User

PASSWORD_VARIABLE = "ADMIN_PASSWORD"  # noqa: S105  # the name of a variable


class Command(BaseCommand):
    help = (
        "Create an admin account, for example the first one. Asks for the password, or reads it from the "
        f"environment variable {PASSWORD_VARIABLE}."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="name to log in with")

    def handle(self, *args: object, **options: object) -> None:
        _check_tables()
        name = User.normalize_username(options["name"])
        if User.objects.filter(username=name).exists():
            raise CommandError(
                f"There is already an account {name!r}. Choose another name, or give it a new password "
                f"with: manage.py changepassword {name}. Admins change roles on the page Accounts."
            )
        password = os.environ.get(PASSWORD_VARIABLE) or _asked()
        try:
            create_admin(name=name, password=password)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        self.stdout.write(
            f"Created the admin {name!r}. Log in, and create the other accounts on the page Accounts."
        )


def _check_tables() -> None:
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise CommandError(
            "The database tables are missing or outdated. Create them first with: "
            "manage.py migrate (or start the site with: make run)."
        )


def _asked() -> str:
    if not sys.stdin.isatty():
        raise CommandError(f"Without a terminal, the password cannot be asked for: set {PASSWORD_VARIABLE}.")
    password = getpass("Password: ")
    if getpass("Repeat password: ") != password:
        raise CommandError("The two passwords differ. No account was created.")
    return password
