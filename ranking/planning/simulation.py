"""The number of judgments that a design needs, simulated before anybody has judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import ceil, comb, exp, log

import numpy as np

from core.arrays import FloatArray, IntArray
from core.later import pd, special
from ranking.judgments.grouped_pairs import Unit, cells_of_groups, group_pairs
from ranking.models.expected_wins import shares_influence
from ranking.planning.judgments_needed import SIMULATIONS, quantiles, until_settled
from ranking.planning.watching import FEWEST_SENTENCES, standard_errors

LUCK = 1.0
"""Standard deviation, in log odds, of a system's quality on a sentence, which its annotators share."""

LUCK_POINTS = 60
"""Points of the Gauss-Hermite quadrature over the difference of the luck of two systems."""

MOST_GAP, LEAST_STEP, MOST_STEP = 100.0, 1e-6, 1e6
"""Limits between which the log odds of neighbours and the step of ties are searched."""

PILOT_RATINGS = 30_000
"""Ratings of the simulated campaign that gives the standard deviation of one judgment."""

ROOT_WIDTH = 1e-12

POWER = 0.8

LOOKS = 400
LOOKS_PER_NEED = 20
"""Looks in the time of as many judgments as one look at the end needs."""


@dataclass(frozen=True, slots=True)
class Design:
    """A planned campaign with systems at equal distances.

    Attributes:
        systems: number of systems.
        shown: outputs on a screen, 2 to `systems`.
        per_sentence: judgments of a sentence.
        wins: share of decided comparisons that the better of two neighbours wins, from .5 to below 1. At .5
            all systems are equal.
        ties: share of comparisons of two neighbours that tie, from 0 to below 1.
    """

    systems: int
    shown: int
    per_sentence: int
    wins: float
    ties: float


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """The judgments that separate neighbours.

    Attributes:
        difference: of the ExpectedWins of two neighbours.
        error: standard deviation of the influence of one judgment on it.
        needed: judgments after which an interval for one look separates two neighbours in 80 % of campaigns.
        judgments: shape (n,), numbers of judgments.
        power: shape (n,), the share of campaigns in which they are separated after that number.
        watched: judgments at which watched campaigns settle them: lower end of the middle 80 %, median and
            upper end; None if beyond `horizon`.
    """

    difference: float
    error: float
    needed: int
    judgments: IntArray
    power: FloatArray
    watched: tuple[int | None, int | None, int | None]

    @property
    def horizon(self) -> int:
        """Number of judgments that are simulated."""
        return LOOKS * max(1, self.needed // LOOKS_PER_NEED)


def plan(design: Design, *, confidence: float = 0.95, seed: int = 0) -> Plan:
    """The difference of neighbours by the model, its error by simulation, and campaigns of any size.

    Raises `ValueError` for equal systems, which no number of judgments separates.
    """
    if design.wins <= 0.5:
        raise ValueError(
            "equal systems are never separated: the better of two neighbours has to win more often"
        )
    difference, error = neighbours_difference(design), _error_of_a_judgment(design, seed)
    z, z_of_power = float(special.ndtri((1 + confidence) / 2)), float(special.ndtri(POWER))
    fewest = FEWEST_SENTENCES * design.per_sentence
    needed = max(fewest, ceil(((z + z_of_power) * error / difference) ** 2))
    judgments = np.unique(np.geomspace(max(10, needed / 20), 4 * needed, 60).astype(np.int64))
    times = max(1, needed // LOOKS_PER_NEED) * np.arange(1, LOOKS + 1)
    settled = until_settled(
        np.full(SIMULATIONS, difference),
        per_judgment=error,
        times=times,
        alpha=(1 - confidence) / comb(design.systems, 2),
        planned=needed,
        rng=np.random.default_rng(seed),
    )
    return Plan(
        difference=difference,
        error=error,
        needed=needed,
        judgments=judgments,
        power=special.ndtr(difference * np.sqrt(judgments) / error - z),
        watched=quantiles(np.maximum(settled, fewest), POWER),
    )


def neighbours_difference(design: Design) -> float:
    """The difference of the ExpectedWins of two neighbours, as a mean over all of them."""
    gap, step = _gap_and_step(design)
    shares = [_decided_share(gap * places, step) for places in range(1, design.systems)]
    return (2 * float(np.mean(shares)) - 1) / (design.systems - 1)


def _error_of_a_judgment(design: Design, seed: int) -> float:
    sentences = PILOT_RATINGS // (design.shown * design.per_sentence)
    pairs = group_pairs(simulated_campaign(design, sentences=sentences, seed=seed), Unit.SENTENCE)
    cells = np.flatnonzero(pairs.totals)
    influences = [shares_influence(pairs.counts, row, row + 1) for row in range(design.systems - 1)]
    sums = cells_of_groups(pairs, cells) @ np.reshape(influences, (len(influences), -1))[:, cells].T
    return float(np.mean(standard_errors(sums)) * np.sqrt(sentences * design.per_sentence))


def simulated_campaign(design: Design, *, sentences: int, seed: int) -> pd.DataFrame:
    """A snapshot of rankings, whose systems are named in alphabetical order from the best down.

    An annotator sees the strength of a system, its luck on the sentence, which all annotators of it see, and
    a random part of the logistic model; outputs in the same step of these sums tie.
    """
    rng = np.random.default_rng(seed)
    gap, step = _gap_and_step(design)
    strengths = -gap * np.arange(design.systems)
    luck = rng.normal(0, LUCK, (sentences, design.systems))
    sentence = np.tile(np.arange(sentences), design.per_sentence)
    seen = strengths + luck[sentence] + rng.gumbel(size=(len(sentence), design.systems))
    if step:
        seen = np.floor(seen / step + rng.random((len(sentence), 1)))
    shown = np.argsort(rng.random(seen.shape), axis=1)[:, : design.shown]
    values = np.take_along_axis(seen, shown, axis=1)
    ranks = 1 + (values[:, :, np.newaxis] < values[:, np.newaxis, :]).sum(axis=2)
    names = np.array([f"system {number:03}" for number in range(design.systems)], dtype=object)
    systems = names[shown.ravel()]
    judgment = np.repeat(np.arange(len(sentence)), design.shown)
    return pd.DataFrame(
        {
            "judgment": [f"judgment {number}" for number in judgment],
            "annotator": [f"annotator {number // sentences}" for number in judgment],
            "sentence": sentence[judgment],
            "output": systems,
            "systems": [(name,) for name in systems],
            "rank": pd.array(ranks.ravel(), dtype="Int64"),
        }
    )


def _gap_and_step(design: Design) -> tuple[float, float]:
    """The log odds between neighbours, and the step in which sums tie, 0 without ties, of this design."""

    def gap_of(step: float) -> float:
        if design.wins <= 0.5:
            return 0.0
        return _root(lambda gap: _decided_share(gap, step) - design.wins, 0.0, MOST_GAP)

    def excess(log_step: float) -> float:
        step = exp(log_step)
        return 1 - sum(_won_and_lost(gap_of(step), step)) - design.ties

    step = exp(_root(excess, log(LEAST_STEP), log(MOST_STEP))) if design.ties > 0 else 0.0
    return gap_of(step), step


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """The root, by bisection, of a monotone function with different signs at the two ends.

    SciPy finds roots sooner, but a web process that loads its optimisers is a tenth larger.

    Raises:
        ValueError: the signs are equal.
    """
    sign = function(low) < 0
    if sign == (function(high) < 0):
        raise ValueError(f"no root between {low:g} and {high:g}")
    while high - low > ROOT_WIDTH:
        middle = (low + high) / 2
        low, high = (middle, high) if (function(middle) < 0) == sign else (low, middle)
    return (low + high) / 2


def _decided_share(gap: float, step: float) -> float:
    won, lost = _won_and_lost(gap, step)
    return won / (won + lost)


def _won_and_lost(gap: float, step: float) -> tuple[float, float]:
    """How likely the better of two systems, by these log odds, is seen above the other one, and below.

    Two sums that differ by d, in steps of a random beginning, are in different steps with probability
    min(1, |d| / step).
    """
    points, weights = _luck()
    lead = gap + points
    if not step:
        return float(weights @ special.expit(lead)), float(weights @ special.expit(-lead))
    won, lost = (
        weights @ (np.logaddexp(0, ahead) - np.logaddexp(0, ahead - step)) / step for ahead in (lead, -lead)
    )
    return float(won), float(lost)


@cache
def _luck() -> tuple[FloatArray, FloatArray]:
    """Differences of the luck of two systems, in log odds, and the probability of each."""
    points, weights = np.polynomial.hermite_e.hermegauss(LUCK_POINTS)
    return np.sqrt(2) * LUCK * points, weights / weights.sum()
