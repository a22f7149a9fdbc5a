"""Dots and intervals within the rows of a table: where each stands on a scale that all rows share."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10
from typing import NamedTuple

EDGE = 0.04
"""Share of the width that stays free at each end, for half a dot."""

SHADES = 5

STEPS = (1, 2, 5, 10)
FEWEST_LINES = 3


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear scale.

    Attributes:
        low: the value at its left end.
        high: the value at its right end; larger than `low`.
        lines: round values between, for grid lines, in order.
    """

    low: float
    high: float
    lines: tuple[float, ...]

    def place(self, value: float) -> float:
        """The place of the value, in percent of the width."""
        share = (value - self.low) / (self.high - self.low)
        return round(100 * (EDGE + (1 - 2 * EDGE) * share), 2)


class Mark(NamedTuple):
    """A dot and its interval in a row.

    Attributes:
        scale: of all rows.
        value: of the dot.
        low: lower end of the interval; None if there is none.
        high: its upper end.
        is_hollow: whether the dot is hollow, such as for what does not compete.
    """

    scale: Scale
    value: float
    low: float | None
    high: float | None
    is_hollow: bool


def shade_of(value: float, lowest: float, highest: float) -> int:
    """The shade of a cell: 0 for the lowest value, 5 for the highest; 0 if these are equal."""
    return round(SHADES * (value - lowest) / (highest - lowest)) if highest > lowest else 0


def scale_of(values: Iterable[float]) -> Scale | None:
    """The scale from the lowest to the highest value; None if there is no finite one."""
    finite = [value for value in values if isfinite(value)]
    if not finite:
        return None
    low, high = min(finite), max(finite)
    if low == high:
        low, high = low - 0.5, high + 0.5
    return Scale(low, high, _lines(low, high))


def _lines(low: float, high: float) -> tuple[float, ...]:
    """The fewest round values, at least three, at steps of 1, 2 or 5 times a power of ten."""
    power = 10.0 ** floor(log10((high - low) / FEWEST_LINES))
    for step in (power * factor for factor in reversed(STEPS)):
        first, last = ceil(low / step), floor(high / step)
        if last - first + 1 >= FEWEST_LINES:
            return tuple(round(number * step, 10) for number in range(first, last + 1))
    return ()
