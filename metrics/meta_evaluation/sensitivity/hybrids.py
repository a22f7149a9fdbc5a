"""Synthetic systems that mix the outputs of two systems: hybrid super-sampling (Graham and Liu 2016).

A correlation over the few judged systems depends much on each of them. Napoles et al. 2019 (GMEG,
section 5.2) add systems that take 10 % to 90 % of their sentences from one system and the rest from another.
People's score of such a system is the mean of its sentences' human scores, a metric scores it from the
statistics of its outputs. Synthetic systems are not independent of each other: they make a correlation
steadier, but bring no new judgments.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from core.arrays import FloatArray, IntArray
from core.progress import Advance
from metrics.base.evaluation_sets import InputError
from metrics.base.resampling import sentence_draws
from metrics.meta_evaluation.compared_data import MetricsAndPeople
from metrics.meta_evaluation.estimates import Estimate
from metrics.meta_evaluation.human_judgments import NO_Z_SCORES, HumanScore
from metrics.meta_evaluation.intervals import AgreementIntervals, Resampled
from metrics.meta_evaluation.output_statistics import Statistics, statistics_of_sentences
from metrics.meta_evaluation.significance import PairwiseTests, bootstrap_tests, williams_tests
from metrics.meta_evaluation.system_level import why_no_correlation
from ranking import Coefficient, correlation, replicate_coefficients

PERCENTS = tuple(range(10, 100, 10))
"""Percentages of the sentences that are taken from the first of two systems."""

DRAWS = 5
"""Synthetic systems for each pair and percentage: 675 of six systems, as in GMEG."""

COEFFICIENTS = (Coefficient.PEARSON, Coefficient.SPEARMAN)

MOST_CELLS = 20_000_000
"""Synthetic systems times sentences: 160 MB."""

DIGITS = 12
"""Scores that are equal when rounded so differ by the order of summing only, and tie."""

MEANS = (HumanScore.MEAN, HumanScore.Z)
"""The human scores whose mean is the score of a synthetic system."""

FIXED = "its scores of systems were computed elsewhere, so that those of synthetic systems are not known"

NOT_JUDGED = "people have no score of some synthetic systems: too few sentences were judged"
NOT_SCORED_MIXED = "the metric has no score of some synthetic systems: too few sentences are scored"


@dataclass(frozen=True, slots=True, eq=False)
class Hybrids:
    """H synthetic systems on n sentences.

    Attributes:
        first: shape (H,), the number of a system.
        second: shape (H,), the number of another system, later in the alphabet.
        percent: shape (H,), the percentage of sentences taken from the first one.
        draw: shape (H,), number of the draw of the same two systems and percentage, from 0.
        origins: shape (H, n), the number of the system that each sentence's output is taken from.
    """

    first: IntArray
    second: IntArray
    percent: IntArray
    draw: IntArray
    origins: IntArray

    def __len__(self) -> int:
        return len(self.first)


@dataclass(frozen=True, slots=True, eq=False)
class MixedScores:
    """Scores of S systems, and of H mixtures of them.

    Attributes:
        sentences: shape (m,), numbers of the sentences that were judged; others do not count.
        hybrids: the synthetic systems.
        human: shape (S + H,), first the systems; NaN where there is no score.
        metrics: shape (K, S + H).
        human_replicates: shape (B, S), of the S systems on B resamples of the sentences.
        metric_replicates: shape (K, B, S).
    """

    sentences: IntArray
    hybrids: Hybrids
    human: FloatArray
    metrics: FloatArray
    human_replicates: FloatArray
    metric_replicates: FloatArray


@dataclass(frozen=True, slots=True)
class MixedAgreement:
    """A metric against people, with synthetic systems and without.

    Attributes:
        metric: its name.
        signature: signature for repeating its scores; "" if not known.
        correlations: Pearson's r and Spearman's rho over systems and synthetic systems.
        judged: the same over the systems alone.
    """

    metric: str
    signature: str
    correlations: Mapping[Coefficient, Estimate]
    judged: Mapping[Coefficient, Estimate]


def mixed_systems(
    systems: int,
    sentences: IntArray,
    *,
    of: int,
    percents: Sequence[int] = PERCENTS,
    draws: int = DRAWS,
    seed: int = 0,
) -> Hybrids:
    """Mix all pairs of systems, each percentage several times.

    Each synthetic system has a random generator of its own, so that it does not depend on the others.

    Args:
        systems: number of systems.
        sentences: shape (m,), numbers of the sentences that are mixed; the others are the first system's.
        of: the number n of all sentences.
        percents: of the sentences to take from the first system of a pair, rounded to whole sentences.
        draws: number of draws for each percentage.
        seed: of the draws.

    Raises:
        InputError: they are more than `MOST_CELLS`.
    """
    number = systems * (systems - 1) // 2 * len(percents) * draws
    if number * of > MOST_CELLS:
        raise InputError(
            f"{systems} systems give {number:,} synthetic ones of {of:,} sentences, and at most "
            f"{MOST_CELLS // of:,} can be held in memory: ask for fewer draws, or exclude systems"
        )
    described = [
        (first, second, percent, draw)
        for first, second in combinations(range(systems), 2)
        for percent in percents
        for draw in range(draws)
    ]
    firsts, seconds, percent_of, draw_of = np.array(described, dtype=np.int64).reshape(-1, 4).T
    origins = np.repeat(firsts[:, None], of, axis=1)
    for row, key in zip(origins, described, strict=True):
        _, second, percent, _ = key
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
        from_first = (percent * len(sentences) + 50) // 100
        row[rng.permutation(sentences)[from_first:]] = second
    return Hybrids(firsts, seconds, percent_of, draw_of, origins)


def mixed_scores(
    data: MetricsAndPeople,
    human: HumanScore,
    *,
    percents: Sequence[int] = PERCENTS,
    draws: int = DRAWS,
    replicates: int = 200,
    seed: int = 0,
    threads: int = 1,
    progress: Advance | None = None,
) -> MixedScores:
    """Score systems and synthetic systems, and the systems on resamples of the judged sentences.

    The numbers are the same for any number of threads.

    Args:
        data: metrics and people.
        human: a mean, of `MEANS`; also what systems score, so that they can be compared with mixed ones.
        percents: see `mixed_systems`.
        draws: see `mixed_systems`.
        replicates: number of resamples of the sentences; 0 for no intervals.
        seed: of synthetic systems and resamples.
        threads: in which metrics are computed.
        progress: called with the number of replicates finished, `replicates` for each metric.

    Raises:
        InputError: nothing was judged, there are too many systems, or `human` is no mean over sentences.
    """
    if human not in MEANS:
        raise InputError(f"synthetic systems have no {human}: people's score of them is a mean of sentences")
    of_people = data.people.z_scores if human is HumanScore.Z else data.people.scores
    if of_people is None:
        raise InputError(NO_Z_SCORES)
    sentences = data.compared_sentences(whole_set=False)
    size = len(data.systems)
    of = data.people.sentences
    hybrids = mixed_systems(size, sentences, of=of, percents=percents, draws=draws, seed=seed)
    judged = np.repeat(np.arange(size)[:, None], of, axis=1)
    statistics = [statistics_of_sentences(of_people), *(metric.statistics for metric in data.metrics)]
    everything = _Scorer(statistics, judged, hybrids, np.arange(len(hybrids)))
    alone = _Scorer(statistics, judged, hybrids, np.arange(0))
    with ThreadPoolExecutor(threads) as pool:
        scores = everything.scores(pool, sentences[None])[:, 0]
        drawn = [
            alone.scores(pool, sentences[block], progress)
            for block in sentence_draws(len(sentences), range(replicates), seed)
        ]
    replicated = np.concatenate([np.empty((len(statistics), 0, size)), *drawn], axis=1).round(DIGITS)
    return MixedScores(
        sentences=sentences,
        hybrids=hybrids,
        human=scores[0],
        metrics=scores[1:],
        human_replicates=replicated[0],
        metric_replicates=replicated[1:],
    )


def mixed_agreement(
    data: MetricsAndPeople, scores: MixedScores, *, confidence: float = 0.95, seed: int = 0
) -> tuple[MixedAgreement, ...]:
    """How far each metric agrees with people over systems and synthetic systems.

    Intervals are of the true scores (`metrics.meta_evaluation.true_scores`); that of a mixture is the mean of
    the true scores of its two systems, weighted by their shares. This is exact for people's scores and
    metrics that are means over sentences, and close for others.

    Args:
        data: metrics and people.
        scores: result of `mixed_scores` for them.
        confidence: of the intervals.
        seed: of the draws of true scores.
    """
    agreements = []
    for place, metric in enumerate(data.metrics):
        mixed, judged = _Estimates(data, scores, place, confidence, seed).of_both()
        agreements.append(MixedAgreement(metric.name, metric.signature, mixed, judged))
    return tuple(agreements)


def mixed_williams(data: MetricsAndPeople, scores: MixedScores, *, degrees_lost: int = 3) -> PairwiseTests:
    """Williams' test between all metrics that have a correlation, over systems and synthetic systems.

    It treats all of them as independent, which synthetic ones are not. So p-values are too small, and
    comparable only with published ones of the same kind (GMEG, Figure 3).
    """
    tested = [place for place in range(len(data.metrics)) if _fault(data, scores, place, slice(None)) is None]
    names = [data.metrics[place].name for place in tested]
    return williams_tests(scores.human, scores.metrics[tested], names, degrees_lost=degrees_lost)


def mixed_bootstrap(data: MetricsAndPeople, scores: MixedScores) -> PairwiseTests:
    """The bootstrap of the difference in Pearson's r of true scores, over systems and synthetic systems.

    Sentences are resampled. A mixture scores the weighted mean of its two systems, as in `mixed_agreement`,
    so that its errors are those of its systems, and r is corrected for them as over systems alone.
    """
    size = len(data.systems)
    tested = [place for place in range(len(data.metrics)) if _fault(data, scores, place, slice(None)) is None]
    shares = _shares(scores.hybrids, size).T
    reasons, corrected = {}, {}
    for place in tested:
        name = data.metrics[place].name
        resampled = Resampled(
            scores.human[:size],
            scores.metrics[place, :size],
            scores.human_replicates,
            scores.metric_replicates[place],
        )
        if resampled.reason is None:
            corrected[name] = resampled.corrected(shares)
        else:
            reasons[name] = resampled.reason
    return bootstrap_tests(corrected, [data.metrics[place].name for place in tested], reasons)


class _Scorer:
    """Scores systems and some synthetic ones by several metrics: a task for each metric and pair of systems.

    Mixtures of one pair share outputs, so together they cost little more than one of them.
    """

    def __init__(
        self,
        statistics: Sequence[Statistics | None],
        judged: IntArray,
        hybrids: Hybrids,
        chosen: IntArray,
    ) -> None:
        """Score by each of the statistics the systems, and the synthetic ones of these numbers."""
        first, second = hybrids.first[chosen], hybrids.second[chosen]
        starts = np.flatnonzero((np.diff(first, prepend=-1) != 0) | (np.diff(second, prepend=-1) != 0))
        pairs = np.split(hybrids.origins[chosen], starts[1:]) if len(chosen) else []
        self._statistics = statistics
        self._origins = [judged, *pairs]
        self._columns = np.cumsum([0, *(len(each) for each in self._origins)])

    def scores(
        self, pool: ThreadPoolExecutor, draws: IntArray, progress: Advance | None = None
    ) -> FloatArray:
        """Shape (metrics, B, corpora), of draws of shape (B, m); NaN for a metric without statistics.

        `progress` gets B draws for each metric but the first.
        """
        scores = np.full((len(self._statistics), len(draws), self._columns[-1]), np.nan)
        parts = range(len(self._origins))

        def fill(task: tuple[int, int]) -> None:
            metric, part = task
            of_metric = self._statistics[metric]
            if of_metric is not None:
                columns = slice(self._columns[part], self._columns[part + 1])
                scores[metric, :, columns] = of_metric.scores(self._origins[part], draws)

        tasks = [(metric, part) for metric in range(len(self._statistics)) for part in parts]
        for (metric, part), _ in zip(tasks, pool.map(fill, tasks), strict=True):
            if progress is not None and metric and part == parts[-1]:
                progress(len(draws))
        return scores


class _Estimates:
    """The correlations of the metric at this place, with synthetic systems and without."""

    def __init__(
        self, data: MetricsAndPeople, scores: MixedScores, place: int, confidence: float, seed: int
    ) -> None:
        self._size = len(data.systems)
        self._human, self._metric = scores.human.round(DIGITS), scores.metrics[place].round(DIGITS)
        self._faults = [_fault(data, scores, place, systems) for systems in (slice(None), slice(self._size))]
        self._shares = _shares(scores.hybrids, self._size)
        self._intervals: AgreementIntervals | None = None
        if self._faults[1] is None:
            resampled = Resampled(
                self._human[: self._size],
                self._metric[: self._size],
                scores.human_replicates,
                scores.metric_replicates[place],
            )
            self._intervals = AgreementIntervals(resampled, confidence=confidence, seed=seed)

    def of_both(self) -> list[dict[Coefficient, Estimate]]:
        """Estimates by coefficient, over all systems and over those that were judged."""
        return [
            {each: self._estimate(each, fault, mixed=place == 0) for each in COEFFICIENTS}
            for place, fault in enumerate(self._faults)
        ]

    def _estimate(self, coefficient: Coefficient, fault: str | None, *, mixed: bool) -> Estimate:
        if fault is not None or self._intervals is None:
            return Estimate(None, None, None, fault)
        systems = slice(None) if mixed else slice(self._size)
        value = correlation(self._metric[systems], self._human[systems], coefficient).value
        shares = self._shares[systems]

        def measure(human: FloatArray, metric: FloatArray) -> FloatArray:
            human, metric = ((each @ shares.T).round(DIGITS) for each in (human, metric))
            return replicate_coefficients(human, metric, coefficient)

        return self._intervals.of(value, measure, by_order=coefficient is not Coefficient.PEARSON)


def _shares(hybrids: Hybrids, size: int) -> FloatArray:
    """The share of each of S systems in each system and synthetic one, shape (S + H, S)."""
    mixed = np.zeros((len(hybrids), size))
    rows = np.arange(len(hybrids))
    mixed[rows, hybrids.first] = hybrids.percent / 100
    mixed[rows, hybrids.second] = 1 - hybrids.percent / 100
    return np.concatenate([np.eye(size), mixed])


def _fault(data: MetricsAndPeople, scores: MixedScores, place: int, systems: slice) -> str | None:
    """Why a metric has no correlation over these systems."""
    size = len(data.systems)
    if data.metrics[place].statistics is None:
        return FIXED
    human, metric = scores.human[systems], scores.metrics[place, systems]
    if fault := why_no_correlation(data.systems, human[:size], metric[:size]):
        return fault
    if not np.isfinite(human).all():
        return NOT_JUDGED
    return None if np.isfinite(metric).all() else NOT_SCORED_MIXED
