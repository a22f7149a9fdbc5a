"""Metrics over several sets of judgments: the rank of each in each set, and the mean of its ranks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.later import stats

TOO_FEW_METRICS = "fewer than two metrics have a value in every set"
NOT_EVERYWHERE = "it has no value in some set"

DIGITS = 12
"""Values that are equal to so many decimals share a rank: they differ by rounding only."""


@dataclass(frozen=True, slots=True)
class MeanRank:
    """The ranks of a metric over sets of judgments.

    Attributes:
        ranks: rank in each set among the metrics that have a value in every set, 1 being the highest value;
            equal values share the mean of their ranks. None where `mean` is.
        mean: mean of the ranks; None if there are none.
        reason: why there are no ranks, in words; None if there are.
    """

    ranks: tuple[float, ...] | None
    mean: float | None
    reason: str | None


def mean_ranks(values: Mapping[str, Sequence[float | None]]) -> dict[str, MeanRank]:
    """The mean rank of each metric over sets of judgments, by its values of one figure in each set.

    Only metrics with a value in every set are ranked, among each other. Otherwise a metric would gain by
    missing from a set with strong competitors.

    Raises `ValueError` if metrics have different numbers of values.
    """
    if len({len(row) for row in values.values()}) > 1:
        raise ValueError("metrics have different numbers of values")
    complete = {
        name: [value for value in row if value is not None]
        for name, row in values.items()
        if row and None not in row
    }
    if len(complete) < 2:
        return {name: MeanRank(None, None, TOO_FEW_METRICS) for name in values}
    columns = [
        stats.rankdata([-round(value, DIGITS) for value in column])
        for column in zip(*complete.values(), strict=True)
    ]
    of_metric = dict(zip(complete, zip(*columns, strict=True), strict=True))
    return {
        name: MeanRank(tuple(map(float, of_metric[name])), float(sum(of_metric[name]) / len(columns)), None)
        if name in of_metric
        else MeanRank(None, None, NOT_EVERYWHERE)
        for name in values
    }
