"""Storing a row once, even if other requests store it at the same time."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import IntegrityError, transaction
from django.db.models import Model


@contextmanager
def stored_once(row: Model) -> Iterator[None]:
    """A transaction that stores the row, already validated; a double click may send two at once.

    Raises:
        ValidationError: another request has stored meanwhile what `full_clean` would have refused.
    """
    try:
        with transaction.atomic():
            yield
    except IntegrityError:
        row.full_clean()
        raise
