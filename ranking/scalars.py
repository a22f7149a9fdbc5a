"""Scores of outputs and systems from scalar judgments (Napoles et al. 2019, "GMEG", section 4.3 and Table 6).

The score of an output is the mean of its ratings; a system's score for a sentence is that of its output, and
its score the mean of its sentences'. So every sentence weighs the same, however often it was judged.

As pairs, scalar judgments feed everything in this package: ``count_pairs(snapshot, by=Scores(tie_width=5))``.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.sparse import csr_array

from ranking.bootstrap import ResamplingError
from ranking.resampling import Unit
from ranking.snapshot import SnapshotError, scored_outputs, system_names

FloatArray = NDArray[np.float64]

MEAN_UNITS = (Unit.SENTENCE, Unit.JUDGE)
"""What can be drawn to see how far mean scores would move."""

RESAMPLES_PER_BLOCK = 100
"""Resamples of judges that are held at once; 100 of 1,312 sentences by 13 systems take 14 MB."""


@dataclass(frozen=True, slots=True)
class SystemMean:
    """The mean score of one system.

    Attributes:
        system: its name.
        score: the mean of its sentences' mean scores, on the scale of the ratings; None where it has none.
        sentences: over how many sentences the mean is.
        ratings: how many ratings its outputs were given.
        reason: why there is no score, in words; None where there is one.
    """

    system: str
    score: float | None
    sentences: int
    ratings: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class Interval:
    """Where a mean lies by the bootstrap.

    Attributes:
        low: lower bound; None where it cannot be computed.
        high: upper bound; None where `low` is.
        reason: why there is no interval, in words; None where there is one.
    """

    low: float | None
    high: float | None
    reason: str | None


@dataclass(frozen=True, slots=True, eq=False)
class MeanReplicates:
    """The systems' scores in resamples of the judgments.

    Attributes:
        systems: the S systems, in alphabetical order.
        unit: what was drawn.
        scores: shape (B, S); NaN where a resample holds no rating of the system.
        units: shape (S,); how many units have ratings of the system.
        groups: how many units there were to draw from.
    """

    systems: tuple[str, ...]
    unit: Unit
    scores: FloatArray
    units: NDArray[np.int64]
    groups: int

    def intervals(self, confidence: float) -> dict[str, Interval]:
        """The percentile interval of each system; a resample without ratings of it does not count for it."""
        bounds = [(1 - confidence) / 2, (1 + confidence) / 2]
        intervals = {}
        for system, scores, known in zip(self.systems, self.scores.T, self.units.tolist(), strict=True):
            defined = scores[~np.isnan(scores)]
            if known < 2 or not len(defined):
                holder = "no" if known == 0 else "only one" if known == 1 else "no drawn"
                intervals[system] = Interval(None, None, f"{holder} {self.unit} has ratings of it")
            else:
                low, high = np.quantile(defined, bounds).tolist()
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


@dataclass(frozen=True, slots=True)
class SystemChanges:
    """How much one system changes (GMEG, Table 6 and section 4.3).

    Attributes:
        system: its name.
        sentences: the sentences with an output of the system.
        unchanged: the share of these whose output is the source's; None where the source is not known.
        flagged: the mean over sentences of the share of ratings that say "meaning changed"; None without any.
        flagged_by_most: the share of sentences where more than half of the ratings say so; None without any.
        reason: what is missing, and why, in words; None where nothing is.
    """

    system: str
    sentences: int
    unchanged: float | None
    flagged: float | None
    flagged_by_most: float | None
    reason: str | None


def output_means(snapshot: pd.DataFrame) -> pd.DataFrame:
    """The score of each output: a row each, with the columns `sentence`, `output`, `score` and `ratings`.

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
    found = pd.DataFrame(
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
        for system, score, sentences, ratings in found.itertuples()
    ]
    return tuple(sorted(means, key=lambda mean: (mean.score is None, -(mean.score or 0.0), mean.system)))


