"""Restoring a backup over the database of this installation."""

import json
import os
import shutil
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

import cattrs
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, OperationalError, connection

from operation.backup.making import DATABASES
from operation.backup.manifest import (
    DATABASE,
    FORMAT,
    KEY,
    MANIFEST,
    UPLOADS,
    BackupRefusedError,
    Contents,
    Manifest,
    contents_of,
)
from operation.health import known_migrations
from operation.squashed_migrations import LAST_COMMIT, is_too_old


def restore(file: Path, *, replace: bool) -> tuple[Manifest, bool]:
    """Replace database, secret key and uploads by those of the backup, and bring the tables up to date.

    Args:
        file: made by `back_up`.
        replace: whether to replace a database that holds campaigns or accounts.

    Returns:
        The manifest, and whether the backup held the secret key.

    Raises:
        BackupRefusedError: the file is no backup, its schema or that of the database is newer than this
            version, the database holds something, or another process uses it.
    """
    try:
        with tarfile.open(file) as archive:
            manifest = _manifest(archive, file)
            _check_restorable(manifest, file, replace=replace)
            return manifest, _put_back(archive)
    except (OSError, tarfile.TarError, EOFError) as error:
        raise BackupRefusedError(f"{file} cannot be read: {error}") from error
    except OperationalError as error:
        raise BackupRefusedError(f"The database cannot be used: {error}") from error


def _manifest(archive: tarfile.TarFile, file: Path) -> Manifest:
    try:
        member = archive.extractfile(MANIFEST)
        assert member is not None  # noqa: S101  # for the type checker
        stated = json.load(member)
        if stated["format"] != FORMAT:
            raise BackupRefusedError(
                f"{file} was made by Assay {stated['assay']} in a later format. Restore it with that version."
            )
        return cattrs.structure(stated, Manifest)
    except (KeyError, TypeError, ValueError, cattrs.BaseValidationError) as error:
        raise BackupRefusedError(
            f"{file} is not a backup of Assay: its {MANIFEST} cannot be read."
        ) from error


def _check_restorable(manifest: Manifest, file: Path, *, replace: bool) -> None:
    if manifest.database != connection.vendor:
        raise BackupRefusedError(
            f"{file} is a backup of {manifest.database}, and DATABASE_URL names {connection.vendor}. "
            f"Set DATABASE_URL to a database of {manifest.database}."
        )
    _refuse_newer(manifest.contents, f"{file}, made by Assay {manifest.assay},")
    if is_too_old(manifest.contents.migrations):
        raise BackupRefusedError(
            f"{file} is older than commit {LAST_COMMIT}. Restore it there, then upgrade."
        )
    if there := _contents_now():
        _refuse_newer(there, "The database")
        if any(there.rows.values()) and not replace:
            raise BackupRefusedError(
                f"The database holds {there.in_words}. To replace all of it by the backup "
                f"({manifest.contents.in_words}, {manifest.made_at}), add --replace."
            )
    DATABASES[connection.vendor].check_unused()


def _refuse_newer(contents: Contents, what: str) -> None:
    known = known_migrations()
    apps = {app for app, _ in known}
    newer = [f"{app}.{name}" for app, name in contents.migrations if app in apps and (app, name) not in known]
    if newer:
        raise BackupRefusedError(
            f"{what} has tables of a newer version of Assay ({newer[-1]}). Install that version first."
        )


def _contents_now() -> Contents | None:
    """The contents of the present database; None if it is empty, outdated beyond reading, or damaged."""

    def rows_of(query: str) -> list[tuple[object, ...]]:
        with connection.cursor() as cursor:
            cursor.execute(query)
            return list(cursor.fetchall())

    try:
        return contents_of(rows_of)
    except DatabaseError:
        return None


def _extract(archive: tarfile.TarFile, folder: Path) -> None:
    """Write the files of the archive into the folder, and nothing beside it.

    The filters of `tarfile` would do this, but Python 3.11.2, which Debian 12 has, lacks them.

    Raises:
        TarError: the archive holds a link or a device, or a file outside the folder.
    """
    for member in archive:
        path = (folder / member.name).resolve()
        if not path.is_relative_to(folder) or not (member.isfile() or member.isdir()):
            raise tarfile.TarError(f"{member.name!r} is no file of a backup")
        archive.extract(member, folder, set_attrs=False)
        os.utime(path, (member.mtime, member.mtime))


def _put_back(archive: tarfile.TarFile) -> bool:
    with TemporaryDirectory(dir=settings.VAR_DIR, prefix=".restore-") as folder:
        _extract(archive, Path(folder).resolve())
        DATABASES[connection.vendor].put_back(Path(folder, DATABASE))
        key = Path(folder, KEY)
        if has_key := key.exists():
            key.chmod(0o600)
            key.replace(settings.VAR_DIR / KEY)
        uploads = Path(settings.UPLOADS_DIR)
        shutil.rmtree(uploads, ignore_errors=True)
        if Path(folder, UPLOADS).is_dir():
            shutil.copytree(Path(folder, UPLOADS), uploads)
        # They are of answers that are not in the backup, and are made again.
        shutil.rmtree(settings.SNAPSHOTS_DIR, ignore_errors=True)
    call_command("migrate", verbosity=0)
    return has_key
