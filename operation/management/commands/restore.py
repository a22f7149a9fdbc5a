"""The command `restore`."""

import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from operation.backup.manifest import KEY, BackupRefusedError
from operation.backup.restoring import restore

NO_KEY = """\
The backup holds no secret key. Unless the key of this installation is the same, everyone is logged out,
pseudonyms in exports change, and shared links can no longer be displayed."""
KEY_SET = f"""\
The secret key was restored to {{folder}}/{KEY}, but SECRET_KEY is set and takes precedence. Remove it from
the environment and .env, or set it to the content of that file."""


class Command(BaseCommand):
    help = (
        "Replace the database, secret key and uploads with those of a backup. Stop the site first. "
        "The tables of an older version are brought up to date; a backup of a newer version is refused."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a file that 'backup' wrote")
        parser.add_argument(
            "--replace", action="store_true", help="replace a database that holds accounts or campaigns"
        )

    def handle(self, *args: object, **options: Any) -> None:
        try:
            manifest, has_key = restore(options["file"], replace=options["replace"])
        except BackupRefusedError as error:
            raise CommandError(f"Nothing was restored. {error}") from error
        self.stdout.write(
            f"Restored the backup of {manifest.made_at}: {manifest.contents.in_words}. "
            "Start the web server and the worker."
        )
        if not has_key:
            self.stderr.write(NO_KEY)
        elif os.environ.get("SECRET_KEY") and os.environ["SECRET_KEY"] != _restored_key():
            self.stderr.write(KEY_SET.format(folder=settings.VAR_DIR))


def _restored_key() -> str:
    return (settings.VAR_DIR / KEY).read_text()
