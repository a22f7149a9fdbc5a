"""How many more judgments settle the order of two systems, by simulation from what is known now."""

from dataclasses import dataclass
from math import isfinite

import numpy as np

from ranking.watching import Watched, WatchedPair, anytime_width

SIMULATIONS = 1000

LOOKS_PER_CAMPAIGN = 10
"""Looks in the time that so many judgments take as were made so far."""

MOST_CAMPAIGNS = 40
"""How far the simulation goes, in numbers of the judgments made so far."""


@dataclass(frozen=True, slots=True)
class Remaining:
    """How many more judgments settle the order of two systems.

    Attributes:
        low: few of the simulations needed fewer.
        median: half of them needed fewer.
        high: few of them needed more. Each of the three is None where it lies beyond `horizon`.
        horizon: how many more judgments were simulated.
        reason: why there are no numbers, in words; None if there are.
    """

    low: int | None
    median: int | None
    high: int | None
    horizon: int
    reason: str | None


def judgments_until_settled(
    watched: Watched, pair: WatchedPair, *, confidence: float = 0.95, seed: int = 0
) -> Remaining:
    """Simulate judgments like those so far until the anytime interval of the difference leaves 0.

    Each simulation draws the true difference from its normal distribution around that found so far, with its
    standard error, and then the sum of the further judgments' influences, look by look. `low` and `high` hold
    the middle `confidence` of the simulations.
    """
    made = int(watched.judgments[-1])
    step = max(1, made // LOOKS_PER_CAMPAIGN)
    looks = LOOKS_PER_CAMPAIGN * MOST_CAMPAIGNS
    found, error = float(pair.difference[-1]), float(pair.standard_error[-1])
    if pair.settled_at is not None:
        return Remaining(0, 0, 0, looks * step, None)
    if not (isfinite(found) and isfinite(error) and error > 0):
        return Remaining(None, None, None, looks * step, "too few sentences were judged to tell")
    rng = np.random.default_rng(seed)
    per_judgment = error * np.sqrt(made)
    true = found + error * rng.standard_normal((SIMULATIONS, 1))
    further = step * true + np.sqrt(step) * per_judgment * rng.standard_normal((SIMULATIONS, looks))
    judgments = made + step * np.arange(1, looks + 1)
    difference = (made * found + np.cumsum(further, axis=1)) / judgments
    width = anytime_width(judgments, watched.alpha, watched.planned)
    apart = np.abs(difference) > per_judgment / np.sqrt(judgments) * width
    more = np.where(apart.any(axis=1), step * (1.0 + apart.argmax(axis=1)), np.inf)
    shares = [(1 - confidence) / 2, 0.5, (1 + confidence) / 2]
    low, median, high = (_counted(value) for value in np.quantile(more, shares, method="higher"))
    return Remaining(low, median, high, looks * step, None)


def _counted(value: float) -> int | None:
    return int(value) if isfinite(value) else None
