"""Reliability of scalar judgments: split halves (GMEG, section 4.3 and Table 7) and intraclass correlation.

An annotator who scored an output several times counts once, with the mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from core.later import pd, stats
from ranking.judgments.snapshot import scored_outputs
from ranking.judgments.system_rows import alphabetical, numbered, runs


@dataclass(frozen=True, slots=True)
class HalfCorrelation:
    """Correlation of the scores of two groups of annotators, averaged over the samples.

    Attributes:
        pearson: mean of Pearson's r; None if it cannot be computed.
        spearman: mean of Spearman's rho; None where `pearson` is.
        n: how many outputs, or systems, are correlated.
        reason: why there is no value, in words; None if there is one.
    """

    pearson: float | None
    spearman: float | None
    n: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class SplitHalf:
    """The reliability of the scores of a group of annotators.

    Attributes:
        group_size: how many annotators are in each of the two groups.
        samples: how many splits the means are over.
        sentence: over the distinct outputs of all sentences together.
        system: over systems, whose scores are means over sentences.
        left_out: how many scored outputs have too few annotators for two groups.
    """

    group_size: int
    samples: int
    sentence: HalfCorrelation
    system: HalfCorrelation
    left_out: int


@dataclass(frozen=True, slots=True)
class IntraclassCorrelation:
    """ICC of the one-way random effects model: ICC(1,1) and ICC(1,k) of Shrout and Fleiss 1979.

    Attributes:
        single: ICC(1,1), the reliability of one rating; None if it cannot be computed.
        low: lower bound of its F interval; None where `single` is.
        high: upper bound; None where `single` is.
        average: ICC(1,k), the reliability of the mean of k ratings; None where `single` is, and where the
            means of all outputs are equal.
        k: ratings of an output; the k0 of the analysis of variance if their numbers differ.
        outputs: how many outputs it rests on, those with a single rating included.
        ratings: how many ratings.
        reason: what is missing and why, in words; None if nothing is missing.
    """

    single: float | None
    low: float | None
    high: float | None
    average: float | None
    k: float | None
    outputs: int
    ratings: int
    reason: str | None


def split_half(snapshot: pd.DataFrame, *, group_size: int = 4, samples: int = 100, seed: int) -> SplitHalf:
    """Correlate the mean scores of two random groups of annotators of each output (GMEG, Table 7).

    In each sample the annotators of a sentence are put into random order. The first `group_size` of those who
    scored an output form one group and the next ones the other, so outputs of a screen have equal groups. By
    Spearman and Brown's formula the expected value on the sentence level is the reliability of the mean of
    `group_size` ratings. A sample in which all scores of a group are equal does not count.

    Raises `SnapshotError` as `ranking.scored_outputs` does, `ValueError` for numbers below 1.
    """
    if group_size < 1 or samples < 1:
        raise ValueError(f"{samples} samples of groups of {group_size} are impossible: ask for 1 or more")
    ratings = _ratings(snapshot)
    enough = np.bincount(ratings["number"])[ratings["number"]] >= 2 * group_size
    used = ratings[enough]
    used = used.assign(number=pd.factorize(used["number"])[0])
    shuffles = _Shuffles(used, group_size)
    systems = used.drop_duplicates("number")["systems"].reset_index(drop=True).explode()
    owners, names = pd.factorize(systems)
    produced = systems.index.to_numpy()
    rng = np.random.default_rng(seed)
    by_output, by_system = [], []
    for _ in range(samples if len(used) else 0):
        means = shuffles.means(rng)
        by_output.append(_correlations(*means))
        by_system.append(
            _correlations(*(np.bincount(owners, scores[produced]) / np.bincount(owners) for scores in means))
        )
    return SplitHalf(
        group_size,
        samples,
        sentence=_mean(by_output, used["number"].nunique(), "output", group_size),
        system=_mean(by_system, len(names), "system", group_size),
        left_out=ratings["number"].nunique() - used["number"].nunique(),
    )


LARGEST_HALF = 4
"""Annotators in each of two groups: GMEG, section 4.3, took 4 of 8."""


def split_half_of_all(snapshot: pd.DataFrame) -> SplitHalf:
    """Split-half reliability with half the annotators of the median output, at most `LARGEST_HALF`.

    Raises `SnapshotError` as `ranking.scored_outputs` does.
    """
    annotators = scored_outputs(snapshot).groupby(["sentence", "output"])["annotator"].nunique()
    half = int(annotators.median()) // 2 if len(annotators) else 0
    return split_half(snapshot, group_size=min(max(half, 1), LARGEST_HALF), seed=0)


class _Shuffles:
    """Random halves of the annotators of each output, drawn again and again.

    Args:
        ratings: those of an output stand together, each of another annotator.
        group_size: annotators in each half.
    """

    def __init__(self, ratings: pd.DataFrame, group_size: int) -> None:
        outputs = ratings["number"].to_numpy()
        starts, sizes = runs(outputs)
        place = np.arange(len(outputs)) - np.repeat(starts, sizes)
        halves = place // group_size
        self._group_size = group_size
        self._scores = ratings["score"].to_numpy()
        seats = ratings["sentence"] * (ratings["annotator"].max() + 1) + ratings["annotator"]
        self._annotators, _ = pd.factorize(seats, sort=True)
        self._number_of_annotators = int(self._annotators.max(initial=-1)) + 1
        # A sorted number tells which row it was of: numbers are sorted faster than rows are put in order.
        self._most = int(sizes.max(initial=1))
        self._keys = outputs * np.int64(self._number_of_annotators * self._most) + place
        self._rows_of_halves = [np.flatnonzero(halves == half) for half in (0, 1)]
        self._outputs_of_halves = [outputs[rows] for rows in self._rows_of_halves]
        self._starts_of_halves = [starts[outputs] for outputs in self._outputs_of_halves]

    def means(self, rng: np.random.Generator) -> list[FloatArray]:
        """The mean score of each output in either half, the annotators of a sentence in random order."""
        turn = np.empty(self._number_of_annotators, dtype=np.int64)
        turn[np.argsort(rng.random(self._number_of_annotators))] = np.arange(self._number_of_annotators)
        shuffled = np.sort(self._keys + turn[self._annotators] * self._most)
        return [
            np.bincount(outputs, self._scores[starts + shuffled[rows] % self._most]) / self._group_size
            for rows, outputs, starts in zip(
                self._rows_of_halves, self._outputs_of_halves, self._starts_of_halves, strict=True
            )
        ]


def intraclass_correlation(snapshot: pd.DataFrame, confidence: float = 0.95) -> IntraclassCorrelation:
    """ICC(1,1) and ICC(1,k): the share of the variance of a rating, or of a mean of k, that outputs explain.

    The model is one-way because different annotators judge the outputs of a campaign: the strictness of
    annotators counts as error (Shrout and Fleiss 1979, case 1). For unequal numbers of ratings k is
    k0 = (N - sum(n_i^2) / N) / (n - 1), and the interval, exact for equal ones, is approximate.

    Raises `SnapshotError` as `ranking.scored_outputs` does, `ValueError` for a confidence out of range.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence of {confidence} is impossible: choose one between 0 and 1")
    ratings = _ratings(snapshot)
    scores = ratings["score"].to_numpy()
    outputs = ratings["number"].to_numpy()
    sizes = np.bincount(outputs)
    n, total = len(sizes), len(ratings)
    if n < 2 or total == n:
        too_few = "fewer than two outputs were scored" if n < 2 else "no output was scored by two annotators"
        return IntraclassCorrelation(None, None, None, None, None, n, total, too_few)
    means = np.bincount(outputs, scores) / sizes
    grand = float(scores.mean())
    between = float(sizes @ (means - grand) ** 2) / (n - 1)
    within = float(((scores - means[outputs]) ** 2).sum()) / (total - n)
    k = float((total - (sizes**2).sum() / total) / (n - 1))
    if between + within == 0:
        return IntraclassCorrelation(None, None, None, None, k, n, total, "all ratings are the same")
    tail = (1 - confidence) / 2
    upper, lower = stats.f.isf(tail, n - 1, total - n), stats.f.isf(1 - tail, n - 1, total - n)
    single, low, high = (
        (between - scale * within) / (between + (k - 1) * scale * within)
        for scale in (1.0, float(upper), float(lower))
    )
    average = (between - within) / between if between else None
    reason = None if between else "the means of all outputs are equal"
    return IntraclassCorrelation(single, low, high, average, k, n, total, reason)


