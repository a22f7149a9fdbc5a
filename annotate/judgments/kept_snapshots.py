"""The snapshot of a large campaign is kept as a file of Arrow tables, and brought up to date in steps.

A step compares the keys of all current answers with those in the file, so it sees whatever has changed in
whatever order it was committed: new answers, revised ones, deleted ones, and those of transactions that began
earlier and ended later. It reads only what is new. The file is a cache: it holds pseudonyms and no names, may
be deleted at any time, and is replaced as a whole, so any number of processes may build it at a time.
"""

import logging
import os
from collections.abc import Callable
from pathlib import Path
from tempfile import NamedTemporaryFile
from time import time
from uuid import UUID

import pandas as pd
import pyarrow as pa
from django.conf import settings

from annotate.judgments.pseudonyms import names_by_pseudonym
from annotate.judgments.snapshot_reading import AnswerKeys, answer_keys, frame_of_tables, tables_of
from annotate.models import Campaign, CampaignState
from formats.snapshot_tables import SnapshotFileError, SnapshotTables, empty_tables, numbers, read_tables
from jobs.refusals import RefusedError

ENDING = ".arrow"
UNFINISHED = ".part"
ABANDONED_AFTER_SECONDS = 60 * 60
"""A file is written in seconds; one that a killed process left unfinished goes after an hour."""

logger = logging.getLogger(__name__)


class SnapshotTooLargeError(RefusedError):
    """The campaign has more ratings than are analysed at once; the message says what to do."""


def kept_snapshot(
    campaign: Campaign, *, progress: Callable[[int], None] = lambda answers: None
) -> pd.DataFrame:
    """The snapshot of a campaign by pseudonym, as `queries.snapshot` gives it, by way of the file.

    `progress` is told the number of answers that were in the file, then that of each chunk that was read.

    Raises:
        SnapshotTooLargeError: it has more ratings than `SNAPSHOT_MAX_RATINGS`.
        Campaign.DoesNotExist: it is deleted meanwhile.
    """
    tables = kept_tables(campaign, progress=progress)
    frame = frame_of_tables(campaign, tables)
    del tables
    pa.default_memory_pool().release_unused()
    return frame


def kept_tables(campaign: Campaign, *, progress: Callable[[int], None]) -> SnapshotTables:
    """The current answers of a campaign, of which the file then holds all.

    Raises as `kept_snapshot` does.
    """
    keys = answer_keys(campaign)
    _refuse_if_too_large(len(keys.answers))
    file = _file(campaign.uuid)
    before = _read(file, campaign)
    tables = _brought_up_to_date(campaign, before, keys, progress)
    if tables is not before:
        store_snapshot(tables, campaign)
    return tables


def discard_snapshot(campaign: Campaign) -> None:
    """Delete the file of a campaign, if there is one on this machine."""
    _file(campaign.uuid).unlink(missing_ok=True)


def sweep_snapshots() -> None:
    """Delete files of campaigns that are gone, and what killed processes left unfinished."""
    files = [*settings.SNAPSHOTS_DIR.glob(f"*{ENDING}")]
    there = Campaign.objects.exclude(state=CampaignState.DELETING)
    kept = {str(uuid) for uuid in there.filter(uuid__in=_uuids(files)).values_list("uuid", flat=True)}
    for file in files:
        if file.stem not in kept:
            file.unlink(missing_ok=True)
    for part in settings.SNAPSHOTS_DIR.glob(f"*{UNFINISHED}"):
        if part.stat().st_mtime < time() - ABANDONED_AFTER_SECONDS:
            part.unlink(missing_ok=True)


def _uuids(files: list[Path]) -> list[UUID]:
    uuids = []
    for file in files:
        try:
            uuids.append(UUID(file.stem))
        except ValueError:
            continue
    return uuids


def _file(campaign: UUID) -> Path:
    folder: Path = settings.SNAPSHOTS_DIR
    return folder / f"{campaign}{ENDING}"


def _brought_up_to_date(
    campaign: Campaign, before: SnapshotTables, keys: AnswerKeys, progress: Callable[[int], None]
) -> SnapshotTables:
    """`before` itself where it holds these very answers."""
    old = AnswerKeys(*(numbers(before.judgments[name]) for name in ("key", "answer", "state")))
    stays = keys.hold(old)
    new = keys.only(~old.hold(keys))
    progress(int(stays.sum()))
    if stays.all() and not len(new.answers):
        return before

    def advance(answers: int, ratings: int) -> None:
        _refuse_if_too_large(ratings)
        progress(answers)

    return tables_of(campaign, new, beside=before.only(stays), progress=advance)


def _refuse_if_too_large(ratings: int) -> None:
    limit = settings.SNAPSHOT_MAX_RATINGS
    if ratings > limit:
        raise SnapshotTooLargeError(
            f"The campaign has more than {limit:,} ratings, and no more are analysed at once. Export the "
            "judgments and analyse a part of them; or, on a machine with enough memory, raise the setting "
            "SNAPSHOT_MAX_RATINGS."
        )


def _read(file: Path, campaign: Campaign) -> SnapshotTables:
    """What the file holds; nothing where there is none, or where it cannot be used any more."""
    try:
        with file.open("rb") as source:
            tables = read_tables(source, str(campaign.uuid))
        if not names_by_pseudonym(campaign).keys() >= {*tables.annotators["pseudonym"].to_pylist()}:
            raise SnapshotFileError("its pseudonyms were made with another secret key")
    except FileNotFoundError:
        return empty_tables()
    except (SnapshotFileError, OSError) as error:
        logger.warning("%s is built anew: %s.", file, error)
        return empty_tables()
    return tables


def store_snapshot(tables: SnapshotTables, campaign: Campaign) -> None:
    """Replace the file of the campaign. Without it, the next reading takes longer and nothing else."""
    file = _file(campaign.uuid)
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with NamedTemporaryFile(dir=file.parent, suffix=UNFINISHED, delete=False) as part:
            try:
                tables.write(part.file, str(campaign.uuid))
                part.flush()
                os.fsync(part.fileno())
                Path(part.name).replace(file)
            except BaseException:
                Path(part.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        logger.warning("The snapshot of campaign %s was not kept: %s.", campaign.uuid, error)
    sweep_snapshots()
