"""Figures with a named row for each value: their measures, which pages leave room for."""

ROW = 24
"""Height of a row in pixels."""

AROUND = 57
"""Height of the axis and what is around the rows, in pixels."""


def rows_height(rows: int) -> int:
    """Height of a figure of so many rows in pixels, whatever its width."""
    return AROUND + ROW * rows
