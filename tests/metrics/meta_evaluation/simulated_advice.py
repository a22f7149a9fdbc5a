"""Campaigns whose best metric is known, for the advice on which metric to report.

A population is a list of sentences with judgments and metric scores; a campaign draws from it with
replacement, so what is true of its systems on infinitely many sentences is what holds on the whole list.

A metric is *bad* if, on infinitely many sentences and without the source, it agrees less with people than the
best metric by more than the margin that the advice states: Pearson's r by more than .1, on all systems that
count or on those but the outlying one, or acc*eq by more than .05.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from types import MappingProxyType

import numpy as np

from core.arrays import FloatArray, IntArray
from metrics.meta_evaluation import (
    HumanScore,
    JudgedPairs,
    MetricsAndPeople,
    People,
    judged_anew,
    scores_of_sentences,
    system_scores,
)
from metrics.meta_evaluation.advice import Advice, Counted, advice
from metrics.meta_evaluation.comparison import MARGIN, SENTENCE_MARGIN
from metrics.meta_evaluation.stress import StressCard
from metrics.meta_evaluation.tie_calibration import item_pairs, tie_calibration
from ranking import Coefficient, GroupedPairs, Unit, correlation

SOURCE, OUTLIER = "INPUT", "OUTLIER"
SHOWN = 5
BEST = "best"
JUST_NOTICED = 0.5


@dataclass(frozen=True)
class Design:
    """A campaign.

    Attributes:
        systems: those that count, the outlying one among them.
        sentences: of the campaign.
        spread: standard deviation of the quality of systems; that of outputs around it is 1.
        judgments: of each sentence, of five outputs each.
        source: whether the source is judged, 2.5 deviations below the mean of the systems.
        outlier: whether one of the systems is 5 deviations above or below it.
    """

    systems: int
    sentences: int
    spread: float
    judgments: int
    source: bool
    outlier: bool


@dataclass(frozen=True)
class Kind:
    """How a metric errs.

    Attributes:
        correlation: lowest and highest correlation with the quality of systems but source and outlier.
        within: how much of an output's difference from its system it sees.
        noise: standard deviation of its errors in a sentence.
        source: how far from the mean it sees the source, of the distance that people see.
        outlier: the same of the outlying system.
        counts: whether its scores are whole numbers.
    """

    correlation: tuple[float, float]
    within: float
    noise: float
    source: float = 1.0
    outlier: float = 1.0
    counts: bool = False


KINDS: Mapping[str, Kind] = {
    BEST: Kind((0.92, 0.99), 0.8, 0.4),
    "near": Kind((0.88, 0.95), 0.75, 0.5),
    "rival": Kind((0.7, 0.9), 0.7, 0.5),
    "fair": Kind((0.5, 0.8), 0.5, 0.8),
    "weak": Kind((0.0, 0.5), 0.3, 1.0),
    "systems only": Kind((0.92, 0.99), 0.0, 0.8),
    "sentences only": Kind((0.3, 0.7), 0.8, 0.4),
    "source only": Kind((-0.3, 0.3), 0.0, 0.8, source=2.0, outlier=0.0),
    "outlier only": Kind((-0.3, 0.3), 0.2, 0.8, source=0.0, outlier=1.5),
    "counts words": Kind((0.4, 0.7), -0.2, 0.7, source=1.5, outlier=-0.5, counts=True),
}


@dataclass(frozen=True, eq=False)
class Population:
    """N sentences, judged and scored.

    Attributes:
        systems: S names in alphabetical order.
        codes: shape (N, p), pairs as in `GroupedPairs`.
        human: shape (N, S), shares of decided comparisons won.
        seen: shape (N, S), whether somebody saw the output.
        metrics: by name, scores of shape (N, S).
    """

    systems: tuple[str, ...]
    codes: IntArray
    human: FloatArray
    seen: np.typing.NDArray[np.bool_]
    metrics: Mapping[str, FloatArray]

    def campaign(self, drawn: IntArray) -> MetricsAndPeople:
        """The sentences of these numbers as a campaign."""
        starts = np.arange(len(drawn) + 1) * self.codes.shape[1]
        none = np.zeros(0, dtype=np.int64)
        people = People(
            systems=self.systems,
            judges=("judge",),
            pairs=GroupedPairs(
                self.systems, Unit.SENTENCE, starts, self.codes[drawn].ravel().astype(np.int32)
            ),
            judged=JudgedPairs(none, none, none, none, none.astype(np.int8), none, none),
            scores=self.human[drawn],
            z_scores=None,
            texts=np.where(self.seen[drawn], np.arange(len(self.systems)), -1),
            without_z_scores={},
        )
        metrics = tuple(scores_of_sentences(name, scores[drawn]) for name, scores in self.metrics.items())
        return MetricsAndPeople(people, metrics)

    def without(self, metrics: Collection[str]) -> "Population":
        """The population without some of its metrics."""
        return replace(
            self, metrics={name: each for name, each in self.metrics.items() if name not in metrics}
        )

    @cached_property
    def bad(self) -> frozenset[str]:
        """The bad metrics."""
        everything = np.arange(len(self.human))
        data = self.campaign(everything)
        scores = system_scores(data, HumanScore.EXPECTED_WINS, replicates=0)
        counting = [place for place, system in enumerate(self.systems) if system != SOURCE]
        sets = [counting, [place for place in counting if self.systems[place] != OUTLIER]]
        pairs = item_pairs(self.human[:, counting], self.seen[:, counting])
        agreement = [
            *(
                (MARGIN, [_pearson(scores.human[kept], each[kept]) for each in scores.metrics])
                for kept in sets
            ),
            (
                SENTENCE_MARGIN,
                [tie_calibration(pairs, each[:, counting]).accuracy or 0.0 for each in self.metrics.values()],
            ),
        ]
        return frozenset(
            name
            for margin, values in agreement
            for name, value in zip(self.metrics, values, strict=True)
            if value < max(values) - margin
        )


def population(design: Design, rng: np.random.Generator, *, sentences: int = 2000) -> Population:
    """Systems, sentences and metrics for a design."""
    regular = design.systems - design.outlier
    names = [f"S{number:02}" for number in range(regular)]
    standard = _standard(rng.normal(size=regular))
    extra = {SOURCE: -2.5} if design.source else {}
    if design.outlier:
        extra[OUTLIER] = 5.0 * rng.choice([-1, 1])
    systems = sorted([*names, *extra])
    quality = dict(zip(names, standard, strict=True)) | extra
    means = np.array([quality[system] for system in systems])
    within = rng.normal(size=(sentences, len(systems)))
    outputs = design.spread * means + within
    metrics = {}
    for name, kind in KINDS.items():
        r = rng.uniform(*kind.correlation)
        other = rng.normal(size=regular)
        other = _standard(other - standard * (other @ standard) / regular)
        seen = dict(zip(names, r * standard + np.sqrt(1 - r**2) * other, strict=True))
        seen |= {
            system: (kind.source if system == SOURCE else kind.outlier) * extra[system] for system in extra
        }
        scores = design.spread * np.array([seen[system] for system in systems])
        scores = scores + kind.within * within + kind.noise * rng.normal(size=within.shape)
        metrics[name] = np.round(3 * scores) if kind.counts else scores
    return Population(tuple(systems), *judged_outputs(outputs, design.judgments, rng), metrics)


def judged_outputs(
    outputs: FloatArray, judgments: int, rng: np.random.Generator
) -> tuple[IntArray, FloatArray, np.typing.NDArray[np.bool_]]:
    """Codes of pairs, shares won, and what was seen, of outputs of this quality, shape (N, S)."""
    number, size = outputs.shape
    shown_at_once = min(SHOWN, size)
    pairs = np.array(list(combinations(range(shown_at_once), 2)))
    codes, rows = [], np.arange(number)[:, None]
    won, lost = np.zeros((2, number, size))
    for _ in range(judgments):
        shown = np.sort(np.argsort(rng.random(outputs.shape), axis=1)[:, :shown_at_once], axis=1)
        seen = outputs[rows, shown] + rng.normal(size=shown.shape)
        first, second = shown[:, pairs[:, 0]], shown[:, pairs[:, 1]]
        ahead = seen[:, pairs[:, 0]] - seen[:, pairs[:, 1]]
        better, worse = np.where(ahead > 0, first, second), np.where(ahead > 0, second, first)
        decided = np.abs(ahead) > JUST_NOTICED
        codes.append(np.where(decided, better * size + worse, size**2 + first * size + second))
        np.add.at(won, (np.broadcast_to(rows, better.shape)[decided], better[decided]), 1)
        np.add.at(lost, (np.broadcast_to(rows, worse.shape)[decided], worse[decided]), 1)
    compared = won + lost
    human = np.where(compared > 0, won / np.maximum(compared, 1), np.nan)
    return np.concatenate(codes, axis=1), human, compared > 0


def advised(
    people: Population,
    design: Design,
    rng: np.random.Generator,
    *,
    replicates: int = 300,
    stress: Mapping[str, StressCard | str] = MappingProxyType({}),
) -> Advice:
    """The advice of a campaign of this design."""
    data = people.campaign(rng.integers(len(people.human), size=design.sentences))
    seed = int(rng.integers(2**31))
    human = HumanScore.EXPECTED_WINS
    scores = system_scores(data, human, replicates=replicates, seed=seed)
    alone = None
    if SOURCE in data.systems:
        counted = among_themselves(data, [SOURCE])
        again = judged_anew(scores, data.systems, counted, human, replicates=replicates, seed=seed)
        alone = Counted(counted, again)
    return advice(data, scores, apart=[SOURCE], counted_alone=alone, stress=stress)


def among_themselves(data: MetricsAndPeople, apart: Collection[str]) -> MetricsAndPeople:
    """The judgments of the other systems among themselves, with what metrics make of these."""
    pairs, size = data.people.pairs, len(data.systems)
    places = [place for place, system in enumerate(data.systems) if system not in apart]
    fewer, sentences = len(places), len(pairs.starts) - 1
    group = np.repeat(np.arange(sentences), np.diff(pairs.starts))
    tied, first, second = pairs.codes // size**2, pairs.codes % size**2 // size, pairs.codes % size
    kept = np.isin(first, places) & np.isin(second, places)
    tied, group = tied[kept], group[kept]
    better, worse = (np.searchsorted(places, each[kept]) for each in (first, second))
    systems = tuple(data.systems[place] for place in places)
    won, lost = np.zeros((2, sentences, fewer))
    np.add.at(won, (group[tied == 0], better[tied == 0]), 1)
    np.add.at(lost, (group[tied == 0], worse[tied == 0]), 1)
    compared = won + lost
    people = replace(
        data.people,
        systems=systems,
        pairs=GroupedPairs(
            systems,
            Unit.SENTENCE,
            np.concatenate([[0], np.cumsum(np.bincount(group, minlength=sentences))]),
            (tied * fewer**2 + better * fewer + worse).astype(np.int32),
        ),
        scores=np.where(compared > 0, won / np.maximum(compared, 1), np.nan),
        texts=np.where(compared > 0, np.arange(fewer), -1),
    )
    return MetricsAndPeople(people, tuple(metric.in_order(places) for metric in data.metrics))


def random_design(rng: np.random.Generator) -> Design:
    """One of the designs."""
    return Design(
        systems=int(rng.choice([6, 8, 10, 12, 15])),
        sentences=int(rng.choice([100, 300, 600, 1300])),
        spread=float(rng.choice([0.2, 0.5, 1.0])),
        judgments=int(rng.choice([1, 2, 3])),
        source=bool(rng.integers(2)),
        outlier=bool(rng.integers(2)),
    )


def _pearson(human: FloatArray, metric: FloatArray) -> float:
    return correlation(human, metric, Coefficient.PEARSON).value or 0.0


def _standard(values: FloatArray) -> FloatArray:
    centred = values - values.mean()
    return np.asarray(centred / centred.std())
