"""Numbers in heat maps that may as well be 0."""

from typing import Protocol

FAINT = 0.55
"""Opacity of a number whose interval includes 0, or that has none."""


class Bounded(Protocol):
    """A number with its interval; None where there is none."""

    @property
    def low(self) -> float | None: ...

    @property
    def high(self) -> float | None: ...


def is_certain(number: Bounded) -> bool:
    """Whether it has an interval, and 0 lies outside."""
    return number.low is not None and number.high is not None and number.low * number.high > 0


def opacity(number: Bounded) -> float:
    """How strongly the number is written."""
    return 1.0 if is_certain(number) else FAINT
