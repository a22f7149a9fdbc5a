"""Reads the zip of a bundle. Anyone may have made it, so nothing that it says of itself is trusted."""

import hashlib
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from analysis.publishing.stated import BundleError

MOST_FILES = 2000
LARGEST = 4_000_000_000
"""Unpacked bytes of all files together: enough for several million judgments."""

HIGHEST_RATIO = 300
"""Unpacked bytes for each packed one in a file larger than SMALL; the judgments of GJG15 have 9."""

SMALL = 10_000_000
LARGEST_TEXT = 50_000_000
"""Bytes of a computed file, which is read as a whole."""

BLOCK = 1 << 20


class DamagedFileError(Exception):
    """A file of the zip does not have the checksum that the zip states."""


class Archive:
    """The files of a bundle.

    Attributes:
        names: of the files, in order.
    """

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self.names = [entry.filename for entry in archive.infolist()]

    def extract(self, name: str, folder: Path, into: str = "") -> None:
        """Write a file into a folder, under another name if one is given."""
        with (folder / (into or name)).open("wb") as file:
            for block in self._blocks(name):
                file.write(block)

    def text(self, name: str) -> str:
        """A file as a text."""
        if self._archive.getinfo(name).file_size > LARGEST_TEXT:
            raise BundleError(f"{name} is larger than {LARGEST_TEXT:,} bytes")
        try:
            return b"".join(self._blocks(name)).decode()
        except UnicodeDecodeError as error:
            raise BundleError(f"{name} is not a text: {error}") from error

    def digest(self, name: str) -> str:
        """The SHA-256 of a file in hexadecimal."""
        digest = hashlib.sha256()
        for block in self._blocks(name):
            digest.update(block)
        return digest.hexdigest()

    def _blocks(self, name: str) -> Iterator[bytes]:
        """A file in blocks; raises `DamagedFileError`."""
        try:
            with self._archive.open(name) as file:
                while block := file.read(BLOCK):
                    yield block
        # RuntimeError: zipfile's for a file that is encrypted or compressed in an unknown way.
        except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
            raise DamagedFileError(f"{name} is damaged: {error}") from error


@contextmanager
def opened(path: Path) -> Iterator[Archive]:
    """The files of a bundle.

    Raises:
        BundleError: the file is not a zip, is cut off, or could do harm if it were unpacked.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            _check(archive.infolist())
            yield Archive(archive)
    except zipfile.BadZipFile as error:
        raise BundleError(
            f"it is not a whole zip file ({error}). If you downloaded it, the download may have been cut "
            "off: download it again"
        ) from error
    except OSError as error:
        raise BundleError(f"it cannot be read: {error.strerror or error}") from error


def _check(entries: list[zipfile.ZipInfo]) -> None:
    """Raise `BundleError` for a zip that no bundle could be."""
    if len(entries) > MOST_FILES:
        raise BundleError(f"it holds {len(entries):,} files, and a bundle at most {MOST_FILES:,}")
    names = [entry.filename for entry in entries]
    for entry in entries:
        if not entry.filename.isprintable():
            raise BundleError(f"no file of a bundle is named {entry.filename!r}")
        path = PurePosixPath(entry.filename)
        if path.is_absolute() or ".." in path.parts or "\\" in entry.filename or ":" in entry.filename:
            raise BundleError(f"the file {entry.filename!r} would be unpacked outside its folder")
        if names.count(entry.filename) > 1:
            raise BundleError(f"it holds {entry.filename!r} twice")
        if entry.file_size > SMALL and entry.file_size > HIGHEST_RATIO * entry.compress_size:
            raise BundleError(
                f"{entry.filename} would grow to {entry.file_size:,} bytes from {entry.compress_size:,}: "
                "no file of a bundle does"
            )
    total = sum(entry.file_size for entry in entries)
    if total > LARGEST:
        raise BundleError(
            f"its files have {total:,} bytes unpacked, and those of a bundle at most {LARGEST:,}"
        )
