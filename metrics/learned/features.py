"""Features of corpora for learned metrics, from the statistics of other metrics (GMEG, section 5.2).

No text is read: any corpus made of scored outputs, such as a synthetic system, has its features at once.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.arrays import FloatArray, IntArray
from metrics.base.evaluation_sets import InputError
from metrics.base.metric import AnyMetric, Rows, pick_counts
from metrics.chrf import Chrf
from metrics.errant import Errant
from metrics.imeasure import IMeasure, base_accuracy, detection, improvement, weighted_accuracy
from metrics.m2 import M2
from metrics.meta_evaluation.output_statistics import NOT_SCORED, Statistics

Features = dict[str, FloatArray]
"""Values of B corpora by name, each of shape (B,)."""


def corpus_features(metric: AnyMetric, rows: Rows, picks: IntArray) -> Features:
    """The features that a metric gives of B corpora.

    ERRANT gives precision and recall of each of its 24 categories, chrF++ and M2 precision and recall, and
    the I-measure all its statistics but F: counts as shares of the aligned columns, precision, recall,
    accuracy, weighted accuracy and I, each of correction and of detection. Any other metric gives its score.

    Args:
        metric: with its parameters.
        rows: statistics of D distinct outputs.
        picks: shape (B, n), the outputs of each corpus as numbers into `rows`.
    """
    for kind, read in _READERS.items():
        if isinstance(metric, kind):
            return {f"{metric.name} {name}": value for name, value in read(metric, rows, picks).items()}
    return {metric.name: metric.corpus_scores(rows, picks)}


@dataclass(frozen=True, slots=True)
class FeatureTable:
    """Features of H corpora.

    Attributes:
        names: of the F features, in order.
        values: shape (H, F); NaN for a corpus that takes a sentence from a system that is not scored.
    """

    names: tuple[str, ...]
    values: FloatArray


def feature_table(statistics: Sequence[Statistics], origins: IntArray, sentences: IntArray) -> FeatureTable:
    """The features of corpora that take each sentence from one of S systems.

    Args:
        statistics: those of each metric, of the same systems and sentences.
        origins: shape (H, n), the system that each corpus takes the output of a sentence from.
        sentences: shape (m,), the sentences that count, in order.

    Raises:
        InputError: two metrics give features of the same name.
    """
    columns: Features = {}
    taken = origins[:, sentences]
    for each in statistics:
        picks = each.picks[taken, sentences]
        scored = (picks != NOT_SCORED).all(axis=1)
        features = corpus_features(each.metric, each.rows, np.where(scored[:, None], picks, 0))
        if twice := columns.keys() & features.keys():
            raise InputError(
                f"two metrics give the feature {min(twice)!r}: take {each.metric.name} once, not with two "
                "sets of parameters"
            )
        columns |= {name: np.where(scored, value, np.nan) for name, value in features.items()}
    return FeatureTable(tuple(columns), np.stack(list(columns.values()), axis=1))


def _errant(metric: Errant, rows: Rows, picks: IntArray) -> Features:
    features: Features = {}
    totals, _ = metric.totals(rows, picks)
    for category, counts in metric.counts_by_category(totals).items():
        tp, fp, fn = counts.T
        features |= _precision_and_recall(tp, fp, fn, f" of {category}")
    return features


def _chrf(metric: Chrf, rows: Rows, picks: IntArray) -> Features:
    precision, recall = metric.precision_and_recall(_sums(rows, picks))
    return {"precision": precision, "recall": recall}


def _m2(metric: M2, rows: Rows, picks: IntArray) -> Features:
    correct, proposed, gold = metric.totals(rows, picks).T
    return _precision_and_recall(correct, proposed - correct, gold - correct)


def _imeasure(metric: IMeasure, rows: Rows, picks: IntArray) -> Features:
    sums = _sums(rows, picks)
    base = base_accuracy(sums)
    features: Features = {}
    for aspect, counts in (("correction", sums), ("detection", detection(sums))):
        tp, tn, fp, fn, fpn, _, _ = np.moveaxis(counts, -1, 0)
        columns = np.maximum(tp + tn + fp + fn - fpn, 1)
        weighted = weighted_accuracy(counts, metric.parameters.weight)
        shares = {"TP": tp / columns, "TN": tn / columns, "FP": fp / columns, "FN": fn / columns}
        if aspect == "correction":
            shares["FPN"] = fpn / columns
        values = {
            **shares,
            **_precision_and_recall(tp, fp, fn),
            "accuracy": (tp + tn) / columns,
            "weighted accuracy": weighted,
            "I": improvement(weighted, base),
        }
        features |= {f"{name} of {aspect}": value for name, value in values.items()}
    return features


def _precision_and_recall(tp: FloatArray, fp: FloatArray, fn: FloatArray, ending: str = "") -> Features:
    """1 where nothing is proposed, or nothing is to be found."""
    return {
        f"precision{ending}": np.where(tp + fp > 0, tp / np.maximum(tp + fp, 1), 1.0),
        f"recall{ending}": np.where(tp + fn > 0, tp / np.maximum(tp + fn, 1), 1.0),
    }


def _sums(rows: Rows, picks: IntArray) -> FloatArray:
    """Sums of the rows of an additive metric, shape (B, K)."""
    chosen, counts = pick_counts(picks, len(rows.sizes))
    return np.asarray(counts @ rows.values[chosen, 0])


_READERS: Mapping[type[AnyMetric], Callable[[Any, Rows, IntArray], Features]] = {
    Errant: _errant,
    Chrf: _chrf,
    M2: _m2,
    IMeasure: _imeasure,
}
