"""Shares of events with intervals, whose units are sentences."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from core.arrays import AnyArray, FloatArray, IntArray
from core.later import pd, sparse, special
from ranking.machines.prediction_powered import Tallies

FEWEST_SENTENCES = 2


@dataclass(frozen=True, slots=True)
class Share:
    """A share, or a difference of shares.

    Attributes:
        value: None where nothing was counted.
        low: lower bound of the interval over sentences; None where `value` is, and for a single sentence.
        high: upper bound; None where `low` is.
        n: number of events counted.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int


def share(sentence: IntArray, hits: AnyArray, *, confidence: float = 0.95) -> Share:
    """The mean of n values, each of a sentence, shape (n,); a sentence weighs by its number of values."""
    return shares_of_groups(sentence, hits, np.zeros(len(hits), dtype=np.int64), 1, confidence=confidence)[0]


def difference(
    sentences: tuple[IntArray, IntArray], hits: tuple[AnyArray, AnyArray], *, confidence: float = 0.95
) -> Share:
    """The mean of values less the mean of others, which may be of the same sentences."""
    both = np.concatenate(sentences)
    group = np.repeat([0, 1], [len(each) for each in hits])
    tallies = _tallies(both, np.concatenate(hits), group, 2, np.ones(len(both)))
    if not all(map(len, hits)):
        return Share(None, None, None, 0)
    first, second = tallies.ratios
    influence = tallies.influences @ np.array([1.0, -1.0])
    return _with_interval(float(first - second), influence, min(map(len, hits)), confidence)


def shares_of_groups(
    sentence: IntArray,
    hits: AnyArray,
    group: IntArray,
    groups: int,
    *,
    of: FloatArray | None = None,
    confidence: float = 0.95,
) -> tuple[Share, ...]:
    """The mean of the values of each group, whose numbers count from 0; all have the shape (n,).

    If `of` is given, `hits` are sums of so many values.
    """
    counted = np.ones(len(hits)) if of is None else of
    numbers = np.bincount(group, counted, minlength=groups)
    tallies = _tallies(sentence, hits, group, groups, counted)
    influences = tallies.influences.tocsc()
    return tuple(
        _with_interval(float(ratio), influences[:, [place]].toarray()[:, 0], int(number), confidence)
        if number
        else Share(None, None, None, 0)
        for place, (ratio, number) in enumerate(zip(tallies.ratios, numbers, strict=True))
    )


def _tallies(
    sentence: IntArray, hits: AnyArray, group: IntArray, groups: int, counted: FloatArray
) -> Tallies:
    unit, distinct = pd.factorize(sentence)
    shape = len(distinct), groups
    cell = unit * groups + group
    won, of = (
        sparse.csr_array(np.bincount(cell, values, minlength=shape[0] * groups).reshape(shape))
        for values in (hits.astype(np.float64), counted)
    )
    return Tallies(won, of)


def _with_interval(value: float, influence: FloatArray, number: int, confidence: float) -> Share:
    units = len(influence)
    if units < FEWEST_SENTENCES:
        return Share(value, None, None, number)
    error = sqrt(float(influence @ influence) / (units * (units - 1)))
    reach = float(special.stdtrit(units - 1, (1 + confidence) / 2)) * error
    return Share(value, value - reach, value + reach, number)
