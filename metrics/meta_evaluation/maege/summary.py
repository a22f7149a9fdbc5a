"""MAEGE's verdict on a metric, over all seeds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, sqrt

import numpy as np

from core.arrays import FloatArray, IntArray
from core.later import stats
from metrics.meta_evaluation.maege.drawing import CORPORA
from metrics.meta_evaluation.maege.lattices import LatticeCorpus
from metrics.meta_evaluation.maege.levels import SeedScores, p_value_of_tau, spearman, tau, tau_b
from metrics.meta_evaluation.maege.options import MaegeParameters

CONFIDENCE = 0.95

ONE_SEED = "an interval needs two seeds or more"
SAME_CORPORA = "the metric gives all corpora the same score, or some none"
SAME_PAIRS = "the metric gives both corrections of each comparable pair the same score"
SAME_SENTENCES = "the metric gives all corrections the same score"
ONE_SENTENCE = "an interval needs two sentences or more"


@dataclass(frozen=True, slots=True)
class SeedEstimate:
    """A correlation over seeds.

    Attributes:
        value: the mean over seeds; None if it is defined for none.
        sd: the standard deviation over seeds: the precision of a single seed.
        low: lower end of the 95% interval of the mean over seeds (Student's t).
        high: upper end.
        p_value: two-sided, of no correlation, computed as if one seed had given the mean.
        seeds: number of seeds for which it is defined.
        reason: why figures are missing, in words; None if none is.
    """

    value: float | None
    sd: float | None
    low: float | None
    high: float | None
    p_value: float | None
    seeds: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class TypeChange:
    """The change of a metric's score when one type of error is corrected (section 7).

    Attributes:
        value: the mean over edits of their mean change over seeds; None if no edit is scored.
        low: lower end of the 95% interval over sentences (variance of a ratio, with sentences as clusters).
        high: upper end.
        edits: number of edits of this type that are scored.
        reason: why figures are missing, in words.
    """

    value: float | None
    low: float | None
    high: float | None
    edits: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class MetricVerdict:
    """MAEGE's verdict on one metric.

    Attributes:
        signature: states how the metric scored, except for the drawn sources.
        spearman: correlation of corpus scores with the order of corpora (section 5).
        pearson: correlation of sentence scores with quality (section 6).
        tau: over comparable pairs (section 6).
        tau_b: Kendall's, which corrects for ties.
        tied: share of comparable pairs that the metric ties, over all seeds.
        corpora: the mean score of each corpus; None if it has none.
        changes: by type of edit.
        not_scored: number of corrections, over all seeds, that the metric does not score.
    """

    signature: str
    spearman: SeedEstimate
    pearson: SeedEstimate
    tau: SeedEstimate
    tau_b: SeedEstimate
    tied: float | None
    corpora: tuple[float | None, ...]
    changes: Mapping[str, TypeChange]
    not_scored: int


def verdict(
    seeds: Sequence[SeedScores], corpus: LatticeCorpus, kinds: Sequence[str], parameters: MaegeParameters
) -> MetricVerdict:
    """Sum up a metric.

    Args:
        seeds: the scores of each seed, at least one.
        corpus: the corpus drawn from.
        kinds: shape (E,), the type of each edit.
        parameters: as of the scores.
    """
    first = seeds[0]
    counts = [(each.pairs, each.discordant, each.tied) for each in seeds]
    pairs = sum(each.pairs for each in seeds)
    corpora = np.stack([each.corpora for each in seeds])
    return MetricVerdict(
        signature=first.signature,
        spearman=over_seeds([spearman(each) for each in corpora], SAME_CORPORA, _p_of_ranks),
        pearson=over_seeds(
            [each.correlation for each in seeds], SAME_SENTENCES, lambda r: _p_of_r(r, first.scored)
        ),
        tau=over_seeds(
            [tau(*each, parameters.ties) for each in counts],
            SAME_PAIRS,
            lambda value: p_value_of_tau(value, first.pairs),
        ),
        tau_b=over_seeds(
            [tau_b(*each) for each in counts], SAME_PAIRS, lambda value: p_value_of_tau(value, first.pairs)
        ),
        tied=sum(each.tied for each in seeds) / pairs if pairs else None,
        corpora=tuple(float(each) if isfinite(each) else None for each in corpora.mean(axis=0)),
        changes=changes_by_type(np.stack([each.changes for each in seeds]), corpus, kinds),
        not_scored=sum(each.not_scored for each in seeds),
    )


def over_seeds(values: Sequence[float], fault: str, p_value: Callable[[float], float]) -> SeedEstimate:
    """The mean of the defined values, with its interval, between -1 and 1.

    Args:
        values: one per seed; NaN where it is not defined.
        fault: why a value is not defined, in words.
        p_value: gives the p-value of the mean.
    """

    there = np.array([value for value in values if isfinite(value)])
    if not len(there):
        return SeedEstimate(None, None, None, None, None, 0, fault)
    mean = float(there.mean())
    reason = None if len(there) == len(values) else f"in {len(values) - len(there)} seeds {fault}"
    if len(there) == 1:
        return SeedEstimate(mean, None, None, None, p_value(mean), 1, reason or ONE_SEED)
    sd = float(there.std(ddof=1))
    half = float(stats.t.ppf((1 + CONFIDENCE) / 2, len(there) - 1)) * sd / sqrt(len(there))
    return SeedEstimate(
        mean, sd, max(mean - half, -1.0), min(mean + half, 1.0), p_value(mean), len(there), reason
    )


def changes_by_type(
    changes: FloatArray, corpus: LatticeCorpus, kinds: Sequence[str]
) -> dict[str, TypeChange]:
    """The mean change of each type, the most frequent type first.

    Args:
        changes: shape (seeds, E), NaN where one is not scored.
        corpus: with the sentence of each edit.
        kinds: shape (E,), the type of each edit.
    """
    there = np.isfinite(changes)
    times = there.sum(axis=0)
    means = np.where(there, changes, 0.0).sum(axis=0) / np.maximum(times, 1)
    names = np.array(kinds, dtype=str)
    order = sorted(set(kinds), key=lambda kind: (-kinds.count(kind), kind))
    return {
        kind: _change(means[chosen], corpus.edit_sentences[chosen])
        for kind in order
        for chosen in [np.flatnonzero((names == kind) & (times > 0))]
    }


def _change(means: FloatArray, sentences: IntArray) -> TypeChange:
    """The mean over edits; its interval treats the edits of one sentence as a cluster."""

    if not len(means):
        return TypeChange(None, None, None, 0, "the metric scores no correction of this type")
    value = float(means.mean())
    groups = np.unique(sentences, return_inverse=True)[1]
    number = int(groups.max()) + 1
    if number == 1:
        return TypeChange(value, None, None, len(means), ONE_SENTENCE)
    residuals = np.bincount(groups, weights=means - value)
    variance = (residuals**2).sum() * number / (number - 1) / len(means) ** 2
    half = float(stats.norm.ppf((1 + CONFIDENCE) / 2)) * sqrt(variance)
    return TypeChange(value, value - half, value + half, len(means), None)


def _p_of_ranks(value: float) -> float:
    return _p_of_r(value, CORPORA)


def _p_of_r(value: float, number: int) -> float:
    """Two-sided p-value of a correlation over `number` points, by Student's t."""

    if abs(value) >= 1:
        return 0.0
    return float(2 * stats.t.sf(abs(value) * sqrt((number - 2) / (1 - value**2)), number - 2))