def mean_replicates(snapshot: pd.DataFrame, unit: Unit, resamples: int, seed: int) -> MeanReplicates:
    """The systems' scores in resamples of sentences or of judges, each with all its ratings.

    As many are drawn with replacement as there are. Resampling sentences answers for other sentences,
    resampling judges for other judges. In resamples of judges, too, each sentence with a rating weighs the
    same.

    Raises `ResamplingError` for other units, `SnapshotError` as `ranking.scored_outputs` does.
    """
    if unit not in MEAN_UNITS:
        raise ResamplingError(f"mean scores are resampled by {' or '.join(MEAN_UNITS)}, not by {unit}")
    draw = _resample_sentences if unit is Unit.SENTENCE else _resample_judges
    return draw(snapshot, resamples, np.random.default_rng(seed))


def mean_intervals(
    snapshot: pd.DataFrame,
    *,
    unit: Unit,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int,
) -> dict[str, Interval]:
    """Percentile bootstrap intervals of the systems' scores, by name of the system (`mean_replicates`).

    Raises `ResamplingError` and `SnapshotError` as `mean_replicates` does, `ValueError` for numbers out of
    range.
    """
    if resamples < 1 or not 0 < confidence < 1:
        raise ValueError(f"{resamples} resamples at confidence {confidence}: at least 1, and between 0 and 1")
    return mean_replicates(snapshot, unit, resamples, seed).intervals(confidence)


def standardised(snapshot: pd.DataFrame) -> Standardised:
    """The z-scores: each score less the mean of its annotator's, over their standard deviation (n - 1).

    They take out that annotators are strict or generous, and use the scale narrowly or widely.

    Raises `SnapshotError` as `ranking.scored_outputs` does.
    """
    scored_outputs(snapshot)
    scores = snapshot["score"].astype("float64")
    own = scores.groupby(snapshot["annotator"])
    varies = own.transform("max") > own.transform("min")
    left_out = {
        str(annotator): "only one score" if count == 1 else "all scores are the same"
        for annotator, count, least, most in own.agg(["count", "min", "max"]).itertuples()
        if least == most
    }
    z_scores = (scores - own.transform("mean")) / own.transform("std").where(varies)
    return Standardised(snapshot.assign(score=z_scores), left_out)


def system_changes(snapshot: pd.DataFrame, source: str | None) -> tuple[SystemChanges, ...]:
    """How much each system changes, in alphabetical order (GMEG, Table 6).

    An output is unchanged where `source`, the name of the system that is the unchanged source, is among its
    systems, since systems of the same text share one output; None where it is not known which one that is.
    `meaning_changed` is missing where nobody asked.

    Raises `SnapshotError` for missing columns.
    """
    columns = ["sentence", "output", "systems", "meaning_changed"]
    missing = [column for column in columns if column not in snapshot.columns]
    if missing:
        raise SnapshotError(f"the snapshot lacks the columns: {', '.join(missing)}")
    names = system_names(snapshot)
    rows = snapshot.loc[snapshot["output"].notna(), columns]
    rows = rows.assign(unchanged=[source in systems for systems in rows["systems"]]).explode("systems")
    grouped = rows.groupby(["systems", "sentence"])
    cells = pd.DataFrame(
        {
            "unchanged": grouped["unchanged"].any(),
            "flagged": grouped["meaning_changed"].mean().astype("float64"),
        }
    )
    no_source = None
    if source not in names:
        no_source = f"{source or 'the unchanged source'} is not among the systems"
    return tuple(_changes(system, own, no_source) for system, own in cells.groupby("systems"))


def _changes(system: object, cells: pd.DataFrame, no_source: str | None) -> SystemChanges:
    flagged = cells["flagged"].dropna()
    no_flag = None if len(flagged) else "nobody was asked whether the meaning changed"
    return SystemChanges(
        system=str(system),
        sentences=len(cells),
        unchanged=None if no_source else float(cells["unchanged"].mean()),
        flagged=None if no_flag else float(flagged.mean()),
        flagged_by_most=None if no_flag else float((flagged > 0.5).mean()),
        reason="; ".join(filter(None, (no_source, no_flag))) or None,
    )


