"""How many judgments a design needs, by simulation, before anybody has judged."""

from dataclasses import dataclass
from math import ceil, comb, log

import numpy as np
import pandas as pd
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import logistic, norm

from ranking.arrays import FloatArray, IntArray
from ranking.expected_wins import mean_shares_won
from ranking.pairs import count_pairs
from ranking.stopping import SIMULATIONS, quantiles, until_settled
from ranking.watching import FEWEST_SENTENCES, watch

LUCK = 1.0
"""Standard deviation, in log odds, of how well a system does on a sentence; the judges of it share this."""

PILOT_SENTENCES = 600
"""Of the simulated campaign that tells the standard deviation of one judgment."""

POWER = 0.8

LOOKS = 400
LOOKS_PER_NEED = 20
"""Looks in the time of as many judgments as one look at the end needs."""


@dataclass(frozen=True, slots=True)
class Design:
    """A campaign to come, of systems at equal distances.

    Attributes:
        systems: how many.
        shown: outputs on a screen, 2 to `systems`.
        per_sentence: judgments of a sentence.
        wins: how often the better of two neighbours wins where one of them does, above .5 and below 1.
        ties: how often two neighbours tie, from 0 to below 1.
    """

    systems: int
    shown: int
    per_sentence: int
    wins: float
    ties: float


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """How many judgments separate neighbours.

    Attributes:
        difference: of the ExpectedWins of two neighbours.
        error: standard deviation of the influence of one judgment on it.
        needed: judgments after which an interval for one look separates two neighbours in 80 % of campaigns.
        judgments: shape (n,), numbers of judgments.
        power: shape (n,), the share of campaigns in which they are separated after so many.
        watched: when campaigns that are watched settle them: where the middle 80 % begin, the median, and
            where they end; None for beyond `horizon`.
    """

    difference: float
    error: float
    needed: int
    judgments: IntArray
    power: FloatArray
    watched: tuple[int | None, int | None, int | None]

    @property
    def horizon(self) -> int:
        """How many judgments are simulated."""
        return LOOKS * max(1, self.needed // LOOKS_PER_NEED)


def plan(design: Design, *, confidence: float = 0.95, seed: int = 0) -> Plan:
    """Simulate a campaign of this design, and from its standard error campaigns of any size."""
    judged = simulated_campaign(design, sentences=PILOT_SENTENCES, seed=seed)
    shares = mean_shares_won(count_pairs(judged).wins)
    difference = float(shares[0] - shares[-1]) / (design.systems - 1)
    watched = watch(judged, looks=1)
    errors = [pair.standard_error[-1] for pair in watched.pairs]
    error = float(np.mean(errors)) * float(np.sqrt(watched.judgments[-1]))
    z, z_of_power = float(norm.ppf((1 + confidence) / 2)), float(norm.ppf(POWER))
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
        power=norm.cdf(difference * np.sqrt(judgments) / error - z),
        watched=quantiles(np.maximum(settled, fewest), POWER),
    )


def simulated_campaign(design: Design, *, sentences: int, seed: int) -> pd.DataFrame:
    """A snapshot of rankings, the systems from the best down named in the order of the alphabet.

    A judge sees the strength of a system, its luck on the sentence, which all judges of it see, and a random
    part of the logistic model; outputs in the same step of these sums tie.
    """
    rng = np.random.default_rng(seed)
    gap = log(design.wins / (1 - design.wins))
    strengths = -gap * np.arange(design.systems)
    luck = rng.normal(0, LUCK, (sentences, design.systems))
    sentence = np.tile(np.arange(sentences), design.per_sentence)
    seen = strengths + luck[sentence] + rng.gumbel(size=(len(sentence), design.systems))
    step = _step_of_ties(design.ties)
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
            "annotator": [f"judge {number // sentences}" for number in judgment],
            "sentence": sentence[judgment],
            "output": systems,
            "systems": [(name,) for name in systems],
            "rank": pd.array(ranks.ravel(), dtype="Int64"),
        }
    )


def _step_of_ties(share: float) -> float:
    """The step in which as large a share of two equal systems' sums fall together; 0 without ties."""
    if share <= 0:
        return 0.0

    def excess(step: float) -> float:
        tied, _ = quad(lambda gap: (1 - gap / step) * logistic.pdf(gap), 0, step)
        return 2 * tied - share

    return float(brentq(excess, 1e-6, 1e4))
