"""Intervals that hold at any number of looks, and the time at which the order of two systems is settled.

A 95 % interval errs in 5 % of the cases if you look once. If you look every day and stop as soon as it
excludes 0, it errs far more often. A confidence sequence covers the true value at all times together, so a
campaign may be watched, and stopped, at any time.

These are asymptotic confidence sequences (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2024, theorem 2.2)
of differences of scores. A difference is close to a sum of influences of the judgments; those of one sentence
are added up before they are squared, because they are not independent. A sentence speaks about a difference
if its judgments have an influence on it; one whose comparisons are all ties says nothing about ExpectedWins.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import comb, isfinite, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.arrays import CountArray, FloatArray, IntArray
from core.later import pd, sparse, special
from core.progress import Advance
from ranking.judgments.grouped_pairs import GroupedPairs, Unit, group_pairs
from ranking.judgments.pairs import BY_RANKS, PairCounts
from ranking.judgments.propensities import holds_propensities
from ranking.judgments.snapshot import Basis
from ranking.planning.machine_correction import MachineCorrection
from ranking.uncertainty.bootstrap import DECIMALS, ResamplingError
from ranking.uncertainty.influences import INFLUENCES, SCORES
from ranking.uncertainty.methods import Method

FEWEST_SENTENCES = 30
"""With fewer sentences, a difference has no interval: asymptotic ones would be too narrow."""


@dataclass(frozen=True, slots=True, eq=False)
class WatchedPair:
    """The difference of two systems' scores over time.

    Attributes:
        above: the system with the better score at the end, or with the same one.
        below: the next one.
        difference: shape (n,), at each look; NaN where one of them had no score.
        standard_error: shape (n,), of the difference; NaN where there is none, and while fewer than 30
            sentences speak about it.
        settled_at: the number of judgments at the first look at which the anytime interval lay above 0; None
            if it never did.
        lasting_error: the part of the last standard error that no further judgments of people make smaller,
            since it is the machine's; 0 without a machine.
        weight: mean lambda of the sentences, how much a machine counts, from 0 to 1; 0 without a machine.
    """

    above: str
    below: str
    difference: FloatArray
    standard_error: FloatArray
    settled_at: int | None
    lasting_error: float = 0.0
    weight: float = 0.0

    @property
    def last_difference(self) -> float | None:
        """The difference at the last look; None where one of the two has no score."""
        return float(self.difference[-1]) if isfinite(self.difference[-1]) else None


@dataclass(frozen=True, slots=True, eq=False)
class Watched:
    """A ranking over time.

    Attributes:
        judgments: shape (n,), the number of judgments at each look, ascending; the last is all.
        sentences: shape (n,), the number of judged sentences.
        ordinary: half width of an interval for one look at one pair, in standard errors.
        anytime: shape (n,), half width of the interval that holds at all looks and for all pairs of systems
            together.
        alpha: the probability that this interval errs for one pair, at any look.
        planned: the number of judgments at which it is narrowest.
        pairs: each system with the next one, from the best down; those that tie in alphabetical order, those
            without a score last. Or the one pair that was asked for.
    """

    judgments: IntArray
    sentences: IntArray
    ordinary: float
    anytime: FloatArray
    alpha: float
    planned: int
    pairs: tuple[WatchedPair, ...]


def watch(
    snapshot: pd.DataFrame,
    method: Method = Method.EXPECTED_WINS,
    *,
    by: Basis = BY_RANKS,
    looks: int = 50,
    confidence: float = 0.95,
    planned: int = 1000,
    weighted: bool = True,
    pair: tuple[str, str] | None = None,
    machine: pd.DataFrame | None = None,
    progress: Advance | None = None,
) -> Watched:
    """The differences between neighbours, as looks at equal distances would have shown them.

    With `pair`, the difference of these two systems instead, with the same intervals, which hold for all
    pairs.

    Judgments count in the order of `submitted_at`, those without a time at the end and as they stand in the
    snapshot. Intervals are narrowest at about `planned` judgments, a number to be chosen beforehand.
    `progress` gets the number of looks finished, and 0 between other parts of the work. If `weighted`,
    comparisons count by their inverse propensities, where the snapshot holds any
    (`ranking.judgments.propensities`).

    `machine` is the snapshot of a machine, whose sentences are the same where their ids are, and which
    corrects the differences (`ranking.planning.machine_correction`); people's sentences must then be a random
    sample of the machine's, or weighted. Neighbours are still those by people alone.

    Raises `ResamplingError` for a method other than ExpectedWins and Bradley-Terry, `ValueError` for a pair
    of which one was not judged, `SnapshotError` as `ranking.judgments.snapshot.compared_outputs` does.
    """
    if method not in INFLUENCES:
        raise ResamplingError(f"differences over time are by {' or '.join(INFLUENCES)}, not by {method}")
    weighted = weighted and holds_propensities(snapshot)
    pairs = group_pairs(
        snapshot, Unit.JUDGMENT, by, weighted=weighted, step=lambda: progress(0) if progress else None
    )
    order, sentences, ids = _in_time(snapshot, pairs.names)
    numbers = np.unique(np.linspace(0, len(order), looks + 1).round().astype(np.int64)[1:])
    numbers = numbers[numbers > 0]
    added = [_Added(pairs, order[first:end], sentences[first:end]) for first, end in pairwise([0, *numbers])]
    counts = [_counts(pairs.systems, summed) for summed in np.cumsum([each.counts for each in added], axis=0)]
    scores = np.array([SCORES[method](each) for each in counts]).reshape(len(counts), len(pairs.systems))
    watching = _pairs(pairs.systems, scores[-1], pair) if len(scores) else []
    seen = np.array([sentences[:number].max() + 1 for number in numbers], dtype=np.int64)
    known = [_difference(scores, rows) for rows in watching]
    differences = np.array(known).reshape(len(watching), len(numbers))
    errors = np.full((len(watching), len(numbers)), np.nan)
    beside = None
    if machine is not None and watching:
        systems = pairs.systems
        beside = MachineCorrection(machine, by, systems=systems, sentences=ids, differences=len(watching))
    lasting = np.zeros(len(watching))
    shape = int(seen.max(initial=0)), 2 * len(pairs.systems) ** 2
    table: sparse.csr_array[Any, Any] = sparse.csr_array(shape, dtype=np.int32)
    for look, each in enumerate(added):
        further = each.by_sentence(shape)
        table = table + further
        if beside is not None:
            beside.add(further, int(seen[look]))
        if watching and (beside is not None or seen[look] >= FEWEST_SENTENCES):
            influences = np.transpose([INFLUENCES[method](counts[look], *rows).ravel() for rows in watching])
            sums: FloatArray = table @ influences
            if beside is None:
                errors[:, look] = standard_errors(sums)
            else:
                corrected = beside.corrected(sums, influences)
                differences[:, look] += corrected.shift
                errors[:, look] = standard_errors(sums, corrected.errors)
                lasting = corrected.lasting
        if progress is not None:
            progress(1)
    alpha = (1 - confidence) / max(1, comb(len(pairs.systems), 2))
    anytime = anytime_width(numbers, alpha, planned)
    weights = np.zeros(len(watching)) if beside is None else beside.weights.mean(axis=0)
    watched = (
        _watched(pairs.systems, rows, numbers, difference, error, anytime, *of_machine)
        for rows, difference, error, *of_machine in zip(
            watching, differences, errors, np.sqrt(lasting).tolist(), weights.tolist(), strict=True
        )
    )
    ordinary = float(special.ndtri((1 + confidence) / 2))
    return Watched(numbers, seen, ordinary, anytime, alpha, planned, tuple(watched))


@dataclass(frozen=True, slots=True, eq=False)
class _Added:
    """The m judgments between two looks.

    Attributes:
        pairs: of all judgments.
        groups: shape (m,), the places of these among them.
        sentences: shape (m,), their sentences, from 0.
    """

    pairs: GroupedPairs
    groups: IntArray
    sentences: IntArray

    @property
    def counts(self) -> CountArray:
        """How often each pair occurs, shape (2 * S * S,)."""
        codes, weights = self._parts(self.pairs.places(self.groups))
        return np.bincount(codes, weights, minlength=2 * len(self.pairs.systems) ** 2)

    def by_sentence(self, shape: tuple[int, int]) -> sparse.csr_array[Any, Any]:
        """How often each pair occurs in each sentence, in a table of this shape: sentences by pairs."""
        codes, weights = self._parts(self.pairs.places(self.groups))
        values = np.ones(len(codes), dtype=np.int32) if weights is None else weights
        sizes = np.diff(self.pairs.starts)[self.groups]
        return sparse.csr_array((values, (np.repeat(self.sentences, sizes), codes)), shape=shape)

    def _parts(self, places: IntArray) -> tuple[NDArray[np.integer], FloatArray | None]:
        weights = self.pairs.weights
        return self.pairs.codes[places], None if weights is None else weights[places]


def _in_time(snapshot: pd.DataFrame, names: tuple[str, ...]) -> tuple[IntArray, IntArray, pd.Index[Any]]:
    """The places among `names` of the judgments in the order of time, and the sentence of each in turn.

    Sentences are numbers from 0, in the order of their ids, which come with them.
    """
    columns = [name for name in ("judgment", "sentence", "submitted_at") if name in snapshot]
    judgments = snapshot[columns].drop_duplicates("judgment")
    if "submitted_at" in judgments:
        judgments = judgments.sort_values("submitted_at", kind="stable", na_position="last")
    named = judgments["judgment"].astype("category").cat
    place_of = pd.Index(names).get_indexer(named.categories.astype("str"))
    places = place_of[named.codes]
    compared = places >= 0
    sentences, ids = pd.factorize(judgments["sentence"][compared])
    return places[compared].astype(np.int64), sentences.astype(np.int64), ids


def _pairs(
    systems: tuple[str, ...], scores: FloatArray, pair: tuple[str, str] | None
) -> list[tuple[int, int]]:
    """The rows of each system and the next one, including ties, which are not settled; or those of `pair`.

    The better system comes first.
    """
    order = np.lexsort((-np.round(scores, DECIMALS), np.isnan(scores))).tolist()
    if pair is None:
        return list(pairwise(order))
    first, second = sorted(map(systems.index, pair), key=order.index)
    return [(first, second)]


def _counts(systems: tuple[str, ...], summed: CountArray) -> PairCounts:
    wins, ties = summed.reshape(2, len(systems), len(systems))
    return PairCounts(systems, wins, ties + ties.T)


def standard_errors(sums: FloatArray, errors: FloatArray | None = None) -> FloatArray:
    """The standard error of each difference, shape (P,), from the influences of n sentences, shape (n, P).

    `errors` has the parts of sentences in the errors of the differences, if a machine corrects these.

    NaN where fewer than `FEWEST_SENTENCES` have an influence. Influences on two systems that always have the
    same output cancel, apart from rounding, and do not count.
    """
    speaking = np.count_nonzero(np.round(sums, DECIMALS), axis=0)
    squares = ((sums if errors is None else errors) ** 2).sum(axis=0)
    variances = squares * speaking / np.maximum(speaking - 1, 1)
    return np.where(speaking >= FEWEST_SENTENCES, np.sqrt(variances), np.nan)


def anytime_width(judgments: IntArray, alpha: float, planned: int) -> FloatArray:
    """Half width of an interval in standard errors that errs at any of these times with probability `alpha`.

    Shape (n,), for these numbers of judgments; smallest at about `planned`.

    Waudby-Smith et al. 2024, equation 9, with rho as in their section B.2.
    """
    rho = (-2 * log(alpha) + log(-2 * log(alpha) + 1)) / planned
    scaled = judgments * rho + 1
    width: FloatArray = np.sqrt(2 * scaled / (judgments * rho) * np.log(np.sqrt(scaled) / alpha))
    return width


def _difference(scores: FloatArray, pair: tuple[int, int]) -> FloatArray:
    """The difference of two systems at each look, NaN where there is none."""
    above, below = pair
    with np.errstate(invalid="ignore"):
        difference: FloatArray = scores[:, above] - scores[:, below]
    difference[~np.isfinite(difference)] = np.nan
    return difference


def _watched(
    systems: tuple[str, ...],
    pair: tuple[int, int],
    judgments: IntArray,
    difference: FloatArray,
    error: FloatArray,
    anytime: FloatArray,
    lasting_error: float,
    weight: float,
) -> WatchedPair:
    """The pair, the better system first: a machine may say otherwise than people alone."""
    above, below = pair
    if len(difference) and np.round(difference[-1], DECIMALS) < 0:
        above, below, difference = below, above, -difference
    settled = judgments[difference > error * anytime]
    return WatchedPair(
        above=systems[above],
        below=systems[below],
        difference=difference,
        standard_error=np.where(np.isnan(difference), np.nan, error),
        settled_at=int(settled[0]) if len(settled) else None,
        lasting_error=lasting_error,
        weight=weight,
    )
