"""Causes of the agreement of a metric with people: what it would be with one thing changed at a time.

Correlations of the same metric differ from one set of judgments to the next for reasons that have little to
do with the metric: people and the metric err (attenuation, Spearman 1904), systems are close to each other
(restriction of range, Thorndike 1949, case 2), a single system decides (Mathur, Baldwin and Cohn 2020), the
source or references count as systems, ties count otherwise, or texts are tokenised otherwise.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

import numpy as np

from core.arrays import FloatArray, IntArray
from core.progress import Advance
from metrics.base.resampling import SIGNIFICANT, replicates_of, sentence_draws
from metrics.meta_evaluation.compared_data import MetricsAndPeople
from metrics.meta_evaluation.estimates import Estimate
from metrics.meta_evaluation.human_judgments import HumanScore
from metrics.meta_evaluation.intervals import FEWEST_REPLICATES
from metrics.meta_evaluation.metric_scores import MetricScores
from metrics.meta_evaluation.sensitivity.paired_differences import p_of_difference, paired_difference
from metrics.meta_evaluation.sensitivity.ties_of_people import TiesBySentence, ties_by_sentence
from metrics.meta_evaluation.sensitivity.windows import in_human_order
from metrics.meta_evaluation.system_level import FEWEST_SYSTEMS, why_no_correlation
from metrics.meta_evaluation.true_scores import reliability
from ranking import (
    Coefficient,
    GroupedPairs,
    Method,
    correlation,
    holm_correction,
    replicate_coefficients,
    scores_of_draws,
)
from ranking.uncertainty.joint_replicates import ScoreDraws

COEFFICIENTS = (Coefficient.PEARSON, Coefficient.SPEARMAN)

SPLITS = 100
"""Random halves of the sentences for the reliability of people's scores."""

OF_PEARSON = "the correction is one of Pearson’s r"
NOT_RESAMPLED = "only its scores of systems are known, which are the same on any sentences"
NO_HALVES = "random halves of the sentences do not order the systems alike at all"
ALL_ERROR = "its scores differ between the systems no more than errors alone would make them"
TIES_COUNT = "ties can count as half in ExpectedWins and Bradley-Terry alone"
TOO_FEW_HERE = f"it would leave fewer than {FEWEST_SYSTEMS} systems"


class Cause(StrEnum):
    """What is changed."""

    MEASURED = "as-measured"
    PEOPLE = "errors-of-people"
    METRIC = "errors-of-metric"
    BOTH = "errors-of-both"
    SPREAD = "spread-of-systems"
    BETTER = "better-half"
    WORSE = "worse-half"
    ONE_LEFT_OUT = "one-left-out"
    SOURCE = "source"
    REFERENCES = "references"
    TIES = "ties-as-half"
    NATURAL = "natural-text"


@dataclass(frozen=True, slots=True)
class Variant:
    """The agreement of a metric with people with one thing changed.

    Attributes:
        cause: what is changed; nothing for the first one.
        named: systems that the change adds or leaves out, or that remain as a half; empty for other changes.
        systems: how many are compared.
        correlations: Pearson's r and Spearman's rho; None where there is none.
        differences: from the correlations as measured, with paired intervals over resampled sentences.
        reason: why there is no correlation, in words; None where there is one.
        p_value: of the difference in Pearson's r, two-sided, corrected by Holm's method for all changes of
            systems, ties and texts, each system left out being one; None where r is computed from the one as
            measured, and where there is no difference.
    """

    cause: Cause
    named: tuple[str, ...]
    systems: int
    correlations: Mapping[Coefficient, float | None]
    differences: Mapping[Coefficient, Estimate]
    reason: str | None
    p_value: float | None = None

    @property
    def is_clear(self) -> bool:
        """Whether Pearson's r differs from that as measured by more than chance."""
        return self.p_value is not None and self.p_value <= SIGNIFICANT


