"""Scores of outputs and systems from scalar judgments (Napoles et al. 2019, "GMEG", section 4.3 and Table 6).

The score of an output is the mean of its ratings; a system's score for a sentence is that of its output, and
its score the mean of its sentences'. So every sentence has the same weight, however often it was judged.

All functions of this package that count pairs accept scalar judgments as pairs: ``count_pairs(snapshot,
by=Scores(tie_width=5))``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray, IntArray
from core.later import pd, sparse
from ranking.judgments.grouped_pairs import Unit
from ranking.judgments.shown_outputs import ShownOutputs
from ranking.judgments.snapshot import scored_outputs, system_names
from ranking.judgments.system_rows import numbered
from ranking.uncertainty.bootstrap import ResamplingError, expanded_tails

MEAN_UNITS = (Unit.SENTENCE, Unit.ANNOTATOR)
"""Units that can be resampled for mean scores."""

RESAMPLES_PER_BLOCK = 100
"""Resamples of annotators that are held at once; 100 of 1,312 sentences by 13 systems take 14 MB."""


@dataclass(frozen=True, slots=True)
class SystemMean:
    """The mean score of one system.

    Attributes:
        system: its name.
        score: the mean of its sentences' mean scores, on the scale of the ratings; None if it has none.
        sentences: number of sentences in the mean.
        ratings: number of ratings of its outputs.
        reason: why there is no score, in words; None if there is one.
    """

    system: str
    score: float | None
    sentences: int
    ratings: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class Interval:
    """The interval of a mean by the bootstrap.

    Attributes:
        low: lower bound; None if it cannot be computed.
        high: upper bound; None where `low` is.
        reason: why there is no interval, in words; None if there is one.
    """

    low: float | None
    high: float | None
    reason: str | None


@dataclass(frozen=True, slots=True, eq=False)
class MeanReplicates:
    """The systems' scores in resamples of the judgments.

    Attributes:
        systems: the S systems, in alphabetical order.
        unit: the unit that was drawn.
        scores: shape (B, S); NaN where a resample holds no rating of the system.
        units: shape (S,); number of units with ratings of the system.
        groups: number of units to draw from.
    """

    systems: tuple[str, ...]
    unit: Unit
    scores: FloatArray
    units: IntArray
    groups: int

    def intervals(self, confidence: float) -> dict[str, Interval]:
        """The interval of each system over the resamples that hold ratings of it.

        Percentiles are expanded for few units (`ranking.uncertainty.bootstrap.expanded_tails`).
        """
        tails = expanded_tails(confidence, self.units)
        intervals = {}
        for system, scores, units, tail in zip(
            self.systems, self.scores.T, self.units.tolist(), tails.tolist(), strict=True
        ):
            defined = scores[~np.isnan(scores)]
            if units < 2 or not len(defined):
                holder = "no" if units == 0 else "only one" if units == 1 else "no drawn"
                intervals[system] = Interval(None, None, f"{holder} {self.unit} has ratings of it")
            else:
                low, high = np.quantile(defined, [tail, 1 - tail]).tolist()
                intervals[system] = Interval(low, high, None)
        return intervals


@dataclass(frozen=True, slots=True, eq=False)
class Standardised:
    """A snapshot with z-scores.

    Attributes:
        snapshot: the snapshot, each score replaced by its annotator's z-score; missing for those left out.
        left_out: why an annotator has no z-scores, by name.
    """

    snapshot: pd.DataFrame
    left_out: Mapping[str, str]


def output_means(snapshot: pd.DataFrame) -> pd.DataFrame:
    """The score of each output: a row for each, with the columns `sentence`, `output`, `score` and `ratings`.

    Raises `SnapshotError` as `ranking.scored_outputs` does.
    """
    ratings = scored_outputs(snapshot).groupby(["sentence", "output"])["score"]
    return ratings.agg(score="mean", ratings="size").reset_index()


def system_means(snapshot: pd.DataFrame) -> tuple[SystemMean, ...]:
    """The score of each system of the snapshot, best first, systems without a score last.

    Raises `SnapshotError` as `ranking.scored_outputs` does.
    """
    cells = _cells(snapshot)
    scores = (cells["total"] / cells["ratings"]).groupby(cells["system"], observed=False)
    figures = pd.DataFrame(
        {
            "score": scores.mean(),
            "sentences": scores.size(),
            "ratings": cells.groupby("system", observed=False)["ratings"].sum(),
        }
    )
    means = [
        SystemMean(str(system), score, int(sentences), int(ratings), None)
        if sentences
        else SystemMean(str(system), None, 0, 0, "none of its outputs was scored")
        for system, score, sentences, ratings in figures.itertuples()
    ]
    return tuple(sorted(means, key=lambda mean: (mean.score is None, -(mean.score or 0.0), mean.system)))


def mean_replicates(snapshot: pd.DataFrame, unit: Unit, resamples: int, seed: int) -> MeanReplicates:
    """The systems' scores in resamples of sentences or of annotators, each with all its ratings.

    Each resample draws as many as there are, with replacement. Resampling sentences shows how the scores
    would vary with other sentences, resampling annotators how they would vary with other annotators. In
    resamples of annotators, too, all sentences with a rating have the same weight.

    Raises `ResamplingError` for other units, `SnapshotError` as `ranking.scored_outputs` does.
    """
    draws = MeanDraws(snapshot, unit)
    return draws.replicates(draws.scores(resamples, seed))


class MeanDraws:
    """Draws the systems' scores in resamples of sentences or of annotators; shared sums are computed once.

    Raises as `mean_replicates` does.
    """

    def __init__(self, snapshot: pd.DataFrame, unit: Unit) -> None:
        if unit not in MEAN_UNITS:
            raise ResamplingError(f"mean scores are resampled by {' or '.join(MEAN_UNITS)}, not by {unit}")
        self._ratings = (_OfSentences if unit is Unit.SENTENCE else _OfAnnotators)(snapshot)
        self._unit = unit

    def scores(self, resamples: int, seed: int) -> FloatArray:
        """The scores, shape (resamples, S), drawn as a whole."""
        weights = _weights(self._ratings.groups, resamples, np.random.default_rng(seed))
        return self._ratings.scores(weights)

    def replicates(self, scores: FloatArray) -> MeanReplicates:
        """The scores that were drawn, with their systems and units."""
        of = self._ratings
        return MeanReplicates(of.systems, self._unit, scores, of.units, of.groups)


def mean_intervals(
    snapshot: pd.DataFrame,
    *,
    unit: Unit,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int,
) -> dict[str, Interval]:
    """Bootstrap intervals of the systems' scores, by name of the system (`mean_replicates`).

    Raises `ResamplingError` and `SnapshotError` as `mean_replicates` does, `ValueError` for numbers out of
    range.
    """
    if resamples < 1 or not 0 < confidence < 1:
        raise ValueError(f"{resamples} resamples at confidence {confidence}: at least 1, and between 0 and 1")
    return mean_replicates(snapshot, unit, resamples, seed).intervals(confidence)


def standardised(snapshot: pd.DataFrame) -> Standardised:
    """The z-scores: each score less its annotator's mean, divided by their standard deviation (n - 1).

    They remove differences in how strict annotators are and in how much of the scale they use.

    Raises `SnapshotError` as `ranking.scored_outputs` does.
    """
    scored_outputs(snapshot)
    scores = snapshot["score"].astype("float64")
    by_annotator = scores.groupby(snapshot["annotator"])
    varies = by_annotator.transform("max") > by_annotator.transform("min")
    left_out = {
        str(annotator): "only one score" if count == 1 else "all scores are the same"
        for annotator, count, least, most in by_annotator.agg(["count", "min", "max"]).itertuples()
        if least == most
    }
    z_scores = (scores - by_annotator.transform("mean")) / by_annotator.transform("std").where(varies)
    return Standardised(snapshot.assign(score=z_scores), left_out)


def _cells(snapshot: pd.DataFrame) -> pd.DataFrame:
    """One row per system and sentence that has ratings: their `total` and the number of `ratings`.

    `system` knows all the systems of the snapshot.
    """
    outputs = scored_outputs(snapshot)
    shown = ShownOutputs(outputs, system_names(snapshot))
    ones = np.bincount(shown.number, minlength=len(shown.systems))
    return shown.of_systems(total=shown.sums(outputs["score"].to_numpy()), ratings=ones)


class _OfSentences:
    """Scores of the systems by sentence.

    Attributes: see `MeanReplicates`.
    """

    def __init__(self, snapshot: pd.DataFrame) -> None:
        cells = _cells(snapshot)
        codes, sentences = pd.factorize(cells["sentence"], sort=True)
        self._scores = np.zeros((len(sentences), len(cells["system"].cat.categories)))
        self._scored = np.zeros_like(self._scores)
        self._scores[codes, cells["system"].cat.codes] = cells["total"] / cells["ratings"]
        self._scored[codes, cells["system"].cat.codes] = 1
        self.systems = tuple(cells["system"].cat.categories)
        self.units: IntArray = self._scored.sum(axis=0).astype(np.int64)
        self.groups = len(sentences)

    def scores(self, weights: FloatArray) -> FloatArray:
        """Scores of resamples that hold each sentence so often, shape (resamples, sentences)."""
        return _ratio(weights @ self._scores, weights @ self._scored)


class _OfAnnotators:
    """Ratings by annotator.

    Attributes: see `MeanReplicates`.
    """

    def __init__(self, snapshot: pd.DataFrame) -> None:
        outputs = scored_outputs(snapshot)
        self.systems = names = system_names(snapshot)
        shown = ShownOutputs(outputs, names)
        annotators, _ = pd.factorize(outputs["annotator"], sort=True)
        self.groups = int(annotators.max(initial=-1)) + 1
        shape = (len(shown.systems), self.groups)
        self._totals = sparse.csr_array(
            (outputs["score"].to_numpy(), (shown.number, annotators)), shape=shape
        )
        self._counts = sparse.csr_array((np.ones(len(outputs)), (shown.number, annotators)), shape=shape)
        del outputs
        cell = numbered(shown.system, shown.sentence)
        owner = np.empty(int(cell.max(initial=-1)) + 1, dtype=np.int64)
        owner[cell] = shown.system
        self._of_cells = sparse.csr_array(
            (np.ones(len(cell)), (cell, shown.place)), shape=(len(owner), shape[0])
        )
        self._of_systems = sparse.csr_array(
            (np.ones(len(owner)), (owner, np.arange(len(owner)))), shape=(len(names), len(owner))
        )
        rated = (self._of_systems @ self._of_cells @ self._counts).toarray()
        self.units: IntArray = np.count_nonzero(rated, axis=1).astype(np.int64)

    def scores(self, weights: FloatArray) -> FloatArray:
        """Scores of resamples that hold each annotator so often, shape (resamples, annotators)."""
        of_cells, of_systems = self._of_cells, self._of_systems
        replicates = [np.empty((0, len(self.systems)))]
        for first in range(0, len(weights), RESAMPLES_PER_BLOCK):
            block = weights[first : first + RESAMPLES_PER_BLOCK].T
            rated = np.asarray(of_cells @ (self._counts @ block))
            scores = np.asarray(of_cells @ (self._totals @ block)) / np.maximum(rated, 1)
            replicates.append(_ratio(np.asarray(of_systems @ scores), np.asarray(of_systems @ (rated > 0))).T)
        return np.concatenate(replicates)


def _weights(units: int, resamples: int, rng: np.random.Generator) -> FloatArray:
    """How often each resample holds each unit, shape (resamples, units)."""
    if not units:
        return np.zeros((resamples, 0))
    return rng.multinomial(units, np.full(units, 1 / units), size=resamples).astype(np.float64)


def _ratio(totals: FloatArray, counts: FloatArray) -> FloatArray:
    return np.divide(totals, counts, out=np.full_like(totals, np.nan), where=counts > 0)
