"""One annotator against the others, in the figures that metrics have: a human ceiling of these figures.

By systems, the scores that one annotator's judgments give are compared with those of all other annotators
together; the mean over annotators is weighted by their pairs of systems (GJG15, section 6.3 and Table 6).
By sentences, an annotator's judgment of two outputs takes the place of the metric, and is compared with each
judgment of the same two outputs by another annotator.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from core.arrays import FloatArray, IntArray
from core.later import pd
from core.progress import Advance
from metrics.meta_evaluation.compared_data import MetricsAndPeople
from metrics.meta_evaluation.estimates import NOTHING_RESAMPLED, Estimate
from metrics.meta_evaluation.human_judgments import HumanScore
from metrics.meta_evaluation.system_level import FEWEST_SYSTEMS, TOO_FEW, accuracies
from ranking import (
    Coefficient,
    Method,
    Ranks,
    Scores,
    Unit,
    group_pairs,
    replicate_coefficients,
    scores_of_draws,
    standardised,
)
from ranking.judgments.snapshot import holds_scores, scored_outputs
from ranking.judgments.system_rows import system_lists
from ranking.uncertainty.bootstrap import expanded_tails

ALONE = "only one annotator judged these systems"
NO_ALL = "no annotator has a score of every system, as the others together have"
FEWEST_ANNOTATORS = 3
"""Of two annotators, each agrees with the other alike, so their agreement does not vary."""
NO_INTERVAL = f"an interval needs {FEWEST_ANNOTATORS} annotators who have a score of every system"


@dataclass(frozen=True, slots=True)
class SystemCeiling:
    """One annotator against the others, by systems.

    Attributes:
        annotators: how many have a score of every system, as the others together have.
        correlations: Pearson's r, Spearman's rho and Kendall's tau-b of both scores.
        accuracy: share of the pairs of systems that one annotator orders as the others do.
    """

    annotators: int
    correlations: Mapping[Coefficient, Estimate]
    accuracy: Estimate


def ceiling_of_systems(
    data: MetricsAndPeople,
    snapshot: pd.DataFrame,
    human: HumanScore,
    *,
    tie_width: float = 0.0,
    replicates: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    threads: int = 1,
    progress: Advance | None = None,
) -> SystemCeiling:
    """How far the scores of systems by one annotator agree with those by all others.

    Annotators without a score of every system are left out. Intervals resample annotators.

    Args:
        data: metrics and people.
        snapshot: the judgments of its people, of its systems alone.
        human: how people score systems.
        tie_width: largest difference of two scores that tie as a pair.
        replicates: number of resamples of the annotators; 0 for no intervals.
        confidence: confidence level of the intervals.
        seed: seed of the resamples.
        threads: are used by TrueSkill.
        progress: called with 0 between the parts of the work; an exception that it raises ends it.

    Raises:
        SnapshotError: z-scores of rankings.
    """
    tell = progress or (lambda parts: None)
    scored = holds_scores(snapshot)
    pairs = group_pairs(snapshot, Unit.ANNOTATOR, Scores(tie_width) if scored else Ranks())
    if len(pairs.names) < 2:
        return _nothing(ALONE)
    if len(data.systems) < FEWEST_SYSTEMS:
        return _nothing(TOO_FEW)
    weights = np.diff(pairs.starts)
    tell(0)
    if human in (HumanScore.MEAN, HumanScore.Z):
        names, systems = pairs.names, data.systems
        entries = _ratings(snapshot, human, names, systems) if scored else _shares(data, names)
        own, rest = entries.means(len(names), len(systems))
    else:
        every = np.arange(len(pairs.names))
        others = every[None, :-1] + (every[None, :-1] >= every[:, None])
        score = scores_of_draws(Method(human.value), pairs, threads=threads)
        own = score(every[:, None])
        tell(0)
        rest = score(others)
        tell(0)
    there = np.isfinite(own).all(axis=1) & np.isfinite(rest).all(axis=1)
    if not there.any():
        return _nothing(NO_ALL)
    estimate = partial(_mean, weights=weights[there], replicates=replicates, confidence=confidence, seed=seed)
    own, rest = own[there], rest[there]
    return SystemCeiling(
        annotators=int(np.count_nonzero(there)),
        correlations={
            coefficient: estimate(replicate_coefficients(rest, own, coefficient))
            for coefficient in Coefficient
        },
        accuracy=estimate(accuracies(rest, own)),
    )


def _nothing(reason: str) -> SystemCeiling:
    none = Estimate(None, None, None, reason)
    return SystemCeiling(0, dict.fromkeys(Coefficient, none), none)


def _mean(
    values: FloatArray, *, weights: IntArray, replicates: int, confidence: float, seed: int
) -> Estimate:
    """The weighted mean of the annotators' values, shape (J,), with its interval over annotators."""
    defined = np.isfinite(values)
    if not defined.any():
        return Estimate(None, None, None, "all systems have the same score")
    values, weights = values[defined], weights[defined].astype(np.float64)
    value = float(np.average(values, weights=weights))
    if len(values) < FEWEST_ANNOTATORS:
        return Estimate(value, None, None, NO_INTERVAL)
    if not replicates:
        return Estimate(value, None, None, NOTHING_RESAMPLED)
    rng = np.random.default_rng(seed)
    times = rng.multinomial(len(values), np.full(len(values), 1 / len(values)), size=replicates)
    drawn = times @ (weights * values) / (times @ weights)
    tail = float(expanded_tails(confidence, np.array([len(values)]))[0])
    low, high = np.quantile(drawn, [tail, 1 - tail]).tolist()
    return Estimate(value, low, high, None)


