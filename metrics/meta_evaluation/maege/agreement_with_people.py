"""MAEGE's verdict on metrics compared with people's (Choshen and Abend 2018, Figure 4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import atanh, sqrt, tanh

import numpy as np

from core.later import stats

LEAST_METRICS = 3
CONFIDENCE = 0.95
TOO_FEW = "MAEGE and people judge fewer than three metrics in common"
ALL_EQUAL = "one of the two gives all metrics the same figure"


@dataclass(frozen=True, slots=True)
class VerdictsCompared:
    """How far MAEGE and people agree about metrics.

    Attributes:
        metrics: those that both judge, each with the figures of MAEGE and of people.
        spearman: rank correlation; None if it is not defined.
        low: lower end of its 95% interval, if these metrics are a sample (Bonett and Wright 2000); None for
            three metrics, of which there is none.
        high: upper end.
        pearson: linear correlation.
        reason: why there are no correlations, in words.
    """

    metrics: Mapping[str, tuple[float, float]]
    spearman: float | None
    low: float | None
    high: float | None
    pearson: float | None
    reason: str | None

    @property
    def says(self) -> int:
        """1 if metrics that are better by MAEGE surely are by people, -1 if they are worse; else 0."""
        if self.low is None or self.high is None:
            return 0
        return int(self.low > 0) - int(self.high < 0)


def compared_with_people(
    maege: Mapping[str, float | None], people: Mapping[str, float | None]
) -> VerdictsCompared:
    """Correlations over the metrics that both judge.

    Args:
        maege: by metric, how far it agrees with the order of lattices.
        people: by metric, how far it agrees with people.
    """

    both = {
        name: (ours, theirs)
        for name, ours in maege.items()
        if ours is not None and (theirs := people.get(name)) is not None
    }
    if len(both) < LEAST_METRICS:
        return VerdictsCompared(both, None, None, None, None, TOO_FEW)
    values = np.array(list(both.values()))
    if np.ptp(values, axis=0).min() <= 0:
        return VerdictsCompared(both, None, None, None, None, ALL_EQUAL)
    ranks = np.stack([stats.rankdata(column) for column in values.T])
    rho = float(np.corrcoef(ranks)[0, 1])
    low, high = _interval(rho, len(both))
    return VerdictsCompared(both, rho, low, high, float(np.corrcoef(values.T)[0, 1]), None)


def _interval(rho: float, number: int) -> tuple[float, float] | tuple[None, None]:
    """The interval of a rank correlation by Fisher's transformation; none for three values or |rho| of 1."""
    if number <= LEAST_METRICS or abs(rho) >= 1:
        return None, None
    half = stats.norm.ppf((1 + CONFIDENCE) / 2) * sqrt((1 + rho**2 / 2) / (number - 3))
    return tanh(atanh(rho) - half), tanh(atanh(rho) + half)
