"""A figure with its interval."""

from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray

NOTHING_RESAMPLED = "nothing was resampled"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its uncertainty.

    Attributes:
        value: None if it cannot be computed.
        low: lower end of the interval; None if there is none.
        high: upper end.
        reason: why the value or its interval is missing; None if nothing is missing.
    """

    value: float | None
    low: float | None
    high: float | None
    reason: str | None


def estimated(
    value: float | None, drawn: FloatArray, confidence: float, fault: str | None = None
) -> Estimate:
    """A figure with the percentile interval of the replicates in which it is defined.

    There is no interval if these are fewer than half, because they would be a biased selection.

    Args:
        value: the figure; None if `fault` says why.
        drawn: shape (B,), NaN if undefined.
        confidence: confidence level of the interval.
        fault: why there is no value.
    """
    if value is None:
        return Estimate(None, None, None, fault)
    if not len(drawn):
        return Estimate(value, None, None, NOTHING_RESAMPLED)
    defined = drawn[np.isfinite(drawn)]
    if 2 * len(defined) < len(drawn) or not len(defined):
        reason = f"it is defined in {len(defined):,} of {len(drawn):,} resamples of the sentences"
        return Estimate(value, None, None, reason)
    low, high = np.quantile(defined, [(1 - confidence) / 2, (1 + confidence) / 2]).tolist()
    return Estimate(value, low, high, None)
