"""Storing a row once, whoever else stores it at that moment."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import IntegrityError, transaction
from django.db.models import Model


@contextmanager
def stored_once(row: Model) -> Iterator[None]:
    """A transaction that stores the row, which was checked before: a double click sends two at one moment.

    Raises:
        ValidationError: another request has stored meanwhile what `full_clean` would have refused.
    """
    try:
        with transaction.atomic():
            yield
    except IntegrityError:
        row.full_clean()
        raise
