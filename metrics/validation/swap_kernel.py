"""Soft pairwise accuracy of two metrics whose scores are swapped at random; compiled."""

import numpy as np

from metrics.base import FloatArray, IntArray
from ranking.compilation import compiled


@compiled
def soft_accuracies(
    flipped: FloatArray,
    sums: FloatArray,
    slack: float,
    people: FloatArray,
    first: IntArray,
    second: IntArray,
) -> FloatArray:
    """Soft pairwise accuracies of R metrics, shape (R,).

    Args:
        flipped: shape (R, S, k), the sum of each system's scores times the signs of each permutation.
        sums: shape (R, S), the sum of each system's scores.
        slack: by how much a permutation may fall short and count as equal.
        people: shape (P,), the p-values of people; pairs with NaN are left out.
        first: shape (P,), systems.
        second: shape (P,), systems.
    """
    metrics, _, permutations = flipped.shape
    accuracies = np.zeros(metrics)
    compared = 0
    for pair in range(len(people)):
        compared += not np.isnan(people[pair])
    for metric in range(metrics):
        total = 0.0
        for pair in range(len(people)):
            if np.isnan(people[pair]):
                continue
            one, other = flipped[metric, first[pair]], flipped[metric, second[pair]]
            least = sums[metric, first[pair]] - sums[metric, second[pair]] - slack
            reached = 0
            for permutation in range(permutations):
                reached += one[permutation] - other[permutation] >= least
            total += abs(people[pair] - reached / permutations)
        accuracies[metric] = 1.0 - total / compared
    return accuracies
