"""Long lists on web pages come in pages, which name the row where they begin or end.

So a page is a stretch of an index wherever it lies in the list: nothing is counted, no row is passed over,
and rows that arrive meanwhile move none.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Field, Model, QuerySet
from django.http import QueryDict

Row = TypeVar("Row")
Stored = TypeVar("Stored", bound=Model)


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """Some rows of a list.

    Attributes:
        rows: in their order.
        before: the page before it ends at this key; None where this is the first.
        after: the page after it begins at this key; None where this is the last.
    """

    rows: Sequence[Row]
    before: str | None
    after: str | None

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def with_rows(self, rows: Sequence[Any]) -> "Page[Any]":
        """The same page, its rows shown as these."""
        return replace(self, rows=rows)


def page_of(rows: QuerySet[Stored], asked: QueryDict, *, size: int, by: str = "pk") -> Page[Stored]:
    """The page that an address asks for by `after=KEY` or `before=KEY`; by an empty `before` the last one.

    Args:
        rows: the list, in any order.
        asked: the query of the address. What makes no sense there asks for the first page.
        size: most rows of a page.
        by: the field whose values order the list, each in one row only; with a minus, the highest first.
    """
    list_by = _Order(rows, by, size)
    if (before := asked.get("before")) is not None:
        return list_by.before(before) if before else list_by.last()
    return list_by.after(asked.get("after", ""))


class _Order(Generic[Stored]):
    """A list, read in pieces in one of its two directions."""

    def __init__(self, rows: QuerySet[Stored], by: str, size: int) -> None:
        self.rows, self.size = rows, size
        self.name, self.descends = by.removeprefix("-"), by.startswith("-")
        field = rows.model._meta.pk if self.name == "pk" else rows.model._meta.get_field(self.name)
        assert isinstance(field, Field)  # noqa: S101  # what lists are ordered by
        self.field = field

    def after(self, text: str) -> Page[Stored]:
        """The page that begins after the row with this key; the first one if it is empty or no key."""
        key = self._key(text)
        rows = self._piece(key, backwards=False)
        if key is not None and not rows:
            return self.last()
        shown, more = rows[: self.size], len(rows) > self.size
        return Page(
            shown, None if key is None else self._text(shown[0]), self._text(shown[-1]) if more else None
        )

    def before(self, text: str) -> Page[Stored]:
        """The page that ends before the row with this key; the first one if less than a page is left."""
        key = self._key(text)
        rows = [] if key is None else self._piece(key, backwards=True)
        if len(rows) <= self.size:
            return self.after("")
        shown = rows[: self.size][::-1]
        return Page(shown, self._text(shown[0]), self._text(shown[-1]))

    def last(self) -> Page[Stored]:
        """The last page."""
        rows = self._piece(None, backwards=True)
        shown = rows[: self.size][::-1]
        return Page(shown, self._text(shown[0]) if len(rows) > self.size else None, None)

    def _piece(self, key: Any, *, backwards: bool) -> list[Stored]:
        """So many rows as a page holds and one more, from the key on, if there is one."""
        down = self.descends is not backwards
        rows = (
            self.rows if key is None else self.rows.filter(**{f"{self.name}__{'lt' if down else 'gt'}": key})
        )
        return list(rows.order_by(f"-{self.name}" if down else self.name)[: self.size + 1])

    def _key(self, text: str) -> Any:
        try:
            return self.field.to_python(text) if text and "\0" not in text else None
        except ValidationError:
            return None

    def _text(self, row: Stored) -> str:
        return str(getattr(row, self.name))