@dataclass(frozen=True, slots=True)
class Causes:
    """Why a metric agrees with people as it does.

    Attributes:
        metric: its name.
        spread: standard deviation of the systems' human scores; None for fewer than two.
        people_reliability: of people's scores of systems, from halves of the sentences stepped up by Spearman
            and Brown's formula; None if it cannot be computed.
        metric_reliability: of the metric's scores of systems, from resampled sentences; None likewise.
        variants: the correlations as measured, then each change that was asked for.
        left_out: each system left out, in the order of human scores.
        ties: by sentence.
    """

    metric: str
    spread: float | None
    people_reliability: float | None
    metric_reliability: float | None
    variants: tuple[Variant, ...]
    left_out: tuple[Variant, ...]
    ties: TiesBySentence


def causes(
    data: MetricsAndPeople,
    human: HumanScore,
    *,
    wider: Mapping[Cause, Callable[[], MetricsAndPeople] | str],
    natural: MetricScores | str,
    spread: float | None = None,
    whole_set: bool = False,
    replicates: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    threads: int = 1,
    progress: Advance = lambda done: None,
) -> Causes:
    """Correlate a metric with people as measured, and with one thing changed at a time.

    All variants are of the same sentences and the same resamples of them. Intervals and tests of differences
    take the standard deviation of the differences in the resamples, not their mean: correlations of resamples
    are attenuated twice.

    Args:
        data: one metric and people, on the systems that count.
        human: how systems are scored by people.
        wider: by `Cause.SOURCE` and `Cause.REFERENCES`, what gives the same metric, people and sentences with
            these as systems, so that memory holds one after the other; or why there are none, in words.
        natural: the metric on text as people write it, of the systems of `data`, or why not, in words.
        spread: standard deviation of human scores to which the range of systems is corrected; None for none.
        whole_set: whether the metric scores all sentences, not only those that people judged.
        replicates: number of resamples of the sentences; 0 for no intervals.
        confidence: of the intervals.
        seed: of resamples and halves.
        threads: for TrueSkill.
        progress: called with the number of replicates finished.

    Raises:
        InputError: nothing was judged.
        SnapshotError: z-scores of rankings.
    """
    [metric] = data.metrics
    sentences = data.compared_sentences(whole_set=whole_set)
    drawing = _Drawing(data, human, wider, natural, threads)
    measured = drawing.scores(sentences, replicates, seed, progress)
    base = measured[Cause.MEASURED]
    compare = _Compared(base, metric.fault, confidence)
    halves = split_half_reliability(drawing.human[Cause.MEASURED], data.people.judged_sentences, seed=seed)
    resampled = _reliability_of_metric(base) if metric.resampled else None
    left_out = compare.without_each()
    variants = [
        compare.variant(Cause.MEASURED, base),
        *compare.without_errors(halves, resampled, NOT_RESAMPLED if not metric.resampled else ALL_ERROR),
        *([] if spread is None else [compare.with_spread(spread)]),
        *compare.halves(),
        compare.most(left_out),
    ]
    for cause in (Cause.SOURCE, Cause.REFERENCES, Cause.TIES, Cause.NATURAL):
        if cause in measured:
            variants.append(compare.variant(cause, measured[cause], _added(base, measured[cause])))
        else:
            variants.append(compare.missing(cause, drawing.missing[cause]))
    corrected = _corrected([*left_out, *variants])
    return Causes(
        metric=metric.name,
        spread=_spread(base.human),
        people_reliability=halves,
        metric_reliability=resampled,
        variants=tuple(corrected[each.cause, each.named] for each in variants),
        left_out=tuple(corrected[each.cause, each.named] for each in left_out),
        ties=ties_by_sentence(data.people, metric, replicates=replicates, confidence=confidence, seed=seed),
    )


