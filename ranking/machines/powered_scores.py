"""ExpectedWins and Bradley-Terry strengths from shares of comparisons won that a machine corrected."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from core.later import csgraph, sparse, special
from ranking.machines.prediction_powered import Onto, Powered, Rectifier, Spread, Tuning, Units
from ranking.machines.sentence_shares import SystemPairs

CLOSE = 1e-13
STEPS = 100
LARGEST_STRENGTH = 30.0
"""Strengths beyond are taken as infinite."""


def powered_expected_wins(
    pairs: SystemPairs, units: Units, tuning: Tuning | float, seed: int, spread: Spread = Spread.APART
) -> Powered:
    """The mean, over the opponents that people compared a system with, of the shares won; S estimates."""
    met = (units.people.means > 0).astype(np.float64)
    number = np.maximum(pairs.incidence(met, met).sum(axis=1), 1)
    of_first, of_second = met / number[pairs.first], met / number[pairs.second]
    means = pairs.incidence(of_first, -of_second)

    def onto(influences: sparse.csr_array) -> FloatArray:
        return np.asarray((influences @ means.T).toarray(), dtype=np.float64)

    rectifier = Rectifier(units, tuning, onto, seed=seed, spread=spread)
    lost = np.bincount(pairs.second, of_second, len(pairs.systems)).astype(np.float64)
    scores: FloatArray = means @ rectifier.ratios + lost
    covariance = rectifier.covariance(onto)
    return Powered(scores, covariance, rectifier.weight, rectifier.degrees)


def powered_bradley_terry(
    pairs: SystemPairs, units: Units, tuning: Tuning | float, seed: int, spread: Spread = Spread.APART
) -> Powered:
    """The S log strengths, with sum 0, whose expected shares fit best; pairs weigh as people judged them."""
    times = units.people.means
    people = _fitted(pairs, units.people.ratios, times, np.zeros(len(pairs.systems)))
    rectifier = Rectifier(units, tuning, people.onto, seed=seed, spread=spread)
    ratios = rectifier.ratios
    fitted = _fitted(pairs, ratios, times, people.strengths)
    covariance = rectifier.covariance(fitted.onto, ratios - fitted.expected)
    return Powered(fitted.strengths, covariance, rectifier.weight, rectifier.degrees)


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """Strengths, shape (S,), the shares won that they expect, shape (P,), and their derivatives by shares."""

    strengths: FloatArray
    expected: FloatArray
    onto: Onto


def _fitted(pairs: SystemPairs, ratios: FloatArray, times: FloatArray, start: FloatArray) -> _Fit:
    """The strengths of the largest likelihood, by damped Newton steps.

    Corrected shares can be such that the likelihood has no maximum. The first step from `start`, the fit to
    people alone, is then the estimate; with many sentences it is as good.
    """
    signs = pairs.incidence(np.ones(len(times)), -np.ones(len(times)))
    close = CLOSE * float(times.sum())

    def derivatives(strengths: FloatArray) -> tuple[FloatArray, FloatArray]:
        expected = special.expit(signs.T @ strengths)
        information = (signs @ sparse.diags_array(times * expected * (1 - expected)) @ signs.T).toarray()
        gauge = 1 / len(strengths)
        return expected, np.linalg.inv(information + gauge) - gauge

    def loss(strengths: FloatArray) -> float:
        lead = signs.T @ strengths
        return float(times @ (np.logaddexp(0, lead) - ratios * lead))

    def fit(strengths: FloatArray) -> _Fit:
        expected, inverse = derivatives(strengths)
        weighted = sparse.csr_array(signs @ sparse.diags_array(times))
        return _Fit(strengths, expected, lambda influences: (influences @ weighted.T).toarray() @ inverse)

    strengths = first = start
    for number in range(STEPS):
        expected, inverse = derivatives(strengths)
        gradient = signs @ (times * (ratios - expected))
        step = inverse @ gradient
        if number == 0:
            first = start + step
        gain = float(gradient @ step)
        while gain > close and loss(strengths + step) > loss(strengths):
            step /= 2
        strengths = strengths + step
        if gain <= close:
            return fit(strengths)
        if np.abs(strengths).max() > LARGEST_STRENGTH:
            break
    return fit(first)


def are_connected(pairs: SystemPairs, units: Units) -> bool:
    """Whether people's wins and ties link all systems both ways, without which strengths have no bounds."""
    ratios, is_met = units.people.ratios, units.people.means > 0
    wins, losses = is_met & (ratios > 0), is_met & (ratios < 1)
    rows = np.concatenate([pairs.first[wins], pairs.second[losses]])
    columns = np.concatenate([pairs.second[wins], pairs.first[losses]])
    size = len(pairs.systems)
    links = sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(size, size))
    return bool(csgraph.connected_components(links, directed=True, connection="strong")[0] <= 1)
