"""Long writes in pieces: rows grow under the state *importing* until one flip makes them visible.

SQLite has one writer, so a piece is small enough that nobody who judges meanwhile waits for it. Whatever an
import leaves behind that failed is deleted at once; what a killed process left is swept by the next import.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import TypeVar

from django.db import IntegrityError, transaction
from django.utils import timezone

from annotate.models import Campaign, CampaignState, Corpus, CorpusState

Progress = Callable[[int], None]
Staged = TypeVar("Staged", Corpus, Campaign)
Element = TypeVar("Element")

ABANDONED_AFTER = timedelta(minutes=2)
"""A running import touches its row with each piece, many times a minute."""


class ImportRefusedError(Exception):
    """What was to be imported does not fit what is stored; the message says what to do."""


def create_staged(row: Staged) -> Staged:
    """Store the row under its name, in the state *importing*.

    Raises:
        ImportRefusedError: the name is taken, by a finished import or by one under way.
        ValidationError: the name is malformed.
    """
    row.clean_fields()
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError as error:
        raise ImportRefusedError(
            f"A {row._meta.verbose_name} named {row.name!r} exists or is being imported right now. Choose "
            f"another name, or wait {ABANDONED_AFTER.seconds // 60} minutes if its import was killed."
        ) from error
    return row


@contextmanager
def discarded_on_failure(row: Corpus | Campaign) -> Iterator[None]:
    """Delete the staged row with all that hangs on it when the block does not finish."""
    try:
        yield
    except BaseException:
        row.delete()
        raise


def pieces(elements: Sequence[Element], size: int) -> Iterator[Sequence[Element]]:
    """The elements in runs of at most `size`."""
    for start in range(0, len(elements), size):
        yield elements[start : start + size]


def touch(row: Corpus | Campaign) -> None:
    """Show that the import of this row goes on."""
    row.touched_at = timezone.now()
    row.save(update_fields=["touched_at"])


def sweep_abandoned_imports() -> None:
    """Delete what the imports of killed processes left behind."""
    before = timezone.now() - ABANDONED_AFTER
    Campaign.objects.filter(state=CampaignState.IMPORTING, touched_at__lt=before).delete()
    Corpus.objects.filter(state=CorpusState.IMPORTING, touched_at__lt=before).delete()
