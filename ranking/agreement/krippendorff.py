"""Krippendorff's alpha: agreement of any number of annotators, who need not all have judged the same.

    alpha = 1 - D_o / D_e,

where D_o is the mean disagreement of two annotators on one unit and D_e that of any two values that were
given (Krippendorff 2019, "Content Analysis", chapter 12). Values that differ disagree by 1 on the *nominal*
level; on the *ordinal* level by the square of the number of values given from the one to the other, each end
counted half; on the *interval* level by the square of their difference.

An annotator who judged a unit several times counts once, each of the values with its share: agreement of
annotators with themselves does not enter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.arrays import AnyArray, FloatArray, IntArray
from core.later import pd, sparse
from ranking.judgments.pairs import BY_RANKS, output_pairs
from ranking.judgments.snapshot import Basis, Ranks, ranked_outputs, scored_outputs
from ranking.judgments.system_rows import alphabetical, numbered, numbered_sequences


class Level(StrEnum):
    """Level of measurement: values only differ, have an order, or are numbers."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


@dataclass(frozen=True, slots=True)
class Alpha:
    """Krippendorff's alpha.

    Attributes:
        value: alpha, at most 1; 0 is chance. None if it cannot be computed.
        units: the number of units that at least two annotators judged; others do not enter.
        n: sum of the numbers of annotators of these units.
        reason: why there is no value, in words; None if there is one.
    """

    value: float | None
    units: int
    n: int
    reason: str | None


def krippendorff_alpha(
    units: ArrayLike,
    annotators: ArrayLike,
    values: ArrayLike,
    level: Level,
    *,
    step: Callable[[], None] = lambda: None,
) -> Alpha:
    """Alpha of N judgments: `units`, `annotators` and `values` have the shape (N,).

    Units, annotators and values may be of any type that can be sorted. The ordinal level uses the order of
    the values; on the interval level they are numbers. `step` is called between parts of the work; it may
    stop it by raising an error.
    """
    unit, n_of_units = _codes(units)
    annotator, n_annotators = _codes(annotators)
    value_names, value = _sorted_codes(values)
    step()
    seat, unit_of_seat, repeats = _seats(unit, annotator, n_annotators)
    step()
    annotators_of_unit = np.bincount(unit_of_seat, minlength=n_of_units)
    shared = annotators_of_unit >= 2
    n_units, n = int(np.count_nonzero(shared)), int(annotators_of_unit[shared].sum())
    if not n_units:
        return Alpha(None, 0, 0, "no two annotators judged the same thing")
    shares = (1 / repeats)[seat]
    by_unit = sparse.csr_array((shares, (unit, value)), shape=(n_of_units, len(value_names)))
    del unit
    by_seat = sparse.csr_array((shares, (seat, value)), shape=(len(repeats), len(value_names)))
    del seat, value, shares
    step()
    weights = np.where(shared, 1 / np.maximum(annotators_of_unit - 1, 1), 0.0)
    given = np.asarray(by_unit[shared].sum(axis=0), dtype=np.float64)
    if np.count_nonzero(given) < 2:
        return Alpha(None, n_units, n, "all values are the same, so agreement by chance is complete")
    if level is Level.INTERVAL:
        numbers = value_names - given @ value_names / n
        of_seats = weights[unit_of_seat] @ _spreads(by_seat, numbers)
        observed = float(weights @ _spreads(by_unit, numbers) - of_seats)
        total = float(_spreads(given, numbers))
    else:
        coincidences = _squares(by_unit, weights)
        del by_unit
        step()
        coincidences -= _squares(by_seat, weights[unit_of_seat])
        distances = _distances(given, level)
        observed = float(np.sum(coincidences * distances))
        total = float(given @ distances @ given)
    return Alpha(1 - observed * (n - 1) / total, n_units, n, None)


def _sorted_codes(values: ArrayLike) -> tuple[AnyArray, NDArray[np.int32]]:
    """The distinct values in order, and the place of each value among them."""
    codes, distinct = pd.factorize(np.asarray(values), sort=True)
    return np.asarray(distinct), codes.astype(np.int32)


def _codes(values: ArrayLike) -> tuple[NDArray[np.int32], int]:
    """The place of each value among the distinct ones in order, and the number of these."""
    distinct, codes = _sorted_codes(values)
    return codes, len(distinct)


def _seats(
    unit: NDArray[np.int32], annotator: NDArray[np.int32], n_annotators: int
) -> tuple[NDArray[np.int32], NDArray[np.int32], IntArray]:
    """The seat of each value, the unit of each seat, and the number of values of each seat.

    A seat is one annotator of one unit. They are numbered as `np.unique` of units and annotators would number
    them, in less memory.
    """
    keys = unit * np.int64(n_annotators) + annotator
    order = np.argsort(keys).astype(np.int32)
    keys = keys[order]
    begins = np.ones(len(keys), dtype=bool)
    begins[1:] = keys[1:] != keys[:-1]
    del keys
    seat = np.empty(len(order), dtype=np.int32)
    seat[order] = np.cumsum(begins, dtype=np.int32) - 1
    starts = np.flatnonzero(begins)
    return seat, unit[order[starts]], np.diff(np.append(starts, len(order)))


