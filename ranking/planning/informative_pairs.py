"""Planning further judgments: the most informative pair, and when two systems will separate."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, exp, sqrt

import numpy as np
from numpy.typing import ArrayLike

from core.later import special
from ranking.models.trueskill import Skill

ROUNDING = 1e-12
"""A smaller mean difference of scores is a rounding error."""


@dataclass(frozen=True, slots=True)
class Projection:
    """A projection of the judgments that two systems still need.

    Attributes:
        more: the judgments still to be made; 0 if the systems are apart already, None if no number is known
            to be enough.
        judgments: the judgments made so far.
        confidence: the confidence at which the systems are to separate.
        reason: why there is no number, in words; None if there is one.
    """

    more: int | None
    judgments: int
    confidence: float
    reason: str | None


def judgments_until_separation(
    first: ArrayLike, second: ArrayLike, judgments: int, confidence: float = 0.95
) -> Projection:
    """Project how many more judgments separate two systems, from their scores in bootstrap replicates.

    `first` and `second` hold the scores of the two systems in the same B replicates, shape (B,). The
    difference d of the scores has a spread s over the replicates that shrinks with the square root of the
    number n of judgments, so that d leaves 0 outside its normal interval after n (z s / d)^2 of them.
    `judgments` is n, counted in the resampled unit; so is the result. Replicates in which one of the
    two has no finite score are left out.

    This is a projection: it assumes that the present difference is the true one. If the difference is near 0,
    which is mostly chance, the number only means "many".
    """
    one, other = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    finite = np.isfinite(one) & np.isfinite(other)
    difference = one[finite] - other[finite]
    if judgments < 2:
        return Projection(None, judgments, confidence, "a single judgment resampled alone has no spread")
    if len(difference) < 2:
        return Projection(None, judgments, confidence, "a spread needs at least two replicates")
    mean, spread = float(np.mean(difference)), float(np.std(difference, ddof=1))
    if abs(mean) < ROUNDING:
        return Projection(None, judgments, confidence, "the two systems score the same")
    width = float(special.ndtri((1 + confidence) / 2)) * spread / abs(mean)
    return Projection(max(0, ceil(judgments * (width**2 - 1))), judgments, confidence, None)


def match_quality(first: Skill, second: Skill, beta: float) -> float:
    """The match quality of two systems, from 0 to 1; `beta` is the standard deviation of a performance.

    It is the probability of a draw, relative to that of equal systems whose skill is known for certain
    (Herbrich et al. 2006).
    """
    spread = 2 * beta**2 + first.sigma**2 + second.sigma**2
    return sqrt(2 * beta**2 / spread) * exp(-((first.mu - second.mu) ** 2) / (2 * spread))


def next_pair(skills: Mapping[str, Skill], beta: float) -> tuple[str, str]:
    """The most informative pair: the least certain system and its most even opponent.

    This is the rule of Sakaguchi et al. 2014, except that they draw the opponent at random, a more even one
    more likely. Of equals, the first in `skills` is taken.

    Raises `ValueError` for fewer than two systems.
    """
    if len(skills) < 2:
        raise ValueError(f"a pair needs two systems, not {len(skills)}")
    system = max(skills, key=lambda name: skills[name].sigma)
    opponents = [name for name in skills if name != system]
    return system, max(opponents, key=lambda name: match_quality(skills[system], skills[name], beta))
