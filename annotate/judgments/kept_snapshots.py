"""Cache of the snapshot of a large campaign, as a file of Arrow tables that is updated in steps.

An update compares the keys of all current answers with those in the file, so it sees every change in any
order of commits: new, revised and deleted answers, and answers of transactions that began earlier and ended
later. It reads only new answers. The file holds pseudonyms and no names. It may be deleted at any time, and
is replaced as a whole, so several processes may build it at once.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import NamedTemporaryFile
from time import time
from uuid import UUID

import numpy as np
from django.conf import settings

from annotate.judgments.pseudonyms import names_by_pseudonym
from annotate.judgments.snapshot_reading import AnswerKeys, answer_keys, frame_of_tables, tables_of
from annotate.models import Campaign, CampaignState
from core.later import pa, pd
from formats.machines import AnnotatorKind
from formats.snapshot.snapshot_tables import (
    SnapshotFileError,
    SnapshotTables,
    empty_tables,
    numbers,
    read_tables,
)
from formats.snapshot.snapshots import DTYPES
from jobs.refusals import RefusedError

JUDGMENTS_PER_PIECE = 20_000
"""With five ratings per judgment, the frame of a piece takes about 10 MB."""

ENDING = ".arrow"
OF_MACHINES = "-machines"
UNFINISHED = ".part"
ABANDONED_AFTER_SECONDS = 60 * 60
"""Writing takes seconds; a file that a killed process left unfinished is deleted after an hour."""

logger = logging.getLogger(__name__)


class SnapshotTooLargeError(RefusedError):
    """The campaign has more ratings than can be analysed at once; the message says what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class KeptAnswers:
    """The current answers of a campaign, from which frames are made as needed.

    Attributes:
        campaign: the campaign.
        tables: its answers.
        kind: of the annotators.
    """

    campaign: Campaign
    tables: SnapshotTables
    kind: AnnotatorKind = AnnotatorKind.PERSON

    def of(self, annotator: str) -> KeptAnswers:
        """Those of the annotator with this pseudonym."""
        pseudonyms = self.tables.annotators["pseudonym"].to_pylist()
        is_theirs = np.array([each == annotator for each in pseudonyms], dtype=bool)
        return replace(self, tables=self.tables.only(is_theirs[numbers(self.tables.judgments["annotator"])]))

    def frame(
        self, columns: Collection[str] = tuple(DTYPES), step: Callable[[], None] = lambda: None
    ) -> pd.DataFrame:
        """The snapshot with pseudonyms, or some of its columns; `step` is called before each."""
        return frame_of_tables(self.campaign, self.tables, kind=self.kind, columns=columns, step=step)

    def pieces(self) -> Iterator[pd.DataFrame]:
        """The snapshot in pieces, each made when it is asked for."""
        pieces = self.tables.pieces(JUDGMENTS_PER_PIECE)
        return (frame_of_tables(self.campaign, piece, kind=self.kind) for piece in pieces)


def kept_answers(
    campaign: Campaign,
    *,
    kind: AnnotatorKind = AnnotatorKind.PERSON,
    progress: Callable[[int], None] = lambda answers: None,
) -> KeptAnswers:
    """The current answers of annotators of a kind, read from the updated file.

    `progress` gets the number of answers that were in the file, then the size of each chunk that is read,
    and 0 between other steps.

    Raises:
        SnapshotTooLargeError: it has more ratings than `SNAPSHOT_MAX_RATINGS`. Campaign.DoesNotExist: it was
            deleted meanwhile.
    """
    return KeptAnswers(campaign, kept_tables(campaign, kind=kind, progress=progress), kind)


def kept_snapshot(
    campaign: Campaign, *, progress: Callable[[int], None] = lambda answers: None
) -> pd.DataFrame:
    """The whole snapshot of `queries.snapshot`, with pseudonyms, from the kept file.

    Raises the same errors as `kept_answers`.
    """
    frame = kept_answers(campaign, progress=progress).frame()
    pa.default_memory_pool().release_unused()
    return frame


