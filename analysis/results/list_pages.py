"""Pages of a list within a result, addressed by the number of their first row."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

Row = TypeVar("Row")

CHOICES = ("from",)


def rows_of_page(
    rows: Sequence[Row], choices: Mapping[str, str], *, size: int
) -> tuple[Sequence[Row], dict[str, object]]:
    """The rows from the number that the address gives, and the numbers that `analysis/_more.html` shows."""
    stated = choices.get("from", "")
    last = max(0, len(rows) - 1)
    start = min(int(stated), last) if stated.isdecimal() and len(stated) < 10 else 0
    shown = rows[start : start + size]
    return shown, {
        "first": start + 1,
        "last": start + len(shown),
        "before": max(0, start - size) if start else None,
        "after": start + size if start + size < len(rows) else None,
    }
