"""The sum of a number over the pairs of each judgment, compiled: a search adds up all pairs many times."""

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray
from ranking.compilation import compiled


@compiled
def sums_over_groups(
    codes: NDArray[np.integer], starts: NDArray[np.integer], values: FloatArray
) -> FloatArray:
    """The sum of the values of the pairs of each group, shape (G,).

    Codes ascend within a group. Those that occur more than once are multiplied, not added up.
    """
    sums = np.empty(len(starts) - 1)
    for group in range(len(sums)):
        total = 0.0
        place = starts[group]
        while place < starts[group + 1]:
            code, times = codes[place], 0
            while place < starts[group + 1] and codes[place] == code:
                times += 1
                place += 1
            total += times * values[code]
        sums[group] = total
    return sums