def _ratings(snapshot: pd.DataFrame) -> pd.DataFrame:
    """One row per output and annotator who scored it, those of an output, which has a `number`, together.

    Rows are in the order of sentence, output and annotator.
    """
    scored = scored_outputs(snapshot)
    sentences, _ = pd.factorize(scored["sentence"], sort=True)
    annotators = scored["annotator"].cat.codes.to_numpy(dtype=np.int64)
    order = np.lexsort((annotators, alphabetical(scored["output"]), sentences))
    outputs = numbered(scored["sentence"], scored["output"])[order]
    changes = (np.diff(column, prepend=-1) != 0 for column in (outputs, annotators[order]))
    begins = np.flatnonzero(np.logical_or(*changes))
    scores = scored["score"].to_numpy()[order]
    times = np.diff(np.append(begins, len(order)))
    return pd.DataFrame(
        {
            "number": pd.factorize(outputs[begins])[0],
            "sentence": sentences[order[begins]],
            "annotator": annotators[order[begins]],
            "systems": scored["systems"].take(order[begins]).reset_index(drop=True),
            "score": np.add.reduceat(scores, begins) / times if len(begins) else scores,
        }
    )


def _correlations(first: FloatArray, second: FloatArray) -> tuple[float, float] | None:
    """Pearson's r and Spearman's rho; nothing where either side is constant."""
    if len(first) < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    return _pearson(first, second), _pearson(stats.rankdata(first), stats.rankdata(second))


def _pearson(first: FloatArray, second: FloatArray) -> float:
    return float(np.corrcoef(first, second)[0, 1])


def _mean(
    samples: Sequence[tuple[float, float] | None], n: int, unit: str, group_size: int
) -> HalfCorrelation:
    defined = [sample for sample in samples if sample is not None]
    if not n:
        return HalfCorrelation(None, None, n, f"no output was scored by {2 * group_size} annotators")
    if not defined:
        reason = f"there is only one {unit}" if n == 1 else f"the scores of all {unit}s are equal"
        return HalfCorrelation(None, None, n, reason)
    pearson, spearman = np.mean(defined, axis=0).tolist()
    return HalfCorrelation(pearson, spearman, n, None)
