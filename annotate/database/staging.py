"""Long writes in pieces: rows are added under the state *importing* until one update makes them visible.

SQLite has one writer, so pieces are small, with pauses between them, and annotators never wait long.
Leftovers of a failed import are deleted at once; those of a killed process are deleted by the next import.

The stamp `touched_at` is the importer's lease: a process that updates it from its known value owns the row.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from time import monotonic, perf_counter, sleep
from typing import Any, TypeVar
from uuid import UUID

from django.db import IntegrityError, InterfaceError, OperationalError, connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from annotate.models import Campaign, CampaignState, Corpus, CorpusState
from core.progress import Advance
from jobs.refusals import RefusedError

Staged = TypeVar("Staged", Corpus, Campaign)
Element = TypeVar("Element")

ABANDONED_AFTER = timedelta(minutes=2)
"""A running import stamps its row with each piece, many times a minute."""

RECONNECTS_FOR_SECONDS, RECONNECT_EVERY_SECONDS = 30, 0.5
"""How long a failed import waits for a lost database, to free its name at once."""

DELETED_PER_PIECE = 100

logger = logging.getLogger(__name__)

LOOKED_FOR_EVERY = 0.1
"""Seconds; the longest wait of SQLite's busy handler between two checks of the lock."""


class ImportRefusedError(RefusedError):
    """The import conflicts with stored data; the message says what to do."""


def stored_before(row: Staged) -> Staged | None:
    """The stored row with the same name and content, or None if the name is free.

    Raises:
        ImportRefusedError: the name is taken by other content, or by an import under way.
        ValidationError: a field is malformed.
    """
    row.clean_fields(exclude=["corpus"])
    sweep_abandoned_imports(uuid=row.uuid)
    stored = type(row).objects.filter(name=row.name).first()
    if stored is None:
        return None
    if reason := not_whole(stored):
        raise ImportRefusedError(reason)
    if stored.digest != row.digest:
        raise ImportRefusedError(
            f"A {row._meta.verbose_name} named {row.name!r} already exists, with different content or "
            "import options. Choose another name."
        )
    return stored


def not_whole(stored: Corpus | Campaign) -> str:
    """The error message for a name whose import or deletion is in progress or was killed; else empty."""
    named = f"A {stored._meta.verbose_name} named {stored.name!r} is being"
    if stored.state in (CorpusState.IMPORTING, CampaignState.IMPORTING):
        return (
            f"{named} imported right now. Choose another name or, if that import was killed, "
            f"try again in {ABANDONED_AFTER.seconds // 60} minutes."
        )
    if stored.state in (CorpusState.DELETING, CampaignState.DELETING):
        return f"{named} deleted right now. Choose another name, or try again when it has been deleted."
    return ""


def stays(corpus: Corpus) -> bool:
    """Lock the corpus against deletion until the transaction ends; false if it is being deleted."""
    kept = Corpus.objects.select_for_update(no_key=True).exclude(state=CorpusState.DELETING)
    return kept.filter(pk=corpus.pk).first() is not None


@contextmanager
def stage(row: Staged) -> Iterator[Staged]:
    """Store the row in the state *importing*; if the block fails, delete it with all dependent rows.

    Raises:
        ImportRefusedError: the name was taken since `stored_before` checked, or the corpus is being deleted.
    """
    row.touched_at = timezone.now()
    try:
        with transaction.atomic():
            if isinstance(row, Campaign):
                _refuse_unless_it_stays(row.corpus)
            row.save(force_insert=True)
    except IntegrityError as error:
        if type(row).objects.filter(name=row.name).exists():
            raise ImportRefusedError(
                f"Another {row._meta.verbose_name} has just taken the name {row.name!r}."
            ) from error
        raise
    try:
        yield row
    except BaseException:
        _discard_at_last(row)
        raise


def _refuse_unless_it_stays(corpus: Corpus) -> None:
    if not stays(corpus):
        raise ImportRefusedError(f"The corpus {corpus.name!r} has just been deleted.")


