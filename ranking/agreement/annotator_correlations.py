"""Similarity of the annotators' rankings: correlations of their scores (GJG15, section 6.3 and Table 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray, IntArray
from core.later import pd
from ranking.agreement.correlation import Coefficient, Correlation, correlation
from ranking.judgments.pairs import BY_RANKS, expanded_pairs
from ranking.judgments.snapshot import Basis
from ranking.models.expected_wins import mean_shares_won


@dataclass(frozen=True, slots=True)
class BothCorrelations:
    """Two sets of scores of the same systems.

    Attributes:
        spearman: Spearman's rho of the systems that have both scores.
        pearson: Pearson's r of these scores.
    """

    spearman: Correlation
    pearson: Correlation


@dataclass(frozen=True, slots=True)
class MeanCorrelation:
    """A mean of the annotators' correlations with the rest, weighted by their expanded pairs.

    Attributes:
        value: the mean; None where no correlation is defined.
        annotators: the number of annotators whose correlation is defined.
        reason: why there is no value, in words; None if there is one.
    """

    value: float | None
    annotators: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class AnnotatorCorrelations:
    """The correlations of the annotators' rankings.

    Attributes:
        annotators: the J annotators, in alphabetical order.
        systems: the S systems, in alphabetical order.
        scores: scores of the systems, shape (S,), by annotator; NaN where a system has none.
        between: correlations of two annotators, by their names in alphabetical order.
        rest: correlations with the scores from the judgments of all others, by annotator.
        mean_spearman: mean of Spearman's rho with the rest.
        mean_pearson: mean of Pearson's r with the rest.
    """

    annotators: tuple[str, ...]
    systems: tuple[str, ...]
    scores: Mapping[str, FloatArray]
    between: Mapping[tuple[str, str], BothCorrelations]
    rest: Mapping[str, BothCorrelations]
    mean_spearman: MeanCorrelation
    mean_pearson: MeanCorrelation


def annotator_correlations(
    snapshot: pd.DataFrame,
    score: Callable[[IntArray], FloatArray] = mean_shares_won,
    by: Basis = BY_RANKS,
) -> AnnotatorCorrelations:
    """Correlate the annotators' scores of the systems with each other and with those of the rest.

    `score` takes wins, shape (..., S, S), to scores, shape (..., S), NaN where a system has none.

    Raises `SnapshotError` as `ranking.judgments.snapshot.compared_outputs` does.
    """
    pairs = expanded_pairs(snapshot, by)
    annotators, systems = (tuple(pairs[column].cat.categories) for column in ("annotator", "first"))
    wins = _wins(pairs, len(annotators), len(systems))
    weights = np.bincount(pairs["annotator"].cat.codes, minlength=len(annotators))
    scores = dict(zip(annotators, score(wins), strict=True))
    others = dict(zip(annotators, score(wins.sum(axis=0) - wins), strict=True))
    rest = {annotator: _both(scores[annotator], others[annotator]) for annotator in annotators}
    return AnnotatorCorrelations(
        annotators=annotators,
        systems=systems,
        scores=scores,
        between={
            (first, second): _both(scores[first], scores[second])
            for place, first in enumerate(annotators)
            for second in annotators[place + 1 :]
        },
        rest=rest,
        mean_spearman=_mean((both.spearman for both in rest.values()), weights),
        mean_pearson=_mean((both.pearson for both in rest.values()), weights),
    )


def _wins(pairs: pd.DataFrame, n_annotators: int, n_systems: int) -> IntArray:
    """Shape (J, S, S): how often each annotator preferred the row's system to the column's."""
    decided = pairs[pairs["outcome"] != 0]
    first, second = (decided[side].cat.codes.to_numpy(dtype=np.int64) for side in ("first", "second"))
    won = decided["outcome"].to_numpy() > 0
    winner, loser = np.where(won, first, second), np.where(won, second, first)
    annotator = decided["annotator"].cat.codes.to_numpy(dtype=np.int64)
    cells = (annotator * n_systems + winner) * n_systems + loser
    return np.bincount(cells, minlength=n_annotators * n_systems**2).reshape(
        n_annotators, n_systems, n_systems
    )


def _both(first: FloatArray, second: FloatArray) -> BothCorrelations:
    scored = ~np.isnan(first) & ~np.isnan(second)
    return BothCorrelations(
        spearman=correlation(first[scored], second[scored], Coefficient.SPEARMAN),
        pearson=correlation(first[scored], second[scored], Coefficient.PEARSON),
    )


def _mean(correlations: Iterable[Correlation], weights: IntArray) -> MeanCorrelation:
    defined = [
        (result.value, weight)
        for result, weight in zip(correlations, weights.tolist(), strict=True)
        if result.value is not None
    ]
    if not defined:
        return MeanCorrelation(None, 0, "no annotator has a correlation with the rest")
    total = sum(weight for _, weight in defined)
    return MeanCorrelation(sum(value * weight for value, weight in defined) / total, len(defined), None)
