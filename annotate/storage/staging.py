"""Long writes in pieces: rows grow under the state *importing* until one flip makes them visible.

SQLite has one writer, so pieces are small and leave room between them: who judges meanwhile never waits long.
What a failed import leaves behind is deleted at once; what a killed process left is swept by the next import.

The stamp `touched_at` is the importer's lease: whoever changes it from the value he knows owns the row.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from time import perf_counter, sleep
from typing import Any, TypeVar
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from annotate.models import Campaign, CampaignState, Corpus, CorpusState
from jobs.refusals import RefusedError

Progress = Callable[[int], None]
Staged = TypeVar("Staged", Corpus, Campaign)
Element = TypeVar("Element")

ABANDONED_AFTER = timedelta(minutes=2)
"""A running import stamps its row with each piece, many times a minute."""

DELETED_PER_PIECE = 100

LOOKED_FOR_EVERY = 0.1
"""Seconds; SQLite's busy handler waits no longer than this between two looks at the lock."""


class ImportRefusedError(RefusedError):
    """What was to be imported does not fit what is stored; the message says what to do."""


def stored_before(row: Staged) -> Staged | None:
    """The stored row of the same name and content, or None where the name is free.

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
            f"A {row._meta.verbose_name} named {row.name!r} exists, and differs in its content or in the "
            "options of its import. Choose another name."
        )
    return stored


def not_whole(stored: Corpus | Campaign) -> str:
    """What to say of a name that is being imported, or was when that was killed, or deleted; else nothing."""
    named = f"A {stored._meta.verbose_name} named {stored.name!r} is being"
    if stored.state in (CorpusState.IMPORTING, CampaignState.IMPORTING):
        return (
            f"{named} imported right now. Choose another name; or, if that import was killed, "
            f"try again in {ABANDONED_AFTER.seconds // 60} minutes."
        )
    if stored.state in (CorpusState.DELETING, CampaignState.DELETING):
        return f"{named} deleted right now. Choose another name, or try again when it is gone."
    return ""


def stays(corpus: Corpus) -> bool:
    """Whether the corpus stays until the transaction ends: nobody is deleting it, nor begins to."""
    kept = Corpus.objects.select_for_update(no_key=True).exclude(state=CorpusState.DELETING)
    return kept.filter(pk=corpus.pk).first() is not None


@contextmanager
def stage(row: Staged) -> Iterator[Staged]:
    """Store the row, in the state *importing*, and delete it with all that hangs on it if the block fails.

    Raises:
        ImportRefusedError: somebody took the name since `stored_before` looked, or deletes the corpus.
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
                f"The name {row.name!r} was taken by another {row._meta.verbose_name} just now."
            ) from error
        raise
    try:
        yield row
    except BaseException:
        _discard(row)
        raise


def _refuse_unless_it_stays(corpus: Corpus) -> None:
    if not stays(corpus):
        raise ImportRefusedError(f"The corpus {corpus.name!r} was deleted just now.")


@contextmanager
def piece(row: Corpus | Campaign) -> Iterator[None]:
    """One short transaction of the import of this row.

    Raises:
        ImportRefusedError: the import stood still for so long that another one swept it.
    """
    given_up = ImportRefusedError(
        f"The import of {row.name!r} stood still for more than {ABANDONED_AFTER.seconds // 60} minutes and "
        "was given up. Start it again."
    )
    with claimed_piece(row, lost=given_up):
        yield


@contextmanager
def claimed_piece(row: Corpus | Campaign, *, lost: Exception) -> Iterator[None]:
    """One short transaction of whoever stamped the row last; `lost` is raised if that is somebody else."""
    stamp = row.touched_at
    with short_transaction():
        if not renew_stamp(row):
            raise lost
        try:
            yield
        except BaseException:
            row.touched_at = stamp  # The new one is undone with the piece.
            raise


def pieces(elements: Sequence[Element], size: int) -> Iterator[Sequence[Element]]:
    """The elements in runs of at most `size`."""
    for start in range(0, len(elements), size):
        yield elements[start : start + size]


def sweep_abandoned_imports(*, uuid: UUID | None = None) -> None:
    """Delete what the imports of killed processes left behind, and corpora that no judgments need any more.

    A corpus without texts exists for the judgments that came with it, and only for them. An attempt at the
    import with this `uuid`, which begins again, is over however fresh its rows are.
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
    """Stamp the row anew, if nobody stamped it since we read or stamped it; says whether that is so."""
    unchanged = type(row).objects.filter(pk=row.pk, touched_at=row.touched_at)
    row.touched_at = timezone.now()
    return unchanged.update(touched_at=row.touched_at) == 1


def _discard(row: Corpus | Campaign) -> None:
    if isinstance(row, Corpus):
        delete_in_pieces(row.sentences.all())
    else:
        delete_in_pieces(row.items.all())
    row.delete()


def delete_in_pieces(rows: QuerySet[Any], *, progress: Progress = lambda deleted: None) -> None:
    """Delete the rows with all that hangs on them, in short transactions; `progress` is told of each."""
    for keys in pieces(list(rows.values_list("pk", flat=True)), DELETED_PER_PIECE):
        with short_transaction():
            rows.filter(pk__in=keys).delete()
        progress(len(keys))


@contextmanager
def short_transaction() -> Iterator[None]:
    """A transaction that is followed by a pause on SQLite, as long as itself or as it takes others to notice.

    Who waits for SQLite's lock only looks for it every now and then, and would hardly ever find it free.
    """
    with transaction.atomic():
        began = perf_counter()
        yield
    if connection.vendor == "sqlite":
        sleep(min(perf_counter() - began, LOOKED_FOR_EVERY))
