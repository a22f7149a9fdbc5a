"""Which values lead: the highest, and those whose intervals reach its own."""

from collections.abc import Mapping
from typing import Protocol

from figures.metrics.uncertain_numbers import Bounded


class Estimate(Bounded, Protocol):
    """A value with its interval; None where there is none."""

    @property
    def value(self) -> float | None: ...


def leading(estimates: Mapping[str, Estimate]) -> dict[str, float]:
    """The highest value, and those that its interval does not lie above, by name, the highest first.

    Its interval lies above no value without an interval. If it has none itself, only values that are equal
    to it, or whose intervals reach it, are with it. Empty if there is no value.
    """
    values = {name: each.value for name, each in estimates.items() if each.value is not None}
    if not values:
        return {}
    ordered = sorted(values, key=lambda name: -values[name])
    highest, low = values[ordered[0]], estimates[ordered[0]].low

    def is_near(name: str) -> bool:
        high = estimates[name].high
        if high is None:
            return low is not None or values[name] == highest
        return high >= (highest if low is None else low)

    return {name: values[name] for name in ordered if is_near(name)}


def clearly_leading(estimates: Mapping[str, Estimate]) -> list[str]:
    """The names of the highest value, if their intervals lie above those of all others; else none."""
    leaders = leading(estimates)
    is_clear = len(set(leaders.values())) == 1 and all(estimates[name].low is not None for name in leaders)
    return [*leaders] if is_clear else []
