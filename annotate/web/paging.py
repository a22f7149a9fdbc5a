"""Pages of long lists, addressed by the row before or after them.

So a page is a range of an index anywhere in the list: nothing is counted, no rows are skipped over, and new
rows do not shift pages.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Field, Model, Q, QuerySet
from django.http import QueryDict

Row = TypeVar("Row")
Stored = TypeVar("Stored", bound=Model)


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """Some rows of a list.

    Attributes:
        rows: in their order.
        before: key at which the previous page ends; None if this is the first page.
        after: key after which the next page begins; None if this is the last page.
    """

    rows: Sequence[Row]
    before: str | None
    after: str | None

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def with_rows(self, rows: Sequence[Any]) -> "Page[Any]":
        """This page with these objects as rows."""
        return replace(self, rows=rows)


def page_of(
    rows: QuerySet[Stored], asked: QueryDict, *, size: int, by: str = "pk", then: str = ""
) -> Page[Stored]:
    """The page requested by `after=KEY` or `before=KEY`; an empty `before` is the last page.

    Args:
        rows: the list, in any order.
        asked: the query. Invalid values give the first page.
        size: most rows of a page.
        by: the field whose values order the list, each in one row only; with a minus, the highest first.
        then: the field that orders rows of one value in the same direction, where `by` may have such.
    """
    list_by = _Order(rows, by, then, size)
    if (before := asked.get("before")) is not None:
        return list_by.before(before) if before else list_by.last()
    return list_by.after(asked.get("after", ""))


SEPARATOR = ","
"""Between the parts of a key; neither numbers nor dates have it."""


class _Order(Generic[Stored]):
    """A list, read in pieces in one of its two directions."""

    def __init__(self, rows: QuerySet[Stored], by: str, then: str, size: int) -> None:
        self.rows, self.size = rows, size
        self.descends = by.startswith("-")
        self.names = [name for name in (by.removeprefix("-"), then) if name]
        self.fields = [_field(rows, name) for name in self.names]

    def after(self, text: str) -> Page[Stored]:
        """The page that begins after the row with this key; the first one if the key is empty or invalid."""
        key = self._key(text)
        rows = self._piece(key, backwards=False)
        if key and not rows:
            return self.last()
        shown, more = rows[: self.size], len(rows) > self.size
        return Page(shown, self._text(shown[0]) if key else None, self._text(shown[-1]) if more else None)

    def before(self, text: str) -> Page[Stored]:
        """The page that ends before the row with this key; the first one if less than a page is left."""
        key = self._key(text)
        rows = self._piece(key, backwards=True) if key else []
        if len(rows) <= self.size:
            return self.after("")
        shown = rows[: self.size][::-1]
        return Page(shown, self._text(shown[0]), self._text(shown[-1]))

    def last(self) -> Page[Stored]:
        """The last page."""
        rows = self._piece([], backwards=True)
        shown = rows[: self.size][::-1]
        return Page(shown, self._text(shown[0]) if len(rows) > self.size else None, None)

    def _piece(self, key: Sequence[object], *, backwards: bool) -> list[Stored]:
        """The rows of a page and one more, from the key on if one is given."""
        down = self.descends is not backwards
        rows = self.rows.filter(self._beyond(key, "lt" if down else "gt")) if key else self.rows
        return list(rows.order_by(*(f"-{name}" if down else name for name in self.names))[: self.size + 1])

    def _beyond(self, key: Sequence[object], way: str) -> Q:
        first = self.names[0]
        if len(key) == 1:
            return Q((f"{first}__{way}", key[0]))
        beyond = Q((f"{first}__{way}", key[0])) | Q((f"{self.names[1]}__{way}", key[1]))
        return Q((f"{first}__{way}e", key[0])) & beyond  # The first part is a stretch of an index.

    def _key(self, text: str) -> list[object]:
        """The values of the fields in order; empty if the text is no key."""
        parts = text.split(SEPARATOR) if len(self.fields) > 1 else [text]
        if not text or "\0" in text or len(parts) != len(self.fields):
            return []
        try:
            return [field.to_python(part) for field, part in zip(self.fields, parts, strict=True)]
        except ValidationError:
            return []

    def _text(self, row: Stored) -> str:
        return SEPARATOR.join(str(getattr(row, name)) for name in self.names)


def _field(rows: QuerySet[Stored], name: str) -> "Field[Any, Any]":
    field = rows.model._meta.pk if name == "pk" else rows.model._meta.get_field(name)
    assert isinstance(field, Field)  # noqa: S101  # what lists are ordered by
    return field
