"""TrueSkill for pairwise judgments with draws, as WMT adapted it (Sakaguchi et al. 2014).

The skill of a system is a normal distribution, updated by one comparison after the other (Herbrich et al.
2006). WMT keeps mu 0, sigma .5, no dynamics (tau 0) and a draw probability of .25 throughout, and lets beta
grow with the number of comparisons of a run: beta = sigma * n / 40. With much data updates are then tiny and
variances stay where they were; the mean is the score, and mu - 3 sigma says nothing.

Updates are in closed form and compiled (`ranking.trueskill_kernel`). `ranking.trueskill_reference` does the
same by the package `trueskill`, some thousand times slower.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from ranking.arrays import FloatArray, IntArray
from ranking.pairs import PairCounts
from ranking.resampling import GroupedPairs, Progress, Unit

Seeds = NDArray[np.uint64]

SIGMA = 0.5
DRAW_PROBABILITY = 0.25
RUNS_PER_BLOCK = 1
"""Runs that a thread takes at a time; it has no influence on them."""


@dataclass(frozen=True, slots=True)
class Skill:
    """What is believed of a system's skill: a normal distribution.

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
        draw_probability: the chance that two systems of equal skill tie, between 0 and 1.
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
        """How far performances may lie apart in a draw (Herbrich et al. 2006, section 2)."""
        return float(ndtri((self.draw_probability + 1) / 2) * sqrt(2) * self.beta)


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
    from ranking.trueskill_kernel import update

    mu = np.array([better.mu, worse.mu])
    variance = np.array([better.sigma, worse.sigma]) ** 2
    update(mu, variance, 0, 1, draw, parameters.beta, parameters.draw_margin)
    sigma = np.sqrt(variance)
    return Skill(float(mu[0]), float(sigma[0])), Skill(float(mu[1]), float(sigma[1]))


def trueskill_runs(
    counts: PairCounts, runs: range, seed: int, *, threads: int = 1, progress: Progress | None = None
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
    from ranking.trueskill_kernel import choose_and_play

    compared = counts.decided + counts.ties
    met = compared.sum(axis=1) > 0
    compared, wins, ties = (matrix[np.ix_(met, met)] for matrix in (compared, counts.wins, counts.ties))
    with np.errstate(invalid="ignore"):
        won, decided = wins / compared, 1 - ties / compared
    steps = int(compared.sum()) // 2 + 1
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


def trueskill_replicates(
    pairs: GroupedPairs, replicates: range, seed: int, *, threads: int = 1, progress: Progress | None = None
) -> FloatArray:
    """Means after playing resampled pairs, shape (B, S), systems as in `pairs`; NaN if never compared.

    A plain bootstrap: groups are drawn with replacement, as many as there are, and the pairs of each are
    played from first to last, with `wmt_parameters` of the number of all pairs. Pairs by themselves are drawn
    from their counts, which searches no memory. Replicate r is the same in any range and with
    any number of threads. `progress` gets the number finished.
    """
    from ranking.trueskill_kernel import play_pairs, replay

    parameters = wmt_parameters(len(pairs.codes))
    skills = (parameters.sigma, parameters.beta, parameters.draw_margin)
    counts = pairs.counts
    if pairs.unit is Unit.PAIR:
        table = _alias_table(pairs.totals)
        number = len(pairs.codes)

        def play(seeds: Seeds, means: FloatArray) -> None:
            play_pairs(seeds, number, *table, *skills, means)
    else:
        starts = pairs.starts.astype(np.int64)

        def play(seeds: Seeds, means: FloatArray) -> None:
            replay(seeds, starts, pairs.codes, *skills, means)

    seeds = _seeds(replicates, seed)
    scores = _in_threads(play, seeds, systems=len(pairs.systems), threads=threads, progress=progress)
    scores[:, (counts.decided + counts.ties).sum(axis=1) == 0] = np.nan
    return scores


def _alias_table(counts: IntArray) -> tuple[FloatArray, IntArray, IntArray]:
    """Cells that are equally likely, each with two codes and the share of its first (Walker 1977; Vose 1991).

    A code, from 0, is as likely as its count. In whole numbers, so that shares are exact.
    """
    codes = np.flatnonzero(counts)
    others = codes.copy()
    full = int(counts.sum())
    left = [int(count) * len(codes) for count in counts[codes]]
    shares = np.ones(len(codes))
    small = [cell for cell, amount in enumerate(left) if amount < full]
    large = [cell for cell, amount in enumerate(left) if amount > full]
    while small:
        cell, giver = small.pop(), large[-1]
        shares[cell], others[cell] = left[cell] / full, codes[giver]
        left[giver] -= full - left[cell]
        if left[giver] <= full:
            large.pop()
        if left[giver] < full:
            small.append(giver)
    return shares, codes, others


def _seeds(runs: range, seed: int) -> Seeds:
    words = np.random.SeedSequence(seed).generate_state(runs.stop, np.uint64)
    return words[runs.start :].astype(np.uint64)


def _in_threads(
    play: Callable[[Seeds, FloatArray], None],
    seeds: Seeds,
    *,
    systems: int,
    threads: int,
    progress: Progress | None,
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
