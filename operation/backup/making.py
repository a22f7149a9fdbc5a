"""Making a backup, consistent while people judge."""

import io
import json
import os
import tarfile
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

from django.conf import settings
from django.db import connection
from django.utils import timezone

from assay import __version__
from operation.backup import postgresql, sqlite
from operation.backup.manifest import (
    DATABASE,
    FORMAT,
    KEY,
    MANIFEST,
    UPLOADS,
    BackupRefusedError,
    Manifest,
)

DATABASES: dict[str, ModuleType] = {"sqlite": sqlite, "postgresql": postgresql}


def back_up(file: Path, *, with_key: bool) -> Manifest:
    """Write a backup that only its owner can read. The file appears when it is complete.

    The database is copied before the uploads. If the job of an upload ends in between, the upload is missing;
    should the job run again after a restore, it says so.

    Raises:
        BackupRefusedError: the file exists, its folder does not, or the database cannot be copied.
    """
    if file.exists():
        raise BackupRefusedError(f"{file} exists already. Choose another name, such as one with the date.")
    if not file.parent.is_dir():
        raise BackupRefusedError(f"There is no folder {file.parent}. Create it, or choose another one.")
    with TemporaryDirectory(dir=file.parent, prefix=".backup-") as folder:
        copy = Path(folder, DATABASE)
        contents = DATABASES[connection.vendor].copy_to(copy)
        made_at = timezone.now().isoformat(timespec="seconds")
        manifest = Manifest(FORMAT, __version__, connection.vendor, made_at, contents)
        draft = Path(folder, "draft")
        with draft.open("xb") as target:
            draft.chmod(0o600)
            with tarfile.open(fileobj=target, mode="w:gz", compresslevel=1) as archive:
                _add_text(archive, MANIFEST, json.dumps(asdict(manifest), indent=1))
                archive.add(copy, DATABASE)
                if with_key:
                    _add_text(archive, KEY, settings.SECRET_KEY)
                for path in sorted(Path(settings.UPLOADS_DIR).glob("*/*/*")):
                    _add_upload(archive, path)
            target.flush()
            os.fsync(target.fileno())
        draft.rename(file)
    return manifest


def _add_text(archive: tarfile.TarFile, name: str, text: str) -> None:
    content = text.encode()
    member = tarfile.TarInfo(name)
    member.size, member.mode = len(content), 0o600
    archive.addfile(member, io.BytesIO(content))


def _add_upload(archive: tarfile.TarFile, path: Path) -> None:
    """Add a file of an upload, unless its job has just deleted it."""
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return
    with file:
        name = f"{UPLOADS}/{path.relative_to(settings.UPLOADS_DIR)}"
        archive.addfile(archive.gettarinfo(arcname=name, fileobj=file), file)