@dataclass(frozen=True, slots=True, eq=False)
class _Entries:
    """What N annotators say of outputs: a sentence's score of a system is the sum of `gained` over `of`.

    Attributes:
        annotator: shape (N,).
        sentence: shape (N,).
        system: shape (N,).
        gained: shape (N,).
        of: shape (N,).
    """

    annotator: IntArray
    sentence: IntArray
    system: IntArray
    gained: FloatArray
    of: FloatArray

    def means(self, annotators: int, systems: int) -> tuple[FloatArray, FloatArray]:
        """The mean over sentences of each system by each annotator and by all others, shape (J, S) each."""
        cells, cell = np.unique(self.sentence * np.int64(systems) + self.system, return_inverse=True)
        keys, entry = np.unique(cell * np.int64(annotators) + self.annotator, return_inverse=True)
        cell, annotator = np.divmod(keys, annotators)
        gained, of = (np.bincount(entry, values) for values in (self.gained, self.of))
        all_gained, all_of = (np.bincount(cell, values) for values in (gained, of))
        system = cells % systems
        place = annotator * systems + system[cell]
        size = annotators * systems

        def summed(values: FloatArray) -> FloatArray:
            sums: FloatArray = np.bincount(place, values, minlength=size).astype(np.float64)
            return sums.reshape(annotators, systems)

        own = _ratio(summed(gained / of), summed(np.ones(len(keys))))
        is_shared = all_of[cell] > of
        left = np.where(is_shared, (all_gained[cell] - gained) / np.where(is_shared, all_of[cell] - of, 1), 0)
        of_all = np.bincount(system, all_gained / all_of, minlength=systems)
        number = np.bincount(system, minlength=systems)
        rest = _ratio(
            of_all - summed(all_gained[cell] / all_of[cell]) + summed(left),
            number - summed(np.where(is_shared, 0.0, 1.0)),
        )
        return own, rest


def _ratio(total: FloatArray, number: FloatArray) -> FloatArray:
    return np.where(number > 0, total / np.where(number > 0, number, 1), np.nan)


def _ratings(
    snapshot: pd.DataFrame, human: HumanScore, annotators: Sequence[str], systems: tuple[str, ...]
) -> _Entries:
    """The ratings of outputs, each for all systems of the output."""
    outputs = scored_outputs(standardised(snapshot).snapshot if human is HumanScore.Z else snapshot)
    row, system = system_lists(outputs["systems"], systems).exploded(np.arange(len(outputs), dtype=np.int32))
    annotator = pd.Index(annotators).get_indexer(pd.Index(outputs["annotator"].astype("object")))
    chosen = annotator[row] >= 0
    row, system = row[chosen], system[chosen].astype(np.int64)
    return _Entries(
        annotator[row].astype(np.int64),
        outputs["sentence"].to_numpy(dtype=np.int64)[row],
        system,
        outputs["score"].to_numpy(dtype=np.float64)[row],
        np.ones(len(row)),
    )


def _shares(data: MetricsAndPeople, annotators: Sequence[str]) -> _Entries:
    """The decided comparisons of outputs, each for both systems."""
    people = data.people
    decided = people.judged.only(people.judged.outcome != 0)
    annotator = pd.Index(annotators).get_indexer(pd.Index(people.judges))[decided.judge].astype(np.int64)
    won = (decided.outcome > 0).astype(np.float64)
    return _Entries(
        np.tile(annotator, 2),
        np.tile(decided.sentence.astype(np.int64), 2),
        np.concatenate([decided.first, decided.second]).astype(np.int64),
        np.concatenate([won, 1 - won]),
        np.ones(2 * len(won)),
    )
