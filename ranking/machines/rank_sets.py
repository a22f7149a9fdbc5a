"""Ranks that hold for all systems at once, from estimates and their covariance.

Chatzi, Straitouri, Thejaswi and Gomez Rodriguez 2024, *Prediction-Powered Ranking of Large Language Models*.
A system is surely below another one if its estimate is lower by more than some quantile times the standard
error of the difference. It then ranks below all those surely above it, and above all those surely below it.
"""

from math import inf, pi, sqrt

import numpy as np

from core.arrays import FloatArray, IntArray
from core.later import special

POINTS = np.linspace(-8, 8, 321)
"""Of the integral over a standard normal variable."""

ERRORS = 64
"""Points of the integral over the estimated standard error."""

MOST = 100.0
ROOT_WIDTH = 1e-9


def tukey_quantile(systems: int, confidence: float = 0.95, degrees: float = inf) -> float:
    """The quantile of the largest difference of two of K equal systems, in its standard errors.

    It is that of the studentised range (Tukey 1953) divided by the square root of 2. `degrees` of freedom are
    those of the standard errors.
    """
    errors = np.ones(1)
    if degrees < inf:
        errors = np.sqrt(special.chdtri(degrees, (np.arange(ERRORS) + 0.5) / ERRORS) / degrees)
    density = np.exp(-(POINTS**2) / 2) / sqrt(2 * pi) * (POINTS[1] - POINTS[0])

    def held(quantile: float) -> float:
        width = sqrt(2) * quantile * errors[:, np.newaxis]
        within = (special.ndtr(POINTS) - special.ndtr(POINTS - width)) ** (systems - 1)
        return systems * float((within @ density).mean())

    low, high = 0.0, MOST
    while systems > 1 and high - low > ROOT_WIDTH:
        middle = (low + high) / 2
        low, high = (middle, high) if held(middle) < confidence else (low, middle)
    return low


def chi_square_quantile(systems: int, confidence: float = 0.95) -> float:
    """The paper's quantile for K systems, which is larger than it has to be."""
    return sqrt(float(special.chdtri(systems, 1 - confidence)))


def rank_sets(estimates: FloatArray, covariance: FloatArray, quantile: float) -> tuple[IntArray, IntArray]:
    """The best and the worst rank of each of K systems, shape (K,) each; 1 is best.

    `estimates` have the shape (K,), higher is better, and their `covariance` the shape (K, K).
    """
    variances = np.diag(covariance)
    errors = np.sqrt(np.maximum(variances[:, np.newaxis] + variances - 2 * covariance, 0))
    is_below = estimates - estimates[:, np.newaxis] > quantile * errors
    return 1 + np.count_nonzero(is_below, axis=1), len(estimates) - np.count_nonzero(is_below, axis=0)
