"""Agreement of metrics with people on the outputs of a sentence: taus over judged pairs, and accuracies."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray, IntArray
from core.progress import Advance
from metrics.base.resampling import sentence_draws
from metrics.meta_evaluation.compared_data import MetricsAndPeople
from metrics.meta_evaluation.estimates import Estimate, estimated
from metrics.meta_evaluation.human_judgments import HumanScore
from metrics.meta_evaluation.judged_pairs import JudgedPairs, tables_of_others
from metrics.meta_evaluation.significance import PairwiseTests, SwappedOutcomes
from metrics.meta_evaluation.tie_calibration import (
    SAME,
    ItemPairs,
    TieCalibration,
    item_pairs,
    ordered_as_people,
    tie_calibration,
)
from ranking import PairwiseTau
from ranking.agreement.pairwise_tau import tau_of_table

NO_SENTENCE_SCORES = "only scores of systems are known"
NO_JUDGED_OUTPUT = "it scores none of the judged outputs"
Signs = NDArray[np.int8]

CEILING = "one annotator against the others"
NONE_SHARED = "no two annotators judged the same two outputs"
ONE_SENTENCE = "all pairs are of one sentence, which says little"


@dataclass(frozen=True, slots=True)
class PartAgreement:
    """A metric against a part of the judgments.

    Attributes:
        part: the annotator, or the domain.
        sentences: number of sentences of its pairs.
        pairs: tau and accuracy.
        reason: what is missing, or why the figures say little; None if there is nothing to note.
    """

    part: str
    sentences: int
    pairs: PairwiseTau
    reason: str | None


@dataclass(frozen=True, slots=True)
class SentenceAgreement:
    """One metric against people, by sentences.

    Attributes:
        metric: its name.
        pairs: counts, taus and accuracy over all judged pairs of different texts; None without scores of
            sentences.
        tau: `pairs.value`, the form of WMT10, with its interval over resampled sentences.
        tau_b: Kendall's tau-b over the same pairs.
        accuracy: share of the pairs that people ordered which the metric orders so.
        calibrated: pairwise accuracy with tie calibration (acc*eq); None without scores of sentences.
        by_judge: each annotator alone.
        by_domain: the sentences of each domain.
        unscored: judged pairs that this metric does not score; 0 without scores of sentences.
        not_scored: judged pairs that are left out, for all metrics, since some metric does not score them.
        reason: why there is nothing, in words; None where there is.
    """

    metric: str
    pairs: PairwiseTau | None
    tau: Estimate
    tau_b: Estimate
    accuracy: Estimate
    calibrated: TieCalibration | None
    by_judge: tuple[PartAgreement, ...]
    by_domain: tuple[PartAgreement, ...]
    unscored: int
    not_scored: int
    reason: str | None


def sentence_agreement(
    data: MetricsAndPeople,
    human: HumanScore = HumanScore.MEAN,
    *,
    replicates: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    progress: Advance | None = None,
) -> tuple[SentenceAgreement, ...]:
    """Agreement of each metric with people on the outputs of a sentence.

    Judged pairs are the expanded pairs of all judgments, but for those of one text. All metrics are compared
    on the same pairs: those that all metrics score, of the metrics that score any judged output.

    Args:
        data: metrics and people.
        human: whether acc*eq compares standardised human scores, which it does for z-scores alone.
        replicates: of the bootstrap over judged sentences, for intervals; 0 for none.
        confidence: of the intervals.
        seed: of the bootstrap.
        progress: called with the number of pairs of each part of a count; an exception that it raises ends
            the work.

    Raises `SnapshotError` for z-scores of rankings.
    """
    judged = data.people.judged
    scored = scored_by_all(data)
    both = judged.both(scored, progress)
    counted = judged if both.all() else judged.only(both)
    compared = _Compared(data, counted, replicates, confidence, seed, progress)
    pairs = compared_items(data, human)
    left_out = int(np.count_nonzero(~both))
    agreed = []
    for metric in data.metrics:
        if metric.sentences is None:
            agreed.append(_nothing(metric.name, NO_SENTENCE_SCORES, 0, left_out))
            continue
        unscored = np.count_nonzero(~judged.both(np.isfinite(metric.sentences), progress))
        agreed.append(
            compared.agreement(metric.name, metric.sentences, pairs, int(unscored), left_out)
            if scores_judged_outputs(data, metric.sentences)
            else _nothing(metric.name, NO_JUDGED_OUTPUT, int(unscored), left_out)
        )
    return tuple(agreed)


def ceiling_of_sentences(
    data: MetricsAndPeople,
    *,
    replicates: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    progress: Advance | None = None,
) -> SentenceAgreement:
    """How far one annotator's judgments of two outputs agree with those of each other annotator.

    The pairs are those on which metrics are compared, and so are the figures: an annotator's outcome takes
    the place of the metric's order. Arguments as of `sentence_agreement`.
    """
    judged = data.people.judged
    both = judged.both(scored_by_all(data), progress)
    counted = judged if both.all() else judged.only(both)
    compared = _Compared(data, counted, replicates, confidence, seed, progress)
    return compared.ceiling(len(data.systems), len(data.people.judges))


def tables_by_sentence(data: MetricsAndPeople) -> tuple[IntArray, Mapping[str, IntArray]]:
    """How each metric orders the judged pairs, sentence by sentence.

    Returns:
        The numbers of the m sentences that have a pair, ascending; and by metric that scores judged outputs,
        numbers of pairs of shape (m, 3, 3): by sentence, by outcome (the second system is better, tie, the
        first is), and by what the metric says of them (likewise). The pairs are those of
        `sentence_agreement`.
    """
    judged = data.people.judged
    both = judged.both(scored_by_all(data))
    compared = _Compared(data, judged if both.all() else judged.only(both), 0, 0.0, 0)
    return compared.tables(_scoring_judged_outputs(data))


def compared_items(data: MetricsAndPeople, human: HumanScore = HumanScore.MEAN) -> ItemPairs:
    """The pairs of outputs of a sentence that people and all metrics score that score any judged output.

    Raises `SnapshotError` for z-scores of rankings.
    """
    return item_pairs(data.people.sentence_scores(human), scored_by_all(data), data.people.texts)


def calibrated_tests(
    data: MetricsAndPeople,
    human: HumanScore = HumanScore.MEAN,
    *,
    permutations: int = 1000,
    seed: int = 0,
) -> PairwiseTests:
    """PERM-BOTH of pairwise accuracy with tie calibration between all metrics that score judged outputs."""
    swapped = swapped_outcomes(data, human)
    return swapped.tests(swapped.counts(range(permutations), seed), permutations)


def swapped_outcomes(data: MetricsAndPeople, human: HumanScore = HumanScore.MEAN) -> SwappedOutcomes:
    """PERM-BOTH between all metrics that score judged outputs, prepared so that it can be counted in parts.

    Raises `SnapshotError` for z-scores of rankings.
    """
    pairs = compared_items(data, human)
    scored = dict(_scoring_judged_outputs(data))
    ordered = [
        ordered_as_people(pairs, scores, tie_calibration(pairs, scores).epsilon or 0.0)
        for scores in scored.values()
    ]
    return SwappedOutcomes(pairs, ordered, list(scored))


def _nothing(metric: str, reason: str, unscored: int, left_out: int) -> SentenceAgreement:
    """The result of a metric that scores no judged output."""
    none = Estimate(None, None, None, reason)
    return SentenceAgreement(metric, None, none, none, none, None, (), (), unscored, left_out, reason)


@dataclass(frozen=True, slots=True, eq=False)
class _Parts:
    """A division of the judged pairs.

    Attributes:
        names: of the parts; some may have no pair.
        numbers: from a block of the pairs to the number of the part of each.
        sentences: number of sentences of each part.
    """

    names: Sequence[str]
    numbers: Callable[[slice], NDArray[np.integer]]
    sentences: IntArray


class _Compared:
    """Judged pairs that all metrics score, and resamples of their sentences.

    Pairs are counted in blocks: there are tens of millions in a large campaign.
    """

    def __init__(
        self,
        data: MetricsAndPeople,
        judged: JudgedPairs,
        replicates: int,
        confidence: float,
        seed: int,
        progress: Advance | None = None,
    ) -> None:
        self._judged = judged
        self._progress = progress
        there = np.zeros(data.people.sentences, dtype=bool)
        for some in judged.blocks(progress):
            there[judged.sentence[some]] = True
        self._sentences = np.flatnonzero(there)
        self._place = np.cumsum(there) - 1
        self._judges = self._parts(data.people.judges, lambda some: judged.judge[some])
        names, domains = np.unique(np.array(data.domains, dtype=object), return_inverse=True)
        self._domains = self._parts(
            names.tolist() if data.domains else (), lambda some: domains[judged.sentence[some]]
        )
        self._replicates, self._confidence, self._seed = replicates, confidence, seed

    def agreement(
        self, metric: str, scores: FloatArray, pairs: ItemPairs, unscored: int, left_out: int
    ) -> SentenceAgreement:
        """The agreement of a metric with scores of shape (n, S)."""
        order = _orders(scores, self._judged, self._progress)
        tau, (of_tau, of_tau_b, of_accuracy) = self._estimates(
            self._tables(order, len(self._sentences), self._places)
        )

        def agreements(parts: _Parts) -> tuple[PartAgreement, ...]:
            counted = self._tables(order, len(parts.names), parts.numbers) if parts.names else ()
            return tuple(map(_part, parts.names, parts.sentences.tolist(), map(tau_of_table, counted)))

        return SentenceAgreement(
            metric=metric,
            pairs=tau,
            tau=of_tau,
            tau_b=of_tau_b,
            accuracy=of_accuracy,
            calibrated=tie_calibration(pairs, scores),
            by_judge=agreements(self._judges),
            by_domain=agreements(self._domains),
            unscored=unscored,
            not_scored=left_out,
            reason=tau.reason,
        )

    def tables(self, metrics: Iterable[tuple[str, FloatArray]]) -> tuple[IntArray, Mapping[str, IntArray]]:
        """The sentences, and the tables of metrics with scores of shape (n, S) by sentence."""
        of_metrics = {
            name: self._tables(
                _orders(scores, self._judged, self._progress), len(self._sentences), self._places
            )
            for name, scores in metrics
        }
        return self._sentences, of_metrics

    def ceiling(self, systems: int, judges: int) -> SentenceAgreement:
        """The agreement of one annotator with each other one, on pairs of outputs that both judged."""
        tables = tables_of_others(
            self._judged, self._place, len(self._sentences), systems, judges, self._progress
        )
        tau, (of_tau, of_tau_b, of_accuracy) = self._estimates(tables)
        if not tables.any():
            return _nothing(CEILING, NONE_SHARED, 0, 0)
        return SentenceAgreement(
            CEILING, tau, of_tau, of_tau_b, of_accuracy, None, (), (), 0, 0, reason=tau.reason
        )

    def _estimates(self, tables: IntArray) -> tuple[PairwiseTau, list[Estimate]]:
        """Tau of tables by sentence; tau, tau-b and accuracy with their intervals."""
        tau = tau_of_table(tables.sum(axis=0))
        values = zip((tau.value, tau.tau_b, tau.accuracy), self._drawn_taus(tables), strict=True)
        return tau, [estimated(value, drawn, self._confidence, tau.reason) for value, drawn in values]

    def _places(self, some: slice) -> IntArray:
        """The places of the sentences of a block among those that have a pair."""
        places: IntArray = self._place[self._judged.sentence[some]]
        return places

    def _parts(self, names: Sequence[str], numbers: Callable[[slice], NDArray[np.integer]]) -> _Parts:
        size = max(len(self._sentences), 1)
        found = [np.empty(0, dtype=np.int64)]
        if names:
            found += [
                np.unique(numbers(some).astype(np.int64) * size + self._places(some))
                for some in self._judged.blocks(self._progress)
            ]
        parts = np.unique(np.concatenate(found)) // size
        return _Parts(names, numbers, np.bincount(parts, minlength=len(names)))

    def _tables(self, order: Signs, size: int, numbers: Callable[[slice], NDArray[np.integer]]) -> IntArray:
        """Numbers of pairs by group, outcome and sign of the metric, shape (size, 3, 3)."""
        tables = np.zeros(size * 9, dtype=np.int64)
        for some in self._judged.blocks(self._progress):
            cells = numbers(some).astype(np.int64) * 9 + 3 * self._judged.outcome[some] + order[some] + 4
            tables += np.bincount(cells, minlength=len(tables))
        return tables.reshape(size, 3, 3)

    def _drawn_taus(self, tables: IntArray) -> FloatArray:
        """Tau, tau-b and accuracy in resamples of the sentences, shape (3, B); NaN where undefined.

        `tables` are those of the sentences.
        """
        kinds = (
            tables[:, 0, 0] + tables[:, 2, 2],
            tables[:, 0, 2] + tables[:, 2, 0],
            tables[:, [0, 2]].sum(axis=(1, 2)),
            tables[:, :, [0, 2]].sum(axis=(1, 2)),
        )
        size = len(self._sentences)
        counts = np.stack(kinds, axis=1)
        drawn = [np.empty((0, len(kinds)))]
        if size:
            for draws in sentence_draws(size, range(self._replicates), self._seed):
                weights = np.stack([np.bincount(draw, minlength=size) for draw in draws])
                drawn.append((weights @ counts).astype(np.float64))
                if self._progress is not None:
                    self._progress(0)
        concordant, discordant, ordered, scored = np.concatenate(drawn).T
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.stack(
                [
                    2 * concordant / ordered - 1,
                    (concordant - discordant) / np.sqrt(ordered * scored),
                    concordant / ordered,
                ]
            )


def _orders(scores: FloatArray, judged: JudgedPairs, progress: Advance | None) -> Signs:
    """Signs of the differences of the scores, shape (N,); 0 for a tie."""
    order = np.empty(len(judged.outcome), dtype=np.int8)
    for some in judged.blocks(progress):
        sentence = judged.sentence[some]
        ahead = scores[sentence, judged.first[some]] - scores[sentence, judged.second[some]]
        order[some] = np.where(np.abs(ahead) <= SAME, 0, np.sign(ahead))
    return order


def _part(name: str, sentences: int, tau: PairwiseTau) -> PartAgreement:
    return PartAgreement(name, sentences, tau, tau.reason or (ONE_SENTENCE if sentences == 1 else None))


def scored_by_all(data: MetricsAndPeople) -> NDArray[np.bool_]:
    """Shape (n, S): whether all metrics that score any judged output score this one."""
    scored = np.ones(data.people.scores.shape, dtype=bool)
    for _, sentences in _scoring_judged_outputs(data):
        scored &= np.isfinite(sentences)
    return scored


def _scoring_judged_outputs(data: MetricsAndPeople) -> list[tuple[str, FloatArray]]:
    """The names and scores of sentences of these metrics."""
    return [
        (metric.name, metric.sentences)
        for metric in data.metrics
        if metric.sentences is not None and scores_judged_outputs(data, metric.sentences)
    ]


def scores_judged_outputs(data: MetricsAndPeople, sentences: FloatArray) -> bool:
    """Whether a metric with scores of shape (n, S) scores any judged output."""
    judged = data.people.texts >= 0
    return bool(np.isfinite(sentences[judged]).any()) or not judged.any()