def split_half_reliability(
    of_people: ScoreDraws, sentences: IntArray, *, splits: int = SPLITS, seed: int = 0
) -> float | None:
    """The reliability of people's scores of systems: mean r of random halves of the sentences, stepped up.

    By Spearman and Brown's formula, 2r / (1 + r) is that of all sentences. None if r is not positive or not
    defined. `of_people` scores drawn sentences, shape (B, m), as systems, (B, S).
    """
    rng = np.random.default_rng(seed)
    half = len(sentences) // 2
    if not half:
        return None
    orders = rng.permuted(np.tile(sentences, (splits, 1)), axis=1)
    first, second = of_people(orders[:, :half]), of_people(orders[:, half : 2 * half])
    drawn = replicate_coefficients(first, second, Coefficient.PEARSON)
    if 2 * np.isfinite(drawn).sum() < splits:
        return None
    r = float(np.nanmean(drawn))
    return 2 * r / (1 + r) if r > 0 else None


def corrected_for_range(r: FloatArray, ratio: float) -> FloatArray:
    """Pearson's r if people's scores spread `ratio` times as far (Thorndike 1949, case 2), any shape.

    Assumes a straight line with errors of the same size over the whole range.
    """
    corrected: FloatArray = r * ratio / np.sqrt(1 - r**2 + (r * ratio) ** 2)
    return corrected


def ties_as_half(pairs: GroupedPairs) -> GroupedPairs:
    """Each decided pair twice, and each tie as a win of either side, so that ties count as half a win."""
    size = len(pairs.systems)
    code = np.arange(2 * size**2)
    tied = code >= size**2
    first, second = np.divmod(code % size**2, size)
    again = np.where(tied, second * size + first, code)
    both = np.stack([np.where(tied, code - size**2, code), again], axis=1).astype(pairs.codes.dtype)
    codes = both[pairs.codes].ravel()
    return replace(pairs, starts=2 * pairs.starts, codes=codes)


@dataclass(frozen=True, slots=True, eq=False)
class _Scores:
    """Scores of S systems by people and the metric, (S,), and in B resamples, (B, S)."""

    systems: tuple[str, ...]
    human: FloatArray
    metric: FloatArray
    human_drawn: FloatArray
    metric_drawn: FloatArray

    def of(self, places: Sequence[int]) -> "_Scores":
        """Scores of the systems at these places."""
        chosen = list(places)
        return _Scores(
            tuple(self.systems[place] for place in chosen),
            self.human[chosen],
            self.metric[chosen],
            self.human_drawn[:, chosen],
            self.metric_drawn[:, chosen],
        )

    def drawn(self, coefficient: Coefficient) -> FloatArray:
        """The coefficient in each resample, shape (B,); NaN where it is not defined."""
        return replicate_coefficients(self.human_drawn, self.metric_drawn, coefficient)


class _Drawing:
    """Scores of systems in the same resamples, as measured and with a change of people or metric.

    Attributes:
        human: by cause, the scores of people if it changes them.
        metric: by cause, those of the metric.
        missing: by cause, why it cannot be tried, in words.
    """

    def __init__(
        self,
        data: MetricsAndPeople,
        human: HumanScore,
        wider: Mapping[Cause, Callable[[], MetricsAndPeople] | str],
        natural: MetricScores | str,
        threads: int,
    ) -> None:
        self._systems = {Cause.MEASURED: data.systems}
        self.human = {Cause.MEASURED: data.people.scores_of_draws(human, threads=threads)}
        self.metric = {Cause.MEASURED: data.metrics[0].of_draws}
        self.missing: dict[Cause, str] = {}
        for cause, made in wider.items():
            if isinstance(made, str):
                self.missing[cause] = made
                continue
            other = made()
            self._systems[cause] = other.systems
            self.human[cause] = other.people.scores_of_draws(human, threads=threads)
            self.metric[cause] = other.metrics[0].of_draws
            del other
        if human in (HumanScore.EXPECTED_WINS, HumanScore.BRADLEY_TERRY):
            pairs = ties_as_half(data.people.pairs)
            self.human[Cause.TIES] = scores_of_draws(Method(human.value), pairs, threads=threads)
        else:
            self.missing[Cause.TIES] = TIES_COUNT
        if isinstance(natural, str):
            self.missing[Cause.NATURAL] = natural
        else:
            self.metric[Cause.NATURAL] = natural.of_draws

    def scores(
        self, sentences: IntArray, replicates: int, seed: int, progress: Advance
    ) -> dict[Cause, _Scores]:
        """The scores by cause."""
        every = sentences[None]
        human = {cause: [scores(every)] for cause, scores in self.human.items()}
        metric = {cause: [scores(every)] for cause, scores in self.metric.items()}
        for draws in sentence_draws(len(sentences), range(replicates_of(len(sentences), replicates)), seed):
            block = sentences[draws]
            for functions, collected in ((self.human, human), (self.metric, metric)):
                for cause, scores in functions.items():
                    collected[cause].append(scores(block))
            progress(len(draws))
        made = {}
        for cause in {**human, **metric}:
            of_people = np.concatenate(human.get(cause, human[Cause.MEASURED]))
            of_metric = np.concatenate(metric.get(cause, metric[Cause.MEASURED]))
            systems = self._systems.get(cause, self._systems[Cause.MEASURED])
            made[cause] = _Scores(systems, of_people[0], of_metric[0], of_people[1:], of_metric[1:])
        return made


