"""The command `create_admin`: an account with all rights."""

import os
import sys
from getpass import getpass
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from annotate.accounts.administration import create_admin
from annotate.models import User

PASSWORD_VARIABLE = "ADMIN_PASSWORD"  # noqa: S105  # the name of a variable


class Command(BaseCommand):
    help = (
        "Make an admin account, the first one for example. The password is asked for, or taken from the "
        f"environment variable {PASSWORD_VARIABLE}."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="to log in with")

    def handle(self, *args: Any, **options: Any) -> None:
        _check_tables()
        name = User.normalize_username(options["name"])
        if User.objects.filter(username=name).exists():
            raise CommandError(
                f"There is an account named {name!r}. Choose another name; or give this one a new password "
                f"by: manage.py changepassword {name}. Roles are changed by an admin, on the page Accounts."
            )
        password = os.environ.get(PASSWORD_VARIABLE) or _asked()
        try:
            create_admin(name=name, password=password)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        self.stdout.write(
            f"Made the admin {name!r}. Log in, and make the other accounts on the page Accounts."
        )


def _check_tables() -> None:
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise CommandError(
            "The tables of the database are missing or of an older version. Make them first by: "
            "manage.py migrate (or start the site by: make run)."
        )


def _asked() -> str:
    if not sys.stdin.isatty():
        raise CommandError(f"There is no terminal to ask for a password: set {PASSWORD_VARIABLE}.")
    password = getpass("Password: ")
    if getpass("The same again: ") != password:
        raise CommandError("The two passwords differ. Nothing was made.")
    return password
