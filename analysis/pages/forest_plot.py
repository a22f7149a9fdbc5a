"""Positions of scores along the common axis of a table with a plot in its rows; pure functions."""

from collections.abc import Iterable, Sequence
from math import ceil, floor, log10
from typing import NamedTuple

from ranking import Standing

WANTED_TICKS = 5
SMALLEST_SPAN = 1e-9
"""Scores that differ by less are drawn at one place."""

MARGIN = 2.0
"""Free space at both ends of the axis, in percent, for the labels of the first and the last tick."""


class Tick(NamedTuple):
    """A tick of the axis.

    Attributes:
        place: from 0 to 100, as SVG writes it.
        label: the value.
    """

    place: str
    label: str


class Mark(NamedTuple):
    """The marks in the row of a system; places are percentages of the width, as SVG writes them.

    Attributes:
        dot: the score.
        low: lower end of the interval; empty if there is none.
        high: its upper end.
    """

    dot: str
    low: str = ""
    high: str = ""


class Axis:
    """A linear axis with round ends that holds all values.

    Attributes:
        ticks: from the left.
    """

    def __init__(self, values: Iterable[float]) -> None:
        self._low, self._high, step = _round_ends(list(values))
        digits = max(0, -floor(log10(step) + 1e-9))
        number = round((self._high - self._low) / step)
        at = [self._low + step * place for place in range(number + 1)]
        self.ticks = [Tick(self.place(value), f"{value + 0.0:.{digits}f}") for value in at]

    def place(self, value: float) -> str:
        """The place of the value, in percent of the width."""
        share = (value - self._low) / (self._high - self._low)
        return f"{MARGIN + (100 - 2 * MARGIN) * share:.2f}"

    def mark(self, standing: Standing) -> Mark | None:
        """The score of a system in its interval; None without a score."""
        if standing.score is None:
            return None
        if standing.score_low is None or standing.score_high is None:
            return Mark(self.place(standing.score))
        low, high = self.place(standing.score_low), self.place(standing.score_high)
        return Mark(self.place(standing.score), low, high)


def axis_of(standings: Iterable[Standing], even: float | None) -> Axis:
    """An axis for the scores and intervals, and for the score that is `even`."""
    values = [
        value
        for standing in standings
        for value in (standing.score, standing.score_low, standing.score_high)
        if value is not None
    ]
    return Axis(values if even is None else [*values, even])


def _round_ends(values: Sequence[float]) -> tuple[float, float, float]:
    """Round numbers around the values, and the step between ticks: 1, 2 or 5 times a power of ten."""
    least, most = min(values, default=0.0), max(values, default=0.0)
    span = next((size for size in (most - least, abs(most)) if size > SMALLEST_SPAN), 1.0)
    power = 10.0 ** floor(log10(span / WANTED_TICKS))
    step = next(size * power for size in (1, 2, 5, 10) if size * power * WANTED_TICKS >= span * (1 - 1e-9))
    low, high = floor(least / step + 1e-9), ceil(most / step - 1e-9)
    return low * step, max(high, low + 1) * step, step
