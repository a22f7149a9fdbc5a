"""Prediction-powered inference: estimates from people, made narrower by the answers of a machine.

Angelopoulos, Duchi and Zrnic 2023, *PPI++: Efficient Prediction-Powered Inference*. People judged n units,
the machine these and N others. With the means of people Y, and of the machine on their units F and on others
G,

    theta = Y + lambda (G - F)

is unbiased whatever the machine says, if the n units are a random sample. Lambda 0 is the estimate from
people alone. The best lambda depends on how well the machine predicts people, and is 0 if it does not.

Means may be ratios of sums over units, such as comparisons won by comparisons decided. Units, such as
sentences, are independent; what is within one need not be. The variance of a ratio comes from the influence
of each unit on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import inf
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from core.arrays import FloatArray, IntArray
from core.later import sparse, special


class Tuning(StrEnum):
    """How much the machine counts."""

    PEOPLE = "people"
    """Not at all: lambda 0."""
    PLAIN = "plain"
    """Lambda 1; intervals may be wider than those of people alone."""
    TUNED = "tuned"
    """The lambda with the least variance, from the same units: intervals of few units are too narrow."""
    CROSS_FITTED = "cross-fitted"
    """The lambda of each half of the units from the other half, with quantiles of Student's t."""


class Spread(StrEnum):
    """The variance of the machine's answers from which lambda is tuned."""

    POOLED = "pooled"
    """Over the n and N units, about their common mean (PPI++)."""
    OWN_MEANS = "own means"
    """Over the n and N units, about the mean of each."""
    APART = "apart"
    """Of the n and of the N units apart: for units of which people judged only parts, which vary more."""


@dataclass(frozen=True, slots=True, eq=False)
class Tallies:
    """Sums over what was judged in each of U units, for K ratios.

    Attributes:
        won: shape (U, K); the numerators.
        of: shape (U, K); the denominators.
    """

    won: sparse.csr_array
    of: sparse.csr_array

    @classmethod
    def of_arrays(cls, won: ArrayLike, of: ArrayLike) -> Tallies:
        """Tallies of dense arrays, shape (U, K), or (U,) for a single ratio."""
        columns = (np.asarray(each, dtype=np.float64) for each in (won, of))
        return cls(*(sparse.csr_array(each.reshape(len(each), -1)) for each in columns))

    @property
    def units(self) -> int:
        """Number of units, U."""
        return int(self.of.shape[0])

    @property
    def means(self) -> FloatArray:
        """Mean denominators, shape (K,)."""
        return np.asarray(self.of.sum(axis=0), dtype=np.float64) / max(self.units, 1)

    @property
    def ratios(self) -> FloatArray:
        """Shape (K,); 0 where nothing was judged."""
        return _divided(np.asarray(self.won.sum(axis=0), dtype=np.float64), self.means) / max(self.units, 1)

    @property
    def influences(self) -> sparse.csr_array:
        """Influence of each unit on each ratio, shape (U, K), with mean 0: (won - ratio of) / mean of."""
        scale = _divided(np.ones(len(self.means)), self.means)
        lost = self.ratios * scale
        if self.won.indices is self.of.indices and self.won.indptr is self.of.indptr:
            columns = self.of.indices
            values = self.won.data * scale[columns] - self.of.data * lost[columns]
            return sparse.csr_array((values, columns, self.of.indptr), shape=self.of.shape)
        return sparse.csr_array(_scaled(self.won, scale) - _scaled(self.of, lost))


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """What was judged.

    Attributes:
        people: by people, in their n units.
        machine: by the machine, of what the people judged.
        others: by the machine, in N units that represent all.
        shared: shape (n,); the row among `others` of each unit of the people, -1 if it is not among them. It
            is for people's units that are no ordinary sample, so that `others` must be all units. None if
            the two are disjoint.
    """

    people: Tallies
    machine: Tallies
    others: Tallies
    shared: IntArray | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Powered:
    """M prediction-powered estimates.

    Attributes:
        estimates: shape (M,).
        covariance: shape (M, M), of the estimates.
        weight: lambda, the mean if it differs by unit.
        degrees: degrees of freedom of Student's t; infinite for the normal distribution.
    """

    estimates: FloatArray
    covariance: FloatArray
    weight: float
    degrees: float = inf

    @property
    def errors(self) -> FloatArray:
        """Standard errors, shape (M,)."""
        return np.sqrt(np.maximum(np.diag(self.covariance), 0))

    def intervals(self, confidence: float = 0.95) -> tuple[FloatArray, FloatArray]:
        """Lower and upper bounds, shape (M,) each."""
        tail = (1 + confidence) / 2
        quantile = special.ndtri(tail) if self.degrees == inf else special.stdtrit(self.degrees, tail)
        return self.estimates - quantile * self.errors, self.estimates + quantile * self.errors


