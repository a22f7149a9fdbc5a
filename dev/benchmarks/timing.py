"""Timing of the benchmarks."""

from collections.abc import Callable
from timeit import Timer


def seconds(function: Callable[[], object], runs: int = 3) -> float:
    """Seconds of one call: the best of `runs` runs, each with as many calls as fit in 0.2 s."""
    timer = Timer(function)
    calls, first = timer.autorange()
    return min([first, *timer.repeat(runs - 1, calls)]) / calls
