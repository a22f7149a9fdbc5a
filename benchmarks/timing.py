"""How the benchmarks take time."""

from collections.abc import Callable
from timeit import Timer


def seconds(function: Callable[[], object], runs: int = 3) -> float:
    """The seconds of one call: the best of `runs` runs, each of as many calls as fill 0.2 s."""
    timer = Timer(function)
    calls, first = timer.autorange()
    return min([first, *timer.repeat(runs - 1, calls)]) / calls
