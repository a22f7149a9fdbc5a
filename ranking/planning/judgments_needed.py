"""The number of judgments that will settle the order of two systems, simulated from the judgments so far."""

from dataclasses import dataclass
from math import isfinite

import numpy as np

from core.arrays import FloatArray, IntArray
from ranking.planning.watching import Watched, WatchedPair, anytime_width

SIMULATIONS = 1000

LOOKS_PER_CAMPAIGN = 10
"""Number of looks until the number of judgments has doubled."""

MOST_CAMPAIGNS = 40
"""How far a simulation goes, in multiples of the judgments made so far."""


@dataclass(frozen=True, slots=True)
class Remaining:
    """Further judgments that settle the order of two systems.

    Attributes:
        low: lower end of the middle simulations; None if beyond `horizon`, as for the next two.
        median: of the simulations.
        high: upper end of the middle simulations.
        horizon: number of further judgments that were simulated.
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

    Each simulation draws the true difference from a normal distribution around the present one, with its
    standard error, and then the sum of the further judgments' influences, look by look. `low` and `high` hold
    the middle `confidence` of the simulations. The error of a machine that corrects the difference stays.
    """
    made = int(watched.judgments[-1])
    step = max(1, made // LOOKS_PER_CAMPAIGN)
    looks = LOOKS_PER_CAMPAIGN * MOST_CAMPAIGNS
    difference, error = pair.last_difference, float(pair.standard_error[-1])
    if pair.settled_at is not None:
        return Remaining(0, 0, 0, looks * step, None)
    if difference is None:
        return Remaining(None, None, None, looks * step, "one of the two has no score yet")
    if not (isfinite(error) and error > 0):
        return Remaining(None, None, None, looks * step, "too few sentences say which is better")
    rng = np.random.default_rng(seed)
    true = difference + error * rng.standard_normal(SIMULATIONS)
    of_people = float(np.sqrt(max(error**2 - pair.lasting_error**2, 0)))
    more = until_settled(
        true,
        per_judgment=of_people * float(np.sqrt(made)),
        lasting_error=pair.lasting_error,
        difference=difference,
        made=made,
        times=step * np.arange(1, looks + 1),
        alpha=watched.alpha,
        planned=watched.planned,
        rng=rng,
    )
    low, median, high = quantiles(more, confidence)
    return Remaining(low, median, high, looks * step, None)


def until_settled(
    true: FloatArray,
    *,
    per_judgment: float,
    times: IntArray,
    alpha: float,
    planned: int,
    rng: np.random.Generator,
    difference: float = 0.0,
    made: int = 0,
    lasting_error: float = 0.0,
) -> FloatArray:
    """The first of these further numbers of judgments at which the anytime interval leaves 0, shape (n,).

    Infinite where none does. `true` holds the true difference in each of n simulations, `times` the further
    judgments at each look, evenly spaced. `difference` is the difference after the `made` judgments so far,
    `per_judgment` the standard deviation of the influence of one judgment, and `lasting_error` the standard
    error that all looks share (`ranking.planning.machine_correction`). The other arguments are those of
    `anytime_width`.
    """
    judgments = np.concatenate([[made], made + times])
    terms = judgments / (1 + judgments * (lasting_error / per_judgment) ** 2 if lasting_error else 1)
    steps = np.diff(terms)
    noise = np.sqrt(steps) * per_judgment * rng.standard_normal((len(true), len(times)))
    sums = np.cumsum(steps * true[:, np.newaxis] + noise, axis=1)
    width = per_judgment / np.sqrt(terms[1:]) * anytime_width(judgments[1:], alpha, planned)
    apart = np.abs((terms[0] * difference + sums) / terms[1:]) > width
    return np.where(apart.any(axis=1), times[apart.argmax(axis=1)], np.inf)


def quantiles(numbers: FloatArray, confidence: float) -> tuple[int | None, int | None, int | None]:
    """Lower end of the middle `confidence` of numbers, median, and upper end; None if infinite."""
    shares = [(1 - confidence) / 2, 0.5, (1 + confidence) / 2]
    low, median, high = np.quantile(numbers, shares, method="higher").tolist()
    return _counted(low), _counted(median), _counted(high)


def _counted(value: float) -> int | None:
    return int(value) if isfinite(value) else None
