"""Whether a data release is whole, and its numbers follow from its tables. Anyone may have made it."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import zip_longest
from math import isclose
from pathlib import Path, PurePosixPath
from typing import Any

from analysis.analyses.annotators.agreement import AGREEMENT
from analysis.analyses.judgment_inputs import LeftOut, judgments
from analysis.publishing.archive import DamagedFileError, opened
from analysis.publishing.stated import BundleError
from analysis.releases.facts import compared_alone
from analysis.releases.reading import ReleaseFiles, judgments_of, parts_of
from analysis.releases.tables import (
    CONTROL_JUDGMENTS,
    DATA,
    JUDGMENTS,
    MACHINE_JUDGMENTS,
    MANIFEST,
    SYSTEMS,
    TABLES,
    Type,
    file_digest,
)
from analysis.releases.version_changes import NUMBERS
from annotate.models import SystemRole
from core.later import pa, pq
from core.progress import Progress
from formats import FormatError, JudgmentRecord
from formats.records import MAX_LINES
from formats.snapshot.snapshots import frame_of_judgments
from ranking import SnapshotError

JUDGED = (JUDGMENTS, CONTROL_JUDGMENTS, MACHINE_JUDGMENTS)
NEAR = 1e-9
"""Scores that differ by less are equal: sums may be in another order."""

ROWS_AT_ONCE = 10_000
JSON_COLUMNS = {each.name for table in TABLES for each in table.columns if each.type is Type.JSON}
MOST_NAMED = 20
"""Differing files that are named; the others are counted."""


def is_release(path: Path) -> bool:
    """Whether this is the folder or the zip of a data release, whole or not.

    Raises:
        BundleError: it is neither a folder nor a zip.
    """
    if path.is_dir():
        return True
    with opened(path) as archive:
        return any(PurePosixPath(name).name == NUMBERS for name in archive.names)


def release_differences(path: Path, progress: Progress) -> Iterator[str]:
    """Check a data release, and say in words what is wrong; nothing if nothing is.

    Files have to be those of the manifest, both forms of a table have to hold the same rows, as many as
    stated, and the ranking has to follow from the judgments.

    Raises:
        BundleError: it is no data release, or could do harm if it were unpacked.
    """
    with _folder_of(path) as folder:
        try:
            files = ReleaseFiles(folder)
        except FormatError as error:
            raise BundleError(str(error).replace(f"{folder}/", "")) from error
        yield from _damaged(folder, files, progress)
        try:
            stated = files.stated()
            yield from _differing_tables(folder, files, stated.get("numbers"), progress)
            yield from _differing_rankings(files, stated, progress)
        except (FormatError, SnapshotError, pa.ArrowException) as error:
            yield f"The rest cannot be checked: {str(error).replace(f'{folder}/', '')}."


@contextmanager
def _folder_of(path: Path) -> Iterator[Path]:
    """The folder, or that of the zip, unpacked for a while."""
    if path.is_dir():
        yield path
        return
    with tempfile.TemporaryDirectory() as name, opened(path) as archive:
        folder = Path(name)
        for packed in archive.names:
            # The zip holds one folder, whatever it is called.
            own = PurePosixPath(*PurePosixPath(packed).parts[1:])
            if packed.endswith("/") or not own.parts:
                continue
            (folder / own).parent.mkdir(parents=True, exist_ok=True)
            try:
                archive.extract(packed, folder, str(own))
            except DamagedFileError as error:
                raise BundleError(str(error)) from error
        yield folder


def _damaged(folder: Path, files: ReleaseFiles, progress: Progress) -> Iterator[str]:
    there = {each.relative_to(folder).as_posix() for each in folder.rglob("*") if each.is_file()}
    wrong = []
    for name, digest in files.digests.items():
        if name not in there:
            wrong.append(f"{name} is missing.")
        elif file_digest(folder / name, progress) != digest:
            wrong.append(f"{name} is not as {MANIFEST} states.")
    wrong += [f"{name} is not in {MANIFEST}." for name in sorted(there - {*files.digests, MANIFEST})]
    yield from wrong[:MOST_NAMED]
    if len(wrong) > MOST_NAMED:
        yield f"{len(wrong) - MOST_NAMED:,} more files differ."


def _differing_tables(folder: Path, files: ReleaseFiles, numbers: Any, progress: Progress) -> Iterator[str]:
    """Tables whose two forms differ, or that have other numbers of rows than stated."""
    stated = numbers if isinstance(numbers, Mapping) else {}
    names = [PurePosixPath(name).stem for name in files.digests if name.endswith(".parquet")]
    progress.begin("Comparing the tables", total=len(names))
    for name in names:
        parquet, jsonl = (folder / DATA / f"{name}.{ending}" for ending in ("parquet", "jsonl"))
        if parquet.is_file() and jsonl.is_file():
            rows = pq.read_metadata(parquet).num_rows
            if stated.get(f"rows of {name}") != rows:
                yield f"{NUMBERS} states {stated.get(f'rows of {name}')} rows of {name}, there are {rows}."
            if (row := _differing_row(parquet, jsonl)) is not None:
                yield f"{DATA}/{name}: row {row} differs between Parquet and JSON Lines."
        progress.advance(1)


def _differing_row(parquet: Path, jsonl: Path) -> int | None:
    """The number of the first row, from 1, that the two forms of a table do not share."""
    with jsonl.open(encoding="utf-8", errors="replace") as lines:
        for number, (row, line) in enumerate(zip_longest(_rows(parquet), lines), start=1):
            try:
                if row is None or line is None or _plain(row) != json.loads(line):
                    return number
            except (ValueError, RecursionError):
                return number
    return None


def _rows(parquet: Path) -> Iterator[dict[str, Any]]:
    with pq.ParquetFile(parquet) as file:
        for batch in file.iter_batches(batch_size=ROWS_AT_ONCE):
            yield from batch.to_pylist()


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row as JSON Lines have it: times as text, and JSON as what it stands for."""
    plain: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, datetime):
            moment = value.astimezone(UTC).replace(tzinfo=None)
            value = f"{moment.isoformat(timespec='microseconds')}Z"
        elif isinstance(value, str) and name in JSON_COLUMNS:
            value = json.loads(value)
        plain[name] = value
    return plain


