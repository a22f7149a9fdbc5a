"""Whether a bundle holds what follows from its judgments."""

import zipfile
from pathlib import Path

from analysis.analyses.base import Progress
from analysis.publishing.bundle import (
    DIGESTS,
    JUDGMENTS,
    PARAMETERS,
    results_of,
    stated_from_json,
    texts_of,
)
from analysis.publishing.judgments import digests
from assay import __version__

LARGEST = 1_000_000_000
"""Of a file in a bundle, in bytes: a zip of a few kilobytes may unpack to more than a disk holds."""


class BundleError(ValueError):
    """The file is no bundle; the message says why."""


def differences(path: Path, progress: Progress) -> list[str]:
    """Compute everything in a bundle again, and say in words what differs; empty if nothing does.

    Raises:
        BundleError: the file is no bundle.
        FormatError: its judgments cannot be read.
        ParameterError, SnapshotError: they do not allow its parameters.
    """
    files = _read(path)
    try:
        stated = stated_from_json(files[PARAMETERS])
    except ValueError as error:
        raise BundleError(f"{path}: {error}") from error
    found = []
    if stated.version != __version__:
        found.append(f"Made by Assay {stated.version}, computed again by {__version__}: signatures differ.")
    found += _changed_judgments(files[JUDGMENTS], files[DIGESTS])
    for name, expected in texts_of(results_of(files[JUDGMENTS], stated, progress)).items():
        given = files.get(name)
        if given is None:
            found.append(f"{name} is missing.")
        elif given != expected and name != DIGESTS:
            found.append(f"{name} differs: {_first_difference(given, expected)}.")
    return found


def _read(path: Path) -> dict[str, str]:
    """The files of a bundle that are texts."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = [entry for entry in archive.infolist() if not entry.filename.startswith("figures/")]
            if large := next((entry for entry in entries if entry.file_size > LARGEST), None):
                raise BundleError(f"{path}: {large.filename} is larger than {LARGEST:,} bytes")
            files = {entry.filename: archive.read(entry).decode() for entry in entries}
    except (OSError, zipfile.BadZipFile, UnicodeDecodeError) as error:
        raise BundleError(f"{path}: {error}") from error
    if lacking := [name for name in (JUDGMENTS, DIGESTS, PARAMETERS) if name not in files]:
        raise BundleError(f"{path}: this is no bundle, it lacks {', '.join(lacking)}")
    return files


def _changed_judgments(csv: str, published: str) -> list[str]:
    """The judgments whose digests differ from the published ones."""
    now = dict(line.split() for line in digests(csv))
    then = dict(line.split() for line in published.splitlines())
    return [
        *(f"Judgment {name} was changed." for name in then if name in now and now[name] != then[name]),
        *(f"Judgment {name} was removed." for name in then if name not in now),
        *(f"Judgment {name} was added." for name in now if name not in then),
    ]


def _first_difference(given: str, expected: str) -> str:
    pairs = zip(given.splitlines(), expected.splitlines(), strict=False)
    for number, (one, other) in enumerate(pairs, start=1):
        if one != other:
            return f"line {number} should be {other!r}"
    return f"it has {len(given.splitlines())} lines instead of {len(expected.splitlines())}"
