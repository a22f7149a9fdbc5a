"""Signs of careless work: too fast, the same answer throughout, agreement below chance.

The default thresholds are conventions. In survey research, answering in a small share of the median time is
called speeding, and the same answer throughout straightlining; there is no agreed cut-off for either.
Chance is that of `ranking.peer_agreement`: agreement of someone who answers at random lands on either side
of it, so the default flags about half of such judges, and a higher threshold more.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ranking.arrays import FloatArray, IntArray

FEWEST_PACES = 2
"""A median of one judge's time is no yardstick."""


@dataclass(frozen=True, slots=True)
class FlagRule:
    """When the work of a judge is flagged.

    Attributes:
        pace: the least median time that passes, as a share of the campaign's.
        same_answer: the largest share of screens with the same answer that passes.
        beyond_chance: the least agreement beyond chance that passes: 0 is chance, 1 full agreement.
        min_cases: the fewest screens, or comparisons with others, with which anybody is flagged.
    """

    pace: float = 0.33
    same_answer: float = 0.9
    beyond_chance: float = 0.0
    min_cases: int = 20


@dataclass(frozen=True, slots=True, eq=False)
class Habits:
    """How J judges work. A figure without cases is NaN.

    Attributes:
        seconds: shape (J,); median active time on a screen.
        timed: shape (J,); screens on which that rests.
        same_answer: shape (J,); share of screens with the judge's most frequent answer.
        several: shape (J,); screens on which that rests.
        agreement: shape (J,); share of comparisons with others that agree.
        by_chance: shape (J,); share that would agree by chance.
        compared: shape (J,); comparisons on which these two rest.
    """

    seconds: FloatArray
    timed: IntArray
    same_answer: FloatArray
    several: IntArray
    agreement: FloatArray
    by_chance: FloatArray
    compared: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Flags:
    """Which of J judges are flagged, and the figures that decide.

    Attributes:
        campaign_seconds: the median of the judges' median times, over judges with enough timed screens; NaN
            where there are fewer than two of them.
        pace: shape (J,); each judge's median time as a share of the campaign's.
        beyond_chance: shape (J,); (agreement - chance) / (1 - chance), as kappa.
        too_fast: shape (J,).
        same_answer: shape (J,).
        below_chance: shape (J,).
    """

    campaign_seconds: float
    pace: FloatArray
    beyond_chance: FloatArray
    too_fast: NDArray[np.bool_]
    same_answer: NDArray[np.bool_]
    below_chance: NDArray[np.bool_]


def flags(habits: Habits, rule: FlagRule) -> Flags:
    """Flag judges by the rule; whoever has too few cases for a figure is not flagged for it."""
    known = (habits.timed >= rule.min_cases) & ~np.isnan(habits.seconds)
    enough = np.count_nonzero(known) >= FEWEST_PACES
    campaign_seconds = float(np.median(habits.seconds[known])) if enough else np.nan
    with np.errstate(invalid="ignore", divide="ignore"):
        pace = habits.seconds / campaign_seconds
        beyond_chance = (habits.agreement - habits.by_chance) / (1 - habits.by_chance)
    return Flags(
        campaign_seconds=campaign_seconds,
        pace=pace,
        beyond_chance=beyond_chance,
        too_fast=known & (pace < rule.pace),
        same_answer=(habits.several >= rule.min_cases) & (habits.same_answer > rule.same_answer),
        below_chance=(habits.compared >= rule.min_cases) & (beyond_chance < rule.beyond_chance),
    )