def alpha_over_pairs(
    snapshot: pd.DataFrame, by: Basis = BY_RANKS, *, step: Callable[[], None] = lambda: None
) -> Alpha:
    """Nominal alpha over unexpanded pairs: a unit is a pair of outputs, its values are <, = and >.

    `step` is called as by `krippendorff_alpha`.

    Raises `SnapshotError` as `ranking.judgments.snapshot.compared_outputs` does.
    """
    pairs = output_pairs(snapshot, by, step=step)
    return krippendorff_alpha(pairs.pair, pairs.annotator, pairs.outcome, Level.NOMINAL, step=step)


def alpha_over_ranks(
    snapshot: pd.DataFrame, by: Basis = BY_RANKS, *, step: Callable[[], None] = lambda: None
) -> Alpha:
    """Ordinal alpha over ranks: a unit is an output among the outputs that it was ranked with.

    An output that was ranked among other outputs is another unit, because a rank means nothing outside its
    ranking. Its value is its place in the ranking, as a number between 0 and 1: the share of outputs above
    it, outputs at its own rank and itself counted half. So only the order of ranks matters. An output that
    was ranked alone is left out. Undefined where scores are compared. `step` is called as by
    `krippendorff_alpha`.

    Raises `SnapshotError` as `ranking.ranked_outputs` does.
    """
    if not isinstance(by, Ranks):
        return Alpha(None, 0, 0, "scores are not ranks")
    return krippendorff_alpha(*_places(snapshot, step), Level.ORDINAL, step=step)


def _places(
    snapshot: pd.DataFrame, step: Callable[[], None]
) -> tuple[NDArray[np.int32], AnyArray, FloatArray]:
    """The units of `alpha_over_ranks`, their annotators and their values; memory holds no more afterwards."""
    outputs = ranked_outputs(snapshot, step)
    names = alphabetical(outputs["output"])
    judgments = outputs["judgment"].cat.codes.to_numpy()
    step()
    order = np.lexsort((names, judgments)).astype(np.int32)
    judgments, names = judgments[order], names[order]
    step()
    rankings = outputs.pop("rank").take(order).reset_index(drop=True).groupby(judgments)
    size = rankings.transform("size").to_numpy()
    step()
    places = ((2 * rankings.rank() - 1) / (2 * size)).to_numpy()
    compared = size >= 2
    del rankings, size
    step()
    sentences, annotators = (
        values.to_numpy()[order][compared] for values in (outputs["sentence"], outputs["annotator"].cat.codes)
    )
    del outputs, order
    together = numbered_sequences(judgments, names)[compared]
    step()
    units = numbered(sentences, together, names[compared]).astype(np.int32)
    step()
    return units, annotators, places[compared]


def alpha_over_scores(snapshot: pd.DataFrame) -> Alpha:
    """Interval alpha over scores: a unit is an output of a sentence, on any screen.

    The strictness of annotators counts as disagreement, as it does in `ranking.intraclass_correlation`.

    Raises `SnapshotError` as `ranking.scored_outputs` does.
    """
    outputs = scored_outputs(snapshot)
    units = numbered(outputs["sentence"], outputs["output"])
    return krippendorff_alpha(units, outputs["annotator"].cat.codes, outputs["score"], Level.INTERVAL)


def _spreads(shares: sparse.csr_array | FloatArray, numbers: FloatArray) -> FloatArray:
    """Sum over pairs of columns of share * other share * (number - other number)^2, for each row of shares.

    The columns stand for numbers. No matrix of all pairs of numbers is made.
    """
    weight, mean, square = (np.asarray(shares @ numbers**power) for power in range(3))
    spreads: FloatArray = 2 * (weight * square - mean**2)
    return spreads


def _squares(shares: sparse.csr_array, weights: FloatArray) -> FloatArray:
    """Shape (V, V): the sum over rows of weight * row * row'."""
    weighted = shares.data * np.repeat(weights, np.diff(shares.indptr))
    rows = sparse.csr_array((weighted, shares.indices, shares.indptr), shape=shares.shape)
    return np.asarray((shares.T @ rows).todense())


def _distances(given: FloatArray, level: Level) -> FloatArray:
    """Shape (V, V): how much two values disagree, `given` being how often each was given, shape (V,)."""
    if level is Level.NOMINAL:
        return 1 - np.eye(len(given))
    middle = np.cumsum(given) - given / 2
    return (middle[:, np.newaxis] - middle) ** 2
