"""The command `backup`."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from operation.backup.making import back_up
from operation.backup.manifest import BackupRefusedError

WITH_KEY = """\
The file holds names, platform ids, judgments, password hashes and the secret key: anyone who has it can read
everything and pass for anyone. Only you can read it (0600). Store it encrypted, on another machine."""
WITHOUT_KEY = """\
The file holds names, platform ids, judgments and password hashes. Only you can read it (0600). It does not
hold the secret key: without it, pseudonyms in exports change and shared links can no longer be displayed.
Keep the key in another place."""


class Command(BaseCommand):
    help = "Back up the database, secret key and uploads to a file. The site may keep running."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="such as /srv/backups/assay-2026-05-04.tar.gz")
        parser.add_argument("--without-key", action="store_true", help="leave the secret key out")

    def handle(self, *args: object, **options: Any) -> None:
        file: Path = options["file"]
        with_key = not options["without_key"]
        try:
            manifest = back_up(file, with_key=with_key)
        except BackupRefusedError as error:
            raise CommandError(str(error)) from error
        size = file.stat().st_size / 2**20
        self.stdout.write(f"Wrote {file} ({size:.1f} MB): {manifest.contents.in_words}.")
        self.stderr.write(WITH_KEY if with_key else WITHOUT_KEY)