def _differing_rankings(files: ReleaseFiles, stated: Mapping[str, Any], progress: Progress) -> Iterator[str]:
    """Systems whose score in a ranking does not follow from the judgments."""
    parts = parts_of(stated)
    rankings = [part.get("ranking") for part in parts.values()] if parts else [stated.get("ranking")]
    if not any(rankings):  # Nothing is compared, or by an older version.
        return
    if sum(pq.read_metadata(path).num_rows for path in map(files.path, JUDGED) if path.is_file()) > MAX_LINES:
        return
    progress.begin("Reading the judgments")
    roles = {row["system"]: row["role"] for row in files.rows(SYSTEMS)}
    judged = judgments_of(files)
    if parts and (unlike := sorted(judged.keys() ^ parts.keys())):
        yield f"{NUMBERS} and the judgments do not both have these campaigns: {', '.join(unlike)}."
    for name, records in judged.items():
        ranking = (parts.get(name, {}) if parts else stated).get("ranking")
        if isinstance(ranking, Mapping) and ranking:
            for difference in _differing_scores(records, ranking, roles, progress):
                yield f"Campaign {name}: {difference}" if parts else difference


def _differing_scores(
    records: tuple[JudgmentRecord, ...],
    stated: Mapping[str, Any],
    roles: Mapping[str, str],
    progress: Progress,
) -> Iterator[str]:
    frame = frame_of_judgments(records, campaign="release")
    left_out = LeftOut(tuple(name for name, role in roles.items() if role == SystemRole.CONTROL))
    inputs = judgments(frame, AGREEMENT.all_columns, left_out=left_out, roles=roles)
    computed, _ = compared_alone(inputs, progress)
    for name in sorted({*stated, *computed}, key=str):
        ours, theirs = computed.get(str(name)), stated.get(name)
        is_near = (
            isinstance(ours, float)
            and isinstance(theirs, int | float)
            and isclose(ours, theirs, abs_tol=NEAR)
        )
        if ours != theirs and not is_near:
            yield f"{NUMBERS} states the score {theirs} of {name}; it follows {ours} from the judgments."
