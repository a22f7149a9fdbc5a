"""TrueSkill for pairwise judgments with draws, as WMT adapted it (Sakaguchi et al. 2014).

The skill of a system is a normal distribution, updated by one comparison after the other (Herbrich et al.
2006). WMT keeps mu 0, sigma .5, no dynamics (tau 0) and a draw probability of .25 throughout, and lets beta
grow with the number of comparisons of a run: beta = sigma * n / 40. With much data updates are then tiny and
variances stay where they were; the mean is the score, and mu - 3 sigma says nothing.

Updates are in closed form and compiled (`ranking.models.trueskill_kernel`).
`ranking.models.trueskill_reference` uses the package `trueskill`, which is about a thousand times slower.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray
from core.later import special
from core.progress import Advance
from ranking.judgments.pairs import PairCounts

Seeds = NDArray[np.uint64]

SIGMA = 0.5
DRAW_PROBABILITY = 0.25
FEWEST_STEPS, STEPS_PER_SYSTEM = 1000, 100
"""Fewest steps of an expected run, and steps by system; with more comparisons, a step counts for several."""

RUNS_PER_BLOCK = 1
"""Runs that a thread takes at a time; it has no influence on them."""


@dataclass(frozen=True, slots=True)
class Skill:
    """Belief about a system's skill: a normal distribution.

    Attributes:
        mu: its mean.
        sigma: its standard deviation.
    """

    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class TrueSkillParameters:
    """The parameters of a run; skills start at mu 0.

    Attributes:
        beta: the standard deviation of a system's performance around its skill.
        sigma: the standard deviation of a skill at the start.
        draw_probability: probability that two systems of equal skill tie, between 0 and 1.
    """

    beta: float
    sigma: float = SIGMA
    draw_probability: float = DRAW_PROBABILITY

    def __post_init__(self) -> None:
        if self.beta <= 0 or self.sigma <= 0:
            raise ValueError("beta and sigma must be positive")
        if not 0 < self.draw_probability < 1:
            raise ValueError(f"draw_probability must be between 0 and 1, not {self.draw_probability}")

    @property
    def draw_margin(self) -> float:
        """The largest difference of performances in a draw (Herbrich et al. 2006, section 2)."""
        return float(special.ndtri((self.draw_probability + 1) / 2) * sqrt(2) * self.beta)


def wmt_parameters(comparisons: int) -> TrueSkillParameters:
    """The parameters of WMT for a run of so many comparisons: beta = sigma * n / 40."""
    return TrueSkillParameters(beta=SIGMA * max(comparisons, 1) / 40)


def update_skills(
    better: Skill, worse: Skill, parameters: TrueSkillParameters, *, draw: bool = False
) -> tuple[Skill, Skill]:
    """Both skills after one comparison, in closed form (Herbrich et al. 2006, section 3).

    Agrees with the package `trueskill` to 1e-9 where that computes with exact normal distributions, and to
    1e-6 with the approximations that it takes by default.
    """
    from ranking.models.trueskill_kernel import update

    mu = np.array([better.mu, worse.mu])
    variance = np.array([better.sigma, worse.sigma]) ** 2
    update(mu, variance, 0, 1, draw, parameters.beta, parameters.draw_margin)
    sigma = np.sqrt(variance)
    return Skill(float(mu[0]), float(sigma[0])), Skill(float(mu[1]), float(sigma[1]))


def trueskill_runs(
    counts: PairCounts, runs: range, seed: int, *, threads: int = 1, progress: Advance | None = None
) -> FloatArray:
    """Means after runs of WMT's procedure, shape (B, S), systems as in `counts`; NaN if never compared.

    A run has one step more than there are comparisons (n), with `wmt_parameters(n + 1)`. In each step the
    system of the largest variance, of equal ones the last in the alphabet, meets another one, drawn with
    probability proportional to exp(-|difference of means|) among those it has met in the data, and the
    outcome is drawn with replacement from their comparisons (Sakaguchi et al. 2014, as in the authors'
    `infer_TS.py`). GJG15's scores are means over 1000 runs, its ranges come from their ranks (Table 3c).

    Run r is the same in any range and with any number of threads. `progress` gets the number of runs
    finished.
    """
    from ranking.models.trueskill_kernel import choose_and_play

    met, won, decided, steps = _shares(counts)
    parameters = wmt_parameters(steps)
    scores = np.full((len(runs), len(met)), np.nan)
    scores[:, met] = _in_threads(
        lambda seeds, means: choose_and_play(
            seeds, steps, won, decided, parameters.sigma, parameters.beta, parameters.draw_margin, means
        ),
        _seeds(runs, seed),
        systems=len(won),
        threads=threads,
        progress=progress,
    )
    return scores


def trueskill_scores(counts: PairCounts) -> FloatArray:
    """The expected means after a run of WMT's procedure, shape (S,), systems as in `counts`.

    NaN for a system that was never compared. Means over many `trueskill_runs` come close to these scores,
    which involve no chance. Each step replaces its random opponent and outcome by their expectation
    over the current means and variances. That is exact as comparisons become many. Above 1,000 comparisons
    the tests find differences of up to .006 to means over runs, whose own standard errors are up to .005; of
    systems that stand up to 2 apart, with 12 to 150 comparisons, up to .07, where runs scatter by .1 to .2.

    A run with more than `FEWEST_STEPS` comparisons takes fewer and longer steps, so that time does not grow
    with the number of comparisons.
    """
    from ranking.models.trueskill_kernel import expect

    scores = np.full(len(counts.systems), np.nan)
    met, won, decided, steps = _shares(counts)
    if not len(won):
        return scores
    parameters = wmt_parameters(steps)
    taken = min(steps, max(FEWEST_STEPS, STEPS_PER_SYSTEM * len(won)))
    means = np.empty(len(won))
    skills = (parameters.sigma, parameters.beta, parameters.draw_margin)
    expect(taken, steps / taken, won, decided, *skills, means)
    scores[met] = means
    return scores


def _shares(counts: PairCounts) -> tuple[NDArray[np.bool_], FloatArray, FloatArray, int]:
    """The shares of their comparisons that systems won, or that were decided, and the steps of a run.

    Returns:
        Shape (S,), which systems were compared; shape (m, m) each, for these: the share of all comparisons of
        two systems that the first won, and the share that was no tie, NaN where they never met; the number of
        steps, one more than comparisons.
    """
    compared = counts.decided + counts.ties
    met = compared.sum(axis=1) > 0
    compared, wins, ties = (matrix[np.ix_(met, met)] for matrix in (compared, counts.wins, counts.ties))
    with np.errstate(invalid="ignore"):
        return met, wins / compared, 1 - ties / compared, int(compared.sum()) // 2 + 1


def _seeds(runs: range, seed: int) -> Seeds:
    words = np.random.SeedSequence(seed).generate_state(runs.stop, np.uint64)
    return words[runs.start :].astype(np.uint64)


def _in_threads(
    play: Callable[[Seeds, FloatArray], None],
    seeds: Seeds,
    *,
    systems: int,
    threads: int,
    progress: Advance | None,
) -> FloatArray:
    means = np.empty((len(seeds), systems))

    def play_block(first: int) -> int:
        block = slice(first, first + RUNS_PER_BLOCK)
        play(seeds[block], means[block])
        return len(seeds[block])

    if systems:
        with ThreadPoolExecutor(threads) as pool:
            for finished in pool.map(play_block, range(0, len(seeds), RUNS_PER_BLOCK)):
                if progress is not None:
                    progress(finished)
    return means
