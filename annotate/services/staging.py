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

from django.db import IntegrityError, connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from annotate.models import Campaign, CampaignState, Corpus, CorpusState

Progress = Callable[[int], None]
Staged = TypeVar("Staged", Corpus, Campaign)
Element = TypeVar("Element")

ABANDONED_AFTER = timedelta(minutes=2)
"""A running import stamps its row with each piece, many times a minute."""

DELETED_PER_PIECE = 100

LOOKED_FOR_EVERY = 0.1
"""Seconds; SQLite's busy handler waits no longer than this between two looks at the lock."""


class ImportRefusedError(Exception):
    """What was to be imported does not fit what is stored; the message says what to do."""


def stored_before(row: Staged) -> Staged | None:
    """The stored row of the same name and content, or None where the name is free.

    Raises:
        ImportRefusedError: the name is taken by other content, or by an import under way.
        ValidationError: a field is malformed.
    """
    row.clean_fields(exclude=["corpus"])
    sweep_abandoned_imports()
    stored = type(row).objects.filter(name=row.name).first()
    if stored is None:
        return None
    if stored.state in (CorpusState.IMPORTING, CampaignState.IMPORTING):
        raise ImportRefusedError(being_imported(row))
    if stored.digest != row.digest:
        raise ImportRefusedError(
            f"A {row._meta.verbose_name} named {row.name!r} exists, and differs in its content or in the "
            "options of its import. Choose another name."
        )
    return stored


def being_imported(row: Corpus | Campaign) -> str:
    """What to say of a name whose import is under way, or was killed."""
    return (
        f"A {row._meta.verbose_name} named {row.name!r} is being imported right now. Choose another "
        f"name; or, if that import was killed, try again in {ABANDONED_AFTER.seconds // 60} minutes."
    )


@contextmanager
def staged(row: Staged) -> Iterator[Staged]:
    """Store the row, in the state *importing*, and delete it with all that hangs on it if the block fails.

    Raises:
        ImportRefusedError: somebody took the name since `stored_before` looked.
    """
    row.touched_at = timezone.now()
    try:
        with transaction.atomic():
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


@contextmanager
def piece(row: Corpus | Campaign) -> Iterator[None]:
    """One short transaction of the import of this row.

    Raises:
        ImportRefusedError: the import stood still for so long that another one swept it.
    """
    with short_transaction():
        if not renewed(row):
            raise ImportRefusedError(
                f"The import of {row.name!r} stood still for more than {ABANDONED_AFTER.seconds // 60} "
                "minutes and was given up. Start it again."
            )
        yield


def pieces(elements: Sequence[Element], size: int) -> Iterator[Sequence[Element]]:
    """The elements in runs of at most `size`."""
    for start in range(0, len(elements), size):
        yield elements[start : start + size]


def sweep_abandoned_imports() -> None:
    """Delete what the imports of killed processes left behind, and corpora that no judgments need any more.

    A corpus without texts exists for the judgments that came with it, and only for them.
    """
    before = timezone.now() - ABANDONED_AFTER
    campaigns = Campaign.objects.filter(state=CampaignState.IMPORTING, touched_at__lt=before)
    corpora = Corpus.objects.filter(
        Q(state=CorpusState.IMPORTING, touched_at__lt=before) | Q(state=CorpusState.READY, has_texts=False)
    ).exclude(campaigns__isnull=False)
    for abandoned in (campaigns, corpora):
        for row in abandoned:
            if renewed(row):
                _discard(row)


def renewed(row: Corpus | Campaign) -> bool:
    """Whether the row was ours to stamp: nobody stamped it since we read or stamped it."""
    unchanged = type(row).objects.filter(pk=row.pk, touched_at=row.touched_at)
    row.touched_at = timezone.now()
    return unchanged.update(touched_at=row.touched_at) == 1


def _discard(row: Corpus | Campaign) -> None:
    if isinstance(row, Corpus):
        delete_in_pieces(row.sentences.all())
    else:
        delete_in_pieces(row.items.all())
    row.delete()


def delete_in_pieces(rows: QuerySet[Any]) -> None:
    """Delete the rows with all that hangs on them, in short transactions."""
    for keys in pieces(list(rows.values_list("pk", flat=True)), DELETED_PER_PIECE):
        with short_transaction():
            rows.filter(pk__in=keys).delete()


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
