"""Differences of two values that the same resamples give: intervals and tests by one method."""

import numpy as np

from core.arrays import FloatArray
from metrics.meta_evaluation.estimates import Estimate
from metrics.meta_evaluation.intervals import FEWEST_REPLICATES
from metrics.meta_evaluation.significance import SMALLEST_DIFFERENCE, WIDENED

NOT_ENOUGH_DRAWN = "too few resamples of the sentences have both correlations"


def paired_difference(value: float, base: float, drawn: FloatArray, confidence: float) -> Estimate:
    """The difference of two values, with the interval that its resamples give it.

    `drawn` has the differences in resamples, shape (B,), NaN where one is not defined. The interval is of a
    normal distribution around the observed difference, so a 95 % interval leaves out 0 just where
    `p_of_difference` is below .05. There is none if most differences are not defined, or too few.
    """
    from scipy.stats import norm

    spread = _spread(drawn)
    if spread is None:
        return Estimate(value - base, None, None, NOT_ENOUGH_DRAWN)
    reach = float(norm.ppf((1 + confidence) / 2)) * spread
    return Estimate(value - base, value - base - reach, value - base + reach, None)


def p_of_difference(difference: float, drawn: FloatArray) -> float | None:
    """The two-sided p-value of a difference, as of `metrics.meta_evaluation.significance.bootstrap_tests`.

    `drawn` as of `paired_difference`; None where that has no interval.
    """
    from scipy.stats import norm

    spread = _spread(drawn)
    return None if spread is None else float(2 * norm.sf(abs(difference) / max(spread, SMALLEST_DIFFERENCE)))


def _spread(drawn: FloatArray) -> float | None:
    """The standard deviation of the differences, widened; None if most are not defined, or too few."""
    defined = drawn[np.isfinite(drawn)]
    if len(defined) < FEWEST_REPLICATES or 2 * len(defined) < len(drawn):
        return None
    return WIDENED * float(defined.std(ddof=1))
