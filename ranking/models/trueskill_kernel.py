"""TrueSkill for two players, compiled: the update in closed form, and whole runs of it.

Compiled by Numba at the first call; the machine code is kept for later processes. A run draws from its own
splitmix64 stream (Steele et al. 2014), so it is the same whichever thread it runs in. The kernels release
Python's lock and start no threads themselves.
"""

from math import erfc, exp, sqrt

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray
from ranking.compilation import compiled

SQRT_HALF = sqrt(0.5)
DENSITY_AT_0 = 1 / sqrt(2 * np.pi)
FARTHEST = -35.0
"""Beyond, a tail of the normal distribution is too small to divide by, and the limits are exact enough."""


@compiled
def density(x: float) -> float:
    """Density of the standard normal distribution."""
    return DENSITY_AT_0 * exp(-0.5 * x * x)


@compiled
def below(x: float) -> float:
    """The share of the standard normal distribution below x."""
    return 0.5 * erfc(-x * SQRT_HALF)


@compiled
def update(
    mu: FloatArray, variance: FloatArray, better: int, worse: int, draw: bool, beta: float, margin: float
) -> None:
    """Update two systems, in place, after one comparison (Herbrich et al. 2006, section 3 and table 1).

    v and w are the first two moments' corrections of a normal distribution cut off at the draw margin.
    `better` and `worse` are the systems' numbers in `mu` and `variance`; in a draw either may be either.
    """
    squared = 2 * beta * beta + variance[better] + variance[worse]
    scale = sqrt(squared)
    gap = (mu[better] - mu[worse]) / scale
    cut = margin / scale
    if draw:
        upper, lower = cut - abs(gap), -cut - abs(gap)
        if upper < FARTHEST:
            v, w = upper, 1.0
        else:
            inside = below(upper) - below(lower)
            at_upper, at_lower = density(upper), density(lower)
            v = (at_lower - at_upper) / inside
            w = v * v + (upper * at_upper - lower * at_lower) / inside
        if gap < 0:
            v = -v
    else:
        x = gap - cut
        if x < FARTHEST:
            v, w = -x, 1.0
        else:
            v = density(x) / below(x)
            w = v * (v + x)
    mu[better] += variance[better] / scale * v
    mu[worse] -= variance[worse] / scale * v
    variance[better] *= 1 - variance[better] / squared * w
    variance[worse] *= 1 - variance[worse] / squared * w


@compiled
def uniform(state: NDArray[np.uint64]) -> float:
    """The next number of a stream, from 0 up to and without 1; moves the state, shape (1,), on."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return float(z >> np.uint64(11)) * 2.0**-53


@compiled
def last_largest(values: FloatArray) -> int:
    """The number of the largest value; of several, the last."""
    largest = 0
    for number in range(1, len(values)):
        if values[number] >= values[largest]:
            largest = number
    return largest


@compiled
def choose_and_play(
    seeds: NDArray[np.uint64],
    steps: int,
    won: FloatArray,
    decided: FloatArray,
    sigma: float,
    beta: float,
    margin: float,
    means: FloatArray,
) -> None:
    """A run for each seed: `steps` comparisons, each of the system least known with one of like skill.

    Shape (S, S) each: won[i, j] is the share of all comparisons of two systems that i won, decided[i, j] the
    share that was no tie; NaN if they never met. Fills `means`, shape (runs, S); each system has met one.
    """
    size = means.shape[1]
    state = np.empty(1, dtype=np.uint64)
    variance, rising, falling, weights = np.empty(size), np.empty(size), np.empty(size), np.empty(size)
    for run in range(len(seeds)):
        state[0] = seeds[run]
        mu = means[run]
        for system in range(size):
            mu[system], variance[system], rising[system], falling[system] = 0.0, sigma * sigma, 1.0, 1.0
        for _ in range(steps):
            first = last_largest(variance)
            total = 0.0
            for system in range(size):
                if decided[first, system] >= 0:
                    total += min(rising[first] * falling[system], falling[first] * rising[system])
                weights[system] = total
            threshold = uniform(state) * total
            second = 0
            while weights[second] <= threshold:
                second += 1
            outcome = uniform(state)
            if outcome < won[first, second]:
                update(mu, variance, first, second, False, beta, margin)
            elif outcome < decided[first, second]:
                update(mu, variance, second, first, False, beta, margin)
            else:
                update(mu, variance, first, second, True, beta, margin)
            rising[first], rising[second] = exp(mu[first]), exp(mu[second])
            falling[first], falling[second] = 1 / rising[first], 1 / rising[second]


@compiled
def expect(
    steps: int,
    length: float,
    won: FloatArray,
    decided: FloatArray,
    sigma: float,
    beta: float,
    margin: float,
    mu: FloatArray,
) -> None:
    """The expectation of `choose_and_play`, with the same shares, in this number of steps.

    Each step adds `length` times the expected changes: over opponents, by how likely each is, and over the
    outcomes with it. Fills `mu`, shape (S,).
    """
    size = len(mu)
    variance, weights = np.full(size, sigma * sigma), np.empty(size)
    means, variances = np.empty(2), np.empty(2)
    mu[:] = 0.0
    for _ in range(steps):
        first = last_largest(variance)
        total = 0.0
        for system in range(size):
            weights[system] = 0.0
            if decided[first, system] >= 0:
                weights[system] = exp(-abs(mu[first] - mu[system]))
                total += weights[system]
        mu_first, variance_first = mu[first], variance[first]
        for system in range(size):
            if weights[system] == 0:
                continue
            lost = decided[first, system] - won[first, system]
            mu_system, variance_system = mu[system], variance[system]
            for outcome in range(3):
                share = (won[first, system], lost, 1 - decided[first, system])[outcome]
                if share <= 0:
                    continue
                means[0], means[1] = mu_first, mu_system
                variances[0], variances[1] = variance_first, variance_system
                better = 1 if outcome == 1 else 0
                update(means, variances, better, 1 - better, outcome == 2, beta, margin)
                weight = length * share * weights[system] / total
                mu[first] += weight * (means[0] - mu_first)
                mu[system] += weight * (means[1] - mu_system)
                variance[first] += weight * (variances[0] - variance_first)
                variance[system] += weight * (variances[1] - variance_system)
