"""Soft pairwise accuracy of two metrics whose scores are swapped at random; compiled."""

import numpy as np

from core.arrays import FloatArray, IntArray
from ranking.compilation import compiled


@compiled
def leads_of_swaps(
    flipped: FloatArray,
    sums: FloatArray,
    exchanged: FloatArray,
    exchanged_sums: FloatArray,
    slack: float,
    people: FloatArray,
    first: IntArray,
    second: IntArray,
) -> FloatArray:
    """The lead of the first of two metrics in soft pairwise accuracy after each of R swaps, shape (R,).

    Args:
        flipped: shape (2, S, k), the sum of each system's scores times the signs of each permutation.
        sums: shape (2, S), the sum of each system's scores.
        exchanged: shape (R, S, k), what the first metric gains by the swap, and the second loses, of
            `flipped`.
        exchanged_sums: shape (R, S), the same of `sums`.
        slack: by how much a permutation may fall short and count as equal.
        people: shape (P,), the p-values of people, none of them NaN.
        first: shape (P,), systems.
        second: shape (P,), systems.
    """
    swaps, systems, permutations = exchanged.shape
    leads = np.empty(swaps)
    one, other = np.empty((systems, permutations)), np.empty((systems, permutations))
    sum_one, sum_other = np.empty(systems), np.empty(systems)
    for swap in range(swaps):
        for system in range(systems):
            sum_one[system] = sums[0, system] + exchanged_sums[swap, system]
            sum_other[system] = sums[1, system] - exchanged_sums[swap, system]
            for permutation in range(permutations):
                one[system, permutation] = (
                    flipped[0, system, permutation] + exchanged[swap, system, permutation]
                )
                other[system, permutation] = (
                    flipped[1, system, permutation] - exchanged[swap, system, permutation]
                )
        lead = 0.0
        for pair in range(len(people)):
            upper, lower = first[pair], second[pair]
            lead += abs(people[pair] - _share(other, sum_other, upper, lower, slack))
            lead -= abs(people[pair] - _share(one, sum_one, upper, lower, slack))
        leads[swap] = lead / len(people)
    return leads


@compiled
def _share(flipped: FloatArray, sums: FloatArray, first: int, second: int, slack: float) -> float:
    """The p-value that one system is no better than another one."""
    one, other = flipped[first], flipped[second]
    least = sums[first] - sums[second] - slack
    reached = 0
    for permutation in range(len(one)):
        reached += one[permutation] - other[permutation] >= least
    return reached / len(one)
