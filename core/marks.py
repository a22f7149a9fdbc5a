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

NEAR = 0.06
"""Share of a scale that may be empty so that it ends at a line: a dot just beyond it would look cut off."""

TINY = 1e-6


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear scale.

    Attributes:
        low: the value at its left end.
        high: the value at its right end; larger than `low`.
        lines: round values between, for grid lines, in order.
        is_percent: whether these are labelled as percentages.
        even: the value that all rows are compared with, for a dashed line; None for none.
    """

    low: float
    high: float
    lines: tuple[float, ...]
    is_percent: bool = False
    even: float | None = None

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
        beside: value, lower and upper end of one more dot, which is hollow; None if there is none.
        is_bar: whether a bar from 0 is drawn instead of a dot.
    """

    scale: Scale
    value: float
    low: float | None
    high: float | None
    is_hollow: bool
    beside: tuple[float, float | None, float | None] | None = None
    is_bar: bool = False


def shade_of(value: float, lowest: float, highest: float) -> int:
    """The shade of a cell: 0 for the lowest value, 5 for the highest; 0 if these are equal."""
    return round(SHADES * (value - lowest) / (highest - lowest)) if highest > lowest else 0


def scale_of(
    values: Iterable[float], *, is_percent: bool = False, even: float | None = None, has_bars: bool = False
) -> Scale | None:
    """The scale from the lowest to the highest value, or to lines near these; None if none is finite.

    It reaches to the value that is `even`, too, and to 0 if it has bars.
    """
    finite = [value for value in values if isfinite(value)]
    if not finite:
        return None
    if even is not None:
        finite.append(even)
    if has_bars:
        finite.append(0.0)
    low, high = min(finite), max(finite)
    if low == high:
        low, high = (0.0, 1.0) if has_bars else (low - 0.5, high + 0.5)
    step = _step(low, high)
    room = NEAR * (high - low)
    first, last = floor(low / step) * step, ceil(high / step) * step
    low, high = first if low - first <= room else low, last if last - high <= room else high
    return Scale(low, high, _lines(low, high, step), is_percent, even)


def _step(low: float, high: float) -> float:
    """The largest step of 1, 2 or 5 times a power of ten with at least three round values between these."""
    power = 10.0 ** floor(log10((high - low) / FEWEST_LINES))
    steps = (power * factor for factor in reversed(STEPS))
    return next(step for step in steps if floor(high / step) - ceil(low / step) + 1 >= FEWEST_LINES)


def _lines(low: float, high: float, step: float) -> tuple[float, ...]:
    """The multiples of the step between these, however they are rounded."""
    first, last = ceil(low / step - TINY), floor(high / step + TINY)
    return tuple(round(number * step, 10) for number in range(first, last + 1))
