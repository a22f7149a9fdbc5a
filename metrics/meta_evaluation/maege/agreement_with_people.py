"""MAEGE's verdict on metrics compared with people's (Choshen and Abend 2018, Figure 4)."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.later import stats

LEAST_METRICS = 3
TOO_FEW = "MAEGE and people judge fewer than three metrics in common"
ALL_EQUAL = "one of the two gives all metrics the same figure"


@dataclass(frozen=True, slots=True)
class VerdictsCompared:
    """How far MAEGE and people agree about metrics.

    Attributes:
        metrics: those that both judge, each with the figures of MAEGE and of people.
        spearman: rank correlation; None if it is not defined.
        pearson: linear correlation.
        reason: why there are no correlations, in words.
    """

    metrics: Mapping[str, tuple[float, float]]
    spearman: float | None
    pearson: float | None
    reason: str | None


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
        return VerdictsCompared(both, None, None, TOO_FEW)
    values = np.array(list(both.values()))
    if np.ptp(values, axis=0).min() <= 0:
        return VerdictsCompared(both, None, None, ALL_EQUAL)
    ranks = np.stack([stats.rankdata(column) for column in values.T])
    return VerdictsCompared(both, float(np.corrcoef(ranks)[0, 1]), float(np.corrcoef(values.T)[0, 1]), None)
