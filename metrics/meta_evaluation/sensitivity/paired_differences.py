"""Differences of two values that the same resamples give."""

import numpy as np

from core.arrays import FloatArray
from metrics.meta_evaluation.estimates import Estimate
from metrics.meta_evaluation.intervals import FEWEST_REPLICATES
from metrics.meta_evaluation.significance import SMALLEST_DIFFERENCE, WIDENED

NOT_ENOUGH_DRAWN = "too few resamples of the sentences have both correlations"


def paired_difference(value: float, base: float, drawn: FloatArray, confidence: float) -> Estimate:
    """The difference of two values, with the interval that its resamples give it.

    `drawn` has the differences in resamples, shape (B,), NaN where one is not defined. They are moved so that
    their mean is the observed difference. There is no interval if most are not defined, or too few.
    """
    defined = drawn[np.isfinite(drawn)]
    if len(defined) < FEWEST_REPLICATES or 2 * len(defined) < len(drawn):
        return Estimate(value - base, None, None, NOT_ENOUGH_DRAWN)
    tails = np.quantile(defined - defined.mean(), [(1 - confidence) / 2, (1 + confidence) / 2])
    low, high = (value - base + tails).tolist()
    return Estimate(value - base, low, high, None)


def p_of_difference(difference: float, drawn: FloatArray) -> float | None:
    """The two-sided p-value of a difference, as of `metrics.meta_evaluation.significance.bootstrap_tests`.

    `drawn` as of `paired_difference`; None where that has no interval.
    """
    from scipy.stats import norm

    defined = drawn[np.isfinite(drawn)]
    if len(defined) < FEWEST_REPLICATES or 2 * len(defined) < len(drawn):
        return None
    return float(2 * norm.sf(abs(difference) / max(WIDENED * defined.std(ddof=1), SMALLEST_DIFFERENCE)))