def kept_tables(
    campaign: Campaign,
    *,
    kind: AnnotatorKind = AnnotatorKind.PERSON,
    progress: Callable[[int], None],
) -> SnapshotTables:
    """The current answers of annotators of a kind; afterwards the file holds all of them.

    Raises the same errors as `kept_answers`.
    """
    keys = answer_keys(campaign, kind=kind)
    _refuse_if_too_large(len(keys.answers))
    progress(0)
    file = _file(campaign.uuid, kind)
    before = _read(file, campaign)
    progress(0)
    tables = _brought_up_to_date(campaign, before, keys, progress)
    if tables is not before:
        store_snapshot(tables, campaign, kind=kind)
    return tables


def discard_snapshot(campaign: Campaign) -> None:
    """Delete the files of a campaign, if there are any on this machine."""
    for kind in AnnotatorKind:
        _file(campaign.uuid, kind).unlink(missing_ok=True)


def sweep_snapshots() -> None:
    """Delete files of deleted campaigns, and files that killed processes left unfinished."""
    files = [*settings.SNAPSHOTS_DIR.glob(f"*{ENDING}")]
    there = Campaign.objects.exclude(state=CampaignState.DELETING)
    kept = {str(uuid) for uuid in there.filter(uuid__in=_uuids(files)).values_list("uuid", flat=True)}
    for file in files:
        if _campaign_of(file) not in kept:
            file.unlink(missing_ok=True)
    for part in settings.SNAPSHOTS_DIR.glob(f"*{UNFINISHED}"):
        if part.stat().st_mtime < time() - ABANDONED_AFTER_SECONDS:
            part.unlink(missing_ok=True)


def _uuids(files: list[Path]) -> list[UUID]:
    uuids = []
    for file in files:
        try:
            uuids.append(UUID(_campaign_of(file)))
        except ValueError:
            continue
    return uuids


def _file(campaign: UUID, kind: AnnotatorKind) -> Path:
    folder: Path = settings.SNAPSHOTS_DIR
    of_kind = OF_MACHINES if kind == AnnotatorKind.MACHINE else ""
    return folder / f"{campaign}{of_kind}{ENDING}"


def _campaign_of(file: Path) -> str:
    return file.stem.removesuffix(OF_MACHINES)


def _brought_up_to_date(
    campaign: Campaign, before: SnapshotTables, keys: AnswerKeys, progress: Callable[[int], None]
) -> SnapshotTables:
    """`before` itself if it holds exactly these answers."""
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
            f"The campaign has more than {limit:,} ratings, too many to analyse at once. Export the "
            "judgments and analyse a part of them or, on a machine with enough memory, raise the "
            "setting "
            "SNAPSHOT_MAX_RATINGS."
        )


def _read(file: Path, campaign: Campaign) -> SnapshotTables:
    """Content of the file; empty if there is no file or it cannot be used any more."""
    try:
        with file.open("rb") as source:
            tables = read_tables(source, str(campaign.uuid))
        if not names_by_pseudonym(campaign).keys() >= {*tables.annotators["pseudonym"].to_pylist()}:
            raise SnapshotFileError("its pseudonyms were made with another secret key")
    except FileNotFoundError:
        return empty_tables()
    except (SnapshotFileError, OSError) as error:
        logger.warning("Rebuilding %s: %s.", file, error)
        return empty_tables()
    return tables


def store_snapshot(
    tables: SnapshotTables, campaign: Campaign, *, kind: AnnotatorKind = AnnotatorKind.PERSON
) -> None:
    """Replace the file of the campaign. If this fails, the next reading only takes longer."""
    file = _file(campaign.uuid, kind)
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
        logger.warning("The snapshot of campaign %s was not cached: %s.", campaign.uuid, error)
    sweep_snapshots()