@contextmanager
def piece(row: Corpus | Campaign) -> Iterator[None]:
    """One short transaction of the import of this row.

    Raises:
        ImportRefusedError: the import made no progress for so long that another one deleted it.
    """
    given_up = ImportRefusedError(
        f"The import of {row.name!r} made no progress for more than {ABANDONED_AFTER.seconds // 60} minutes "
        "and was cancelled.  Start it again."
    )
    with claimed_piece(row, lost=given_up):
        yield


@contextmanager
def claimed_piece(row: Corpus | Campaign, *, lost: Exception) -> Iterator[None]:
    """One short transaction of the process that last stamped the row; others get `lost` raised."""
    stamp = row.touched_at
    with short_transaction():
        if not renew_stamp(row):
            raise lost
        try:
            yield
        except BaseException:
            row.touched_at = stamp  # The new stamp is rolled back with the piece.
            raise


def pieces(elements: Sequence[Element], size: int) -> Iterator[Sequence[Element]]:
    """The elements in chunks of at most `size`."""
    for start in range(0, len(elements), size):
        yield elements[start : start + size]


def sweep_abandoned_imports(*, uuid: UUID | None = None) -> None:
    """Delete leftovers of killed imports, and corpora without texts that no judgments need any more.

    A corpus without texts exists only for the judgments that came with it. Rows of an earlier attempt at the
    import with this `uuid`, which is restarting, are deleted however fresh they are.
    """
    over = Q(touched_at__lt=timezone.now() - ABANDONED_AFTER) | Q(uuid=uuid)
    campaigns = Campaign.objects.filter(over, state=CampaignState.IMPORTING)
    corpora = Corpus.objects.filter(
        over & Q(state=CorpusState.IMPORTING) | Q(state=CorpusState.READY, has_texts=False)
    ).exclude(campaigns__isnull=False)
    for abandoned in (campaigns, corpora):
        for row in abandoned:
            if renew_stamp(row):
                _discard(row)


def renew_stamp(row: Corpus | Campaign) -> bool:
    """Update the row's stamp if nobody else has since we read or stamped it; tells whether it did."""
    unchanged = type(row).objects.filter(pk=row.pk, touched_at=row.touched_at)
    row.touched_at = timezone.now()
    return unchanged.update(touched_at=row.touched_at) == 1


def _discard(row: Corpus | Campaign) -> None:
    if isinstance(row, Corpus):
        delete_in_pieces(row.sentences.all())
    else:
        delete_in_pieces(row.items.all())
    row.delete()


def _discard_at_last(row: Corpus | Campaign) -> None:
    """Delete what a failed import has stored; over a new connection if the database was lost."""
    deadline = monotonic() + RECONNECTS_FOR_SECONDS
    while True:
        try:
            return _discard(row)
        except (OperationalError, InterfaceError) as error:
            if connection.in_atomic_block or monotonic() > deadline:
                logger.warning("Leftovers of %s are deleted by the next import (%s).", row.name, error)
                return None
            connection.close()
            sleep(RECONNECT_EVERY_SECONDS)


def delete_in_pieces(rows: QuerySet[Any], *, progress: Advance = lambda deleted: None) -> None:
    """Delete the rows with all dependent rows, in short transactions; `progress` gets each."""
    for keys in pieces(list(rows.values_list("pk", flat=True)), DELETED_PER_PIECE):
        with short_transaction():
            rows.filter(pk__in=keys).delete()
        progress(len(keys))


@contextmanager
def short_transaction() -> Iterator[None]:
    """A transaction that, on SQLite, is followed by a pause at least as long as itself.

    Processes that wait for SQLite's lock poll it, and would rarely find it free otherwise.
    """
    with transaction.atomic():
        began = perf_counter()
        yield
    if connection.vendor == "sqlite":
        sleep(min(perf_counter() - began, LOOKED_FOR_EVERY))