def _ratings(snapshot: pd.DataFrame) -> pd.DataFrame:
    """One row per rating and system that it holds for; `system` knows all the systems of the snapshot."""
    ratings = scored_outputs(snapshot).explode("systems", ignore_index=True)
    system = pd.Categorical(ratings["systems"], categories=system_names(snapshot))
    return ratings.assign(system=system)


def _cells(snapshot: pd.DataFrame) -> pd.DataFrame:
    """One row per system and sentence that has ratings: their `total` and the number of `ratings`."""
    ratings = _ratings(snapshot).groupby(["system", "sentence"], observed=True)["score"]
    return ratings.agg(total="sum", ratings="size").reset_index()


def _resample_sentences(snapshot: pd.DataFrame, resamples: int, rng: np.random.Generator) -> MeanReplicates:
    cells = _cells(snapshot)
    codes, sentences = pd.factorize(cells["sentence"], sort=True)
    scores = np.zeros((len(sentences), len(cells["system"].cat.categories)))
    scored = np.zeros_like(scores)
    scores[codes, cells["system"].cat.codes] = cells["total"] / cells["ratings"]
    scored[codes, cells["system"].cat.codes] = 1
    weights = _weights(len(sentences), resamples, rng)
    return MeanReplicates(
        systems=tuple(cells["system"].cat.categories),
        unit=Unit.SENTENCE,
        scores=_ratio(weights @ scores, weights @ scored),
        units=scored.sum(axis=0).astype(np.int64),
        groups=len(sentences),
    )


def _resample_judges(snapshot: pd.DataFrame, resamples: int, rng: np.random.Generator) -> MeanReplicates:
    ratings = _ratings(snapshot)
    annotators, _ = pd.factorize(ratings["annotator"], sort=True)
    systems = ratings["system"].cat.codes.to_numpy()
    cells, index = pd.factorize(pd.MultiIndex.from_arrays([systems, ratings["sentence"]]))
    shape = (len(index), int(annotators.max(initial=-1)) + 1)
    totals = csr_array((ratings["score"].to_numpy(), (cells, annotators)), shape=shape)
    counts = csr_array((np.ones(len(ratings)), (cells, annotators)), shape=shape)
    n_systems = len(ratings["system"].cat.categories)
    owner = index.get_level_values(0).to_numpy(dtype=np.int64)
    sums = csr_array((np.ones(len(index)), (owner, np.arange(len(index)))), shape=(n_systems, len(index)))
    replicates = [np.empty((0, n_systems))]
    weights = _weights(shape[1], resamples, rng)
    for first in range(0, resamples, RESAMPLES_PER_BLOCK):
        block = weights[first : first + RESAMPLES_PER_BLOCK].T
        rated = np.asarray(counts @ block)
        scores = np.asarray(totals @ block) / np.maximum(rated, 1)
        replicates.append(_ratio(np.asarray(sums @ scores), np.asarray(sums @ (rated > 0))).T)
    judges = ratings.groupby("system", observed=False)["annotator"].nunique()
    return MeanReplicates(
        systems=tuple(ratings["system"].cat.categories),
        unit=Unit.JUDGE,
        scores=np.concatenate(replicates),
        units=judges.to_numpy().astype(np.int64),
        groups=shape[1],
    )


def _weights(units: int, resamples: int, rng: np.random.Generator) -> FloatArray:
    """How often each resample holds each unit, shape (resamples, units)."""
    if not units:
        return np.zeros((resamples, 0))
    return rng.multinomial(units, np.full(units, 1 / units), size=resamples).astype(np.float64)


def _ratio(totals: FloatArray, counts: FloatArray) -> FloatArray:
    return np.divide(totals, counts, out=np.full_like(totals, np.nan), where=counts > 0)
