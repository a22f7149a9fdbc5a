"""Which metrics lead: the best, and those that it does not clearly beat."""

from collections.abc import Mapping, Sequence
from typing import Protocol


class Bounded(Protocol):
    """A value with the lower end of its interval; None where there is none."""

    @property
    def value(self) -> float | None: ...

    @property
    def low(self) -> float | None: ...


def leading(estimates: Mapping[str, Bounded]) -> dict[str, float]:
    """The values that the interval of the highest one does not exclude, by name, the highest first.

    Without an interval, only those that are equal to the highest. Empty if there is no value.
    """
    values = {name: each.value for name, each in estimates.items() if each.value is not None}
    if not values:
        return {}
    best = max(values, key=lambda name: values[name])
    low = estimates[best].low
    reached = values[best] if low is None else min(low, values[best])
    ordered = sorted(values.items(), key=lambda item: -item[1])
    return {name: value for name, value in ordered if value >= reached}


def span(values: Sequence[float]) -> str:
    """The lowest and the highest value with two digits, or one where both are written alike."""
    ends = f"{min(values):.2f}", f"{max(values):.2f}"
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"