class _Compared:
    """Variants of the agreement as measured."""

    def __init__(self, base: _Scores, fault: str | None, confidence: float) -> None:
        self._base, self._fault, self._confidence = base, fault, confidence
        self._reason = why_no_correlation(base.systems, base.human, base.metric, fault)
        self._r = {each: self._value(base, each) for each in COEFFICIENTS}
        self._drawn = {each: base.drawn(each) for each in COEFFICIENTS}

    def variant(self, cause: Cause, scores: _Scores, named: tuple[str, ...] = ()) -> Variant:
        """The correlations of these scores, and their differences from those as measured."""
        reason = why_no_correlation(scores.systems, scores.human, scores.metric, self._fault)
        if reason is not None:
            return self.missing(cause, reason, named, len(scores.systems))
        values = {each: self._value(scores, each) for each in COEFFICIENTS}
        differences = {
            each: self._difference(each, values[each], scores.drawn(each)) for each in COEFFICIENTS
        }
        p_value = None
        r, base = values[Coefficient.PEARSON], self._r[Coefficient.PEARSON]
        if cause is not Cause.MEASURED and r is not None and base is not None:
            drawn = scores.drawn(Coefficient.PEARSON) - self._drawn[Coefficient.PEARSON]
            p_value = p_of_difference(r - base, drawn)
        return Variant(cause, named, len(scores.systems), values, differences, None, p_value)

    def missing(
        self, cause: Cause, reason: str, named: tuple[str, ...] = (), systems: int | None = None
    ) -> Variant:
        """A variant without correlations."""
        none = dict.fromkeys(COEFFICIENTS, Estimate(None, None, None, reason))
        number = len(self._base.systems) if systems is None else systems
        return Variant(cause, named, number, dict.fromkeys(COEFFICIENTS), none, reason)

    def without_errors(
        self, people: float | None, metric: float | None, reason_of_metric: str
    ) -> tuple[Variant, ...]:
        """Pearson's r without the errors of people, of the metric, and of both (Spearman 1904)."""
        known = {Cause.PEOPLE: (people, 1.0), Cause.METRIC: (1.0, metric), Cause.BOTH: (people, metric)}
        made = []
        for cause, (of_people, of_metric) in known.items():
            if of_people is None:
                made.append(self.missing(cause, NO_HALVES))
            elif of_metric is None:
                made.append(self.missing(cause, reason_of_metric))
            else:
                root = float(np.sqrt(of_people * of_metric))
                made.append(self._transformed(cause, partial(np.multiply, 1 / root)))
        return tuple(made)

    def with_spread(self, spread: float) -> Variant:
        """Pearson's r if people's scores of systems had this standard deviation."""
        here = _spread(self._base.human)
        if self._reason is not None or not here:
            return self.missing(Cause.SPREAD, self._reason or "people give every system the same score")
        return self._transformed(Cause.SPREAD, partial(corrected_for_range, ratio=spread / here))

    def halves(self) -> tuple[Variant, ...]:
        """The better and the worse half of the systems, the middle one in both."""
        order = in_human_order(self._base.systems, self._base.human)
        size = -(-len(order) // 2)
        if size < FEWEST_SYSTEMS:
            return tuple(self.missing(cause, TOO_FEW_HERE) for cause in (Cause.BETTER, Cause.WORSE))
        return tuple(
            self.variant(cause, scores := self._base.of(places), scores.systems)
            for cause, places in ((Cause.BETTER, order[:size]), (Cause.WORSE, order[-size:]))
        )

    def without_each(self) -> tuple[Variant, ...]:
        """Each system left out, in the order of human scores."""
        places = range(len(self._base.systems))
        return tuple(
            self.variant(
                Cause.ONE_LEFT_OUT,
                self._base.of([each for each in places if each != place]),
                (self._base.systems[place],),
            )
            for place in in_human_order(self._base.systems, self._base.human)
        )

    def most(self, left_out: Sequence[Variant]) -> Variant:
        """The system whose absence changes Pearson's r most."""
        moved = [
            (abs(difference), each)
            for each in left_out
            if (difference := each.differences[Coefficient.PEARSON].value) is not None
        ]
        if not moved:
            return self.missing(Cause.ONE_LEFT_OUT, self._reason or TOO_FEW_HERE)
        return max(moved, key=lambda pair: pair[0])[1]

    def _transformed(self, cause: Cause, change: Callable[[FloatArray], FloatArray]) -> Variant:
        r = self._r[Coefficient.PEARSON]
        if r is None:
            return self.missing(cause, self._reason or "")
        value = float(np.clip(change(np.array(r)), -1, 1))
        difference = self._difference(Coefficient.PEARSON, value, change(self._drawn[Coefficient.PEARSON]))
        none = Estimate(None, None, None, OF_PEARSON)
        return Variant(
            cause,
            (),
            len(self._base.systems),
            {Coefficient.PEARSON: value, Coefficient.SPEARMAN: None},
            {Coefficient.PEARSON: difference, Coefficient.SPEARMAN: none},
            None,
        )

    def _value(self, scores: _Scores, coefficient: Coefficient) -> float | None:
        if why_no_correlation(scores.systems, scores.human, scores.metric, self._fault) is not None:
            return None
        return correlation(scores.metric, scores.human, coefficient).value

    def _difference(self, coefficient: Coefficient, value: float | None, drawn: FloatArray) -> Estimate:
        base = self._r[coefficient]
        if value is None or base is None:
            return Estimate(None, None, None, self._reason)
        return paired_difference(value, base, drawn - self._drawn[coefficient], self._confidence)


def _corrected(variants: Sequence[Variant]) -> dict[tuple[Cause, tuple[str, ...]], Variant]:
    """The variants by cause and systems, their p-values corrected for all of them."""
    known = {(each.cause, each.named): each for each in variants}
    tested = {key: p for key, each in known.items() if (p := each.p_value) is not None}
    holm = zip(tested, holm_correction([*tested.values()]).tolist(), strict=True)
    return known | {key: replace(known[key], p_value=p) for key, p in holm}


def _reliability_of_metric(scores: _Scores) -> float | None:
    drawn = scores.metric_drawn[np.isfinite(scores.metric_drawn).all(axis=1)]
    if len(drawn) < FEWEST_REPLICATES or len(scores.metric) < 2 or not np.ptp(scores.metric) > 0:
        return None
    share = reliability(scores.metric, drawn)
    return share if share > 0 else None


def _spread(human: FloatArray) -> float | None:
    scored = human[np.isfinite(human)]
    return float(scored.std(ddof=1)) if len(scored) > 1 else None


def _added(base: _Scores, scores: _Scores) -> tuple[str, ...]:
    return tuple(system for system in scores.systems if system not in base.systems)