Onto: TypeAlias = "Callable[[sparse.csr_array], FloatArray]"
"""Takes influences on K ratios, shape (U, K), to influences on M estimates, shape (U, M)."""


def as_they_are(influences: sparse.csr_array) -> FloatArray:
    """The estimates are the ratios themselves."""
    return influences.toarray()


class Rectifier:
    """K ratios of people, corrected by a machine, for M estimates that are functions of them.

    Lambda has the least sum of the variances of the estimates (PPI++, section 6).

    Attributes:
        weights: shape (n,); lambda for each unit of the people.
        degrees: degrees of freedom of intervals.
    """

    def __init__(
        self,
        units: Units,
        tuning: Tuning | float = Tuning.CROSS_FITTED,
        onto: Onto = as_they_are,
        *,
        seed: int = 0,
        clip: bool = True,
        spread: Spread = Spread.POOLED,
        ddof: int = 1,
    ) -> None:
        """Prepare the ratios.

        `tuning` may be a lambda. A tuned one is limited to 0 to 1 if `clip`; `spread` is ignored if people's
        units are no ordinary sample, whose variances are always apart. Variances divide by the number of
        units less `ddof`.
        """
        self._units, self._ddof = units, ddof
        self._has_both = (units.machine.means > 0) & (units.others.means > 0)
        has_both = self._has_both.astype(np.float64)
        self._people = units.people.influences
        self._machine = self._effective = _scaled(units.machine.influences, has_both)
        self._rest = others = _scaled(units.others.influences, has_both)
        if units.shared is not None:
            chosen = _selection(units.shared, units.others.units)
            self._effective = self._machine - (chosen * (self._n / units.others.units)) @ others
            self._rest = others[np.asarray(chosen.sum(axis=0)) == 0]
        self._most = units.others.units / max(self._rest.shape[0], 1)
        self.weights = self._tune(tuning, onto, seed, clip=clip, spread=spread)
        self.degrees = self._n - 1.0 if tuning is Tuning.CROSS_FITTED else inf

    @property
    def _n(self) -> int:
        return self._units.people.units

    @property
    def weight(self) -> float:
        """The mean lambda, 0 for people alone and 1 for plain prediction-powered inference."""
        return float(self.weights.mean()) / self._most

    @property
    def ratios(self) -> FloatArray:
        """The corrected ratios, shape (K,)."""
        by_unit: FloatArray = self._machine.T @ self.weights / self._n
        ratios: FloatArray = self._units.people.ratios - self.weights.mean() * self._difference - by_unit
        return ratios

    def covariance(self, onto: Onto, lack: FloatArray | None = None) -> FloatArray:
        """The covariance of the estimates, shape (M, M).

        `lack`, shape (K,), is how much the corrected ratios exceed those of a model that is fitted to them:
        denominators then matter, too.
        """
        people = self._people
        if lack is not None:
            people = people + _scaled(self._units.people.of, _divided(lack, self._units.people.means))
        shift = onto(sparse.csr_array(self._difference[np.newaxis]))
        lead = onto(people) - self.weights[:, np.newaxis] * (onto(self._effective) + shift)
        lead -= lead.mean(axis=0)
        within: FloatArray = lead.T @ lead / (self._n * max(self._n - self._ddof, 1))
        if not self.weights.any():
            return within
        covariance: FloatArray = within + self.weights.mean() ** 2 * self._beyond(onto)
        return covariance

    @property
    def _difference(self) -> FloatArray:
        return np.where(self._has_both, self._units.machine.ratios - self._units.others.ratios, 0)

    def _beyond(self, onto: Onto) -> FloatArray:
        """The covariance of the machine's estimates from units that people did not judge."""
        rest, number = onto(self._rest), self._units.others.units
        covariance: FloatArray = rest.T @ rest / (number * max(number - self._ddof, 1))
        return covariance

    def _tune(
        self, tuning: Tuning | float, onto: Onto, seed: int, *, clip: bool, spread: Spread
    ) -> FloatArray:
        if not isinstance(tuning, Tuning):
            return np.full(self._n, tuning * self._most)
        if tuning in (Tuning.PEOPLE, Tuning.PLAIN):
            return np.full(self._n, self._most if tuning is Tuning.PLAIN else 0.0)
        people, machine, rest = onto(self._people), onto(self._effective), onto(self._rest)
        is_apart = self._units.shared is not None or spread is Spread.APART
        if is_apart:
            beyond = self._n * float(np.trace(self._beyond(onto)))
        elif spread is Spread.POOLED:
            machine = machine + onto(sparse.csr_array(self._units.machine.ratios[np.newaxis]))
            rest = rest + onto(sparse.csr_array(self._units.others.ratios[np.newaxis]))

        def tuned(rows: IntArray) -> float:
            y, f = people[rows] - people[rows].mean(axis=0), machine[rows] - machine[rows].mean(axis=0)
            if not is_apart:
                pooled = np.concatenate([machine[rows], rest])
                least = (1 + self._n / len(rest)) * float(pooled.var(axis=0, ddof=1).sum())
            else:
                least = float((f**2).sum()) / (len(rows) - self._ddof) + beyond
            best = float((y * f).sum()) / (len(rows) - self._ddof) / least if least > 0 else 0.0
            return float(np.clip(best, 0, self._most)) if clip else best

        if tuning is Tuning.TUNED:
            return np.full(self._n, tuned(np.arange(self._n)))
        order = np.random.default_rng(seed).permutation(self._n)
        halves = np.sort(order[: self._n // 2]), np.sort(order[self._n // 2 :])
        weights = np.empty(self._n)
        for half, other in (halves, halves[::-1]):
            weights[half] = tuned(other)
        return weights


def prediction_powered_ratios(
    units: Units,
    tuning: Tuning | float = Tuning.CROSS_FITTED,
    *,
    seed: int = 0,
    clip: bool = True,
    spread: Spread = Spread.POOLED,
    ddof: int = 1,
) -> Powered:
    """Estimate K ratios from people and a machine; the arguments are those of `Rectifier`.

    There are two units of people or more, four if cross-fitted, and two that only the machine judged.
    """
    rectifier = Rectifier(units, tuning, seed=seed, clip=clip, spread=spread, ddof=ddof)
    covariance = rectifier.covariance(as_they_are)
    return Powered(rectifier.ratios, covariance, rectifier.weight, rectifier.degrees)


def prediction_powered_means(
    people: ArrayLike,
    machine: ArrayLike,
    others: ArrayLike,
    tuning: Tuning | float = Tuning.CROSS_FITTED,
    *,
    seed: int = 0,
    clip: bool = True,
    ddof: int = 1,
) -> Powered:
    """Estimate K means from values of people, shape (n, K) or (n,), and of a machine, also of N others."""
    tallies = (
        Tallies.of_arrays(each, np.ones_like(each, dtype=np.float64)) for each in (people, machine, others)
    )
    of_people, of_machine, of_others = tallies
    units = Units(of_people, of_machine, of_others)
    return prediction_powered_ratios(units, tuning, seed=seed, clip=clip, ddof=ddof)


def stratified(parts: Sequence[Powered], shares: Sequence[float]) -> Powered:
    """Combine the estimates of strata by their shares of all units, each with its own lambda.

    Fisch et al. 2024, *Stratified Prediction-Powered Inference*. Strata should be few and large.
    """
    return Powered(
        estimates=np.sum([share * part.estimates for part, share in zip(parts, shares, strict=True)], axis=0),
        covariance=np.sum(
            [share**2 * part.covariance for part, share in zip(parts, shares, strict=True)], axis=0
        ),
        weight=float(np.dot(shares, [part.weight for part in parts])),
        degrees=min(part.degrees for part in parts),
    )


def actively_sampled_mean(
    people: ArrayLike,
    machine: ArrayLike,
    probability: ArrayLike,
    tuning: Tuning | float = Tuning.TUNED,
) -> Powered:
    """Estimate a mean over N units, of which people were asked about some with known probabilities.

    Zrnic and Candès 2024, *Active Statistical Inference*: the mean of lambda F + asked (Y - lambda F) /
    probability. All arguments have the shape (N,); `people` is NaN where nobody was asked. A tuned lambda is
    not limited.

    Raises `ValueError` for a cross-fitted lambda.
    """
    answers, predicted, chance = (
        np.asarray(each, dtype=np.float64) for each in (people, machine, probability)
    )
    factor = np.where(np.isnan(answers), 0, 1 / chance)
    known = np.nan_to_num(answers) * factor
    gain = predicted * (factor - 1)
    match tuning:
        case Tuning.CROSS_FITTED:
            raise ValueError("the lambda of an active sample is not cross-fitted")
        case Tuning.TUNED:
            weight = float(np.cov(gain, known)[0, 1] / gain.var(ddof=1))
        case Tuning.PEOPLE | Tuning.PLAIN:
            weight = float(tuning is Tuning.PLAIN)
        case _:
            weight = tuning
    values = known - weight * gain
    variance = values.var(ddof=1) / len(values)
    return Powered(np.array([values.mean()]), np.array([[variance]]), weight)


def worth(people: FloatArray, powered: FloatArray, judged: int) -> int:
    """The number of judgments of people that would give the variances of prediction-powered estimates.

    From variances of M estimates from `judged` judgments of people alone, and of prediction-powered ones,
    shape (M,) each; rounded down.
    """
    total = float(powered.sum())
    return int(judged * float(people.sum()) / total) if total > 0 else judged


def share_needed(correlation: float, times: float) -> float:
    """The share of people's judgments that are needed beside a machine, at the best lambda.

    `correlation` is that of what people and machine say of a unit, and the machine judges `times` as many
    units as people. PPI++ has (1 - correlation² N / (n + N)) of the variance of people alone.
    """
    return 1 - correlation**2 * times / (1 + times)


def correlation_of(share: float, times: float) -> float:
    """The correlation, from 0 to 1, at which a machine leaves this share of the variance (`share_needed`)."""
    return float(np.sqrt(np.clip((1 - share) * (1 + times) / times, 0, 1)))


def _divided(numerators: FloatArray, denominators: FloatArray) -> FloatArray:
    return np.divide(numerators, denominators, out=np.zeros(len(numerators)), where=denominators != 0)


def _scaled(table: sparse.csr_array, factors: FloatArray) -> sparse.csr_array:
    """The table with each column times its factor."""
    values = table.data * factors[table.indices]
    return sparse.csr_array((values, table.indices, table.indptr), shape=table.shape)


def _selection(rows: IntArray, number: int) -> sparse.csr_array:
    """Shape (n, number): 1 in the column that each row names, if it names one."""
    present = np.flatnonzero(rows >= 0)
    return sparse.csr_array((np.ones(len(present)), (present, rows[present])), shape=(len(rows), number))
