"""Accuracy of metrics over the pairs that people ordered, by what a tie of the metric counts as."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

import numpy as np

from core.arrays import FloatArray, IntArray
from metrics.base.resampling import sentence_draws
from metrics.meta_evaluation.compared_data import MetricsAndPeople
from metrics.meta_evaluation.estimates import Estimate, estimated
from metrics.meta_evaluation.sentence_level import tables_by_sentence
from metrics.meta_evaluation.significance import PairwiseTests, pairwise_tests

NOTHING_ORDERED = "people ordered no pair that all metrics score"


class TieRule(StrEnum):
    """What a tie of the metric counts as.

    HALF is fair to all. ERRORS punishes metrics that tie. By SEEDA, the rule of its script (Kobayashi et al.
    2024) and of gec-metrics, the alphabetically later system wins, so renaming systems changes the accuracy.
    """

    HALF = "half"
    ERRORS = "errors"
    SEEDA = "seeda"


@dataclass(frozen=True, slots=True, eq=False)
class OrderedPairs:
    """A metric over the pairs that people ordered.

    Attributes:
        metric: its name.
        pairs: how many pairs people ordered.
        ties: in how many of them the metric ties.
        accuracy: share of the pairs that the metric orders so; tau is twice this minus 1.
        drawn: the accuracy in resamples of the sentences, shape (B,), NaN where undefined. The resamples are
            the same for all metrics.
    """

    metric: str
    pairs: int
    ties: int
    accuracy: Estimate
    drawn: FloatArray


def ordered_pairs(
    data: MetricsAndPeople,
    rule: TieRule = TieRule.HALF,
    *,
    replicates: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    step: Callable[[], None] = lambda: None,
) -> tuple[OrderedPairs, ...]:
    """The accuracy of each metric that scores judged outputs, over the pairs that all of them score.

    Args:
        data: metrics and people.
        rule: what a tie of a metric counts as.
        replicates: of the bootstrap over sentences, whose pairs are not independent; 0 for no intervals.
        confidence: of the intervals.
        seed: of the bootstrap.
        step: called between the parts of the work; an exception that it raises ends it.
    """
    sentences, tables = tables_by_sentence(data)
    counts = {name: np.stack([_right(each, rule), _ordered(each)]) for name, each in tables.items()}
    drawn = _drawn(counts, len(sentences), range(replicates), seed, step)
    return tuple(
        _of_metric(name, table, counts[name].sum(axis=1), drawn[name], confidence)
        for name, table in tables.items()
    )


def accuracy_tests(metrics: Sequence[OrderedPairs]) -> PairwiseTests:
    """Whether one metric is more accurate than another, by the bootstrap over sentences.

    The p-value is the share of the resamples in which it is not ahead, ties by half; with B resamples it is
    at least 1 / (B + 1).
    """
    names = [each.metric for each in metrics]
    table = np.full((len(names), len(names)), np.nan)
    reasons = {}
    for (row, one), (column, other) in combinations(enumerate(metrics), 2):
        leads = one.drawn - other.drawn
        leads = leads[np.isfinite(leads)]
        if not len(leads):
            reasons[one.metric, other.metric] = "no resample of the sentences has a value of both"
            continue
        behind = np.count_nonzero(leads < 0) + np.count_nonzero(leads == 0) / 2
        table[row, column] = (behind + 1) / (len(leads) + 1)
        table[column, row] = (len(leads) - behind + 1) / (len(leads) + 1)
    return pairwise_tests(names, np.minimum(table, 1.0), reasons)


def _right(tables: IntArray, rule: TieRule) -> FloatArray:
    """Pairs of each sentence that count as ordered like people do."""
    right: FloatArray = (tables[:, 0, 0] + tables[:, 2, 2]).astype(np.float64)
    if rule is TieRule.HALF:
        return right + (tables[:, 0, 1] + tables[:, 2, 1]) / 2
    return right if rule is TieRule.ERRORS else right + tables[:, 0, 1]


def _ordered(tables: IntArray) -> FloatArray:
    """Pairs of each sentence that people ordered."""
    ordered: FloatArray = tables[:, [0, 2]].sum(axis=(1, 2)).astype(np.float64)
    return ordered


def _drawn(
    counts: Mapping[str, FloatArray],
    sentences: int,
    replicates: range,
    seed: int,
    step: Callable[[], None],
) -> dict[str, FloatArray]:
    """The accuracies in resamples, from pairs of shape (2, m) that are right, and that there are."""
    parts: dict[str, list[FloatArray]] = {name: [np.empty(0)] for name in counts}
    for draws in sentence_draws(sentences, replicates, seed) if sentences else ():
        step()
        weights = np.stack([np.bincount(draw, minlength=sentences) for draw in draws])
        with np.errstate(invalid="ignore", divide="ignore"):
            for name, (right, ordered) in counts.items():
                parts[name].append((weights @ right) / (weights @ ordered))
    return {name: np.concatenate(each) for name, each in parts.items()}


def _of_metric(
    name: str, table: IntArray, total: FloatArray, drawn: FloatArray, confidence: float
) -> OrderedPairs:
    right, ordered = total.tolist()
    value = right / ordered if ordered else None
    return OrderedPairs(
        metric=name,
        pairs=int(ordered),
        ties=int(table[:, [0, 2], 1].sum()),
        accuracy=estimated(value, drawn, confidence, None if ordered else NOTHING_ORDERED),
        drawn=drawn,
    )
