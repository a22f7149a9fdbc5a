"""Simulated campaigns: people judge some sentences, a machine all of them."""

import json
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ranking import Method
from ranking.machines import prediction_powered_ranking

QUALITY = np.array([0.6, 0.3, 0.0, -0.3, -0.6])
SYSTEMS = tuple("ABCDE")
LUCK = 0.8
"""Standard deviation of the quality of a system on a sentence, which all judges of it see."""

STEP = 0.6
"""Outputs tie within a step of this width."""

MACHINES = ("good", "useless", "harmful")

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Campaign:
    """People judge each chosen sentence `judges` times; the machine judges all sentences once."""

    sentences: int = 500
    asked: int = 100
    judges: int = 1
    machine: str = "good"
    is_sample: bool = True
    """Whether sentences are drawn at random, else by how close the machine finds its outputs."""


def ranks(seen: Floats, rng: np.random.Generator) -> NDArray[np.int64]:
    """Ranks of outputs, with ties."""
    stepped = np.floor(seen / STEP + rng.random((len(seen), 1)))
    places: NDArray[np.int64] = 1 + (stepped[:, :, np.newaxis] < stepped[:, np.newaxis]).sum(axis=2)
    return places


def opinions(luck: Floats, rng: np.random.Generator) -> Floats:
    return QUALITY + luck + rng.gumbel(size=luck.shape)


def machine_opinions(kind: str, luck: Floats, rng: np.random.Generator) -> Floats:
    """The good one favours B and dislikes D; the harmful one has it the wrong way round."""
    if kind == "useless":
        return rng.gumbel(size=luck.shape)
    good: Floats = QUALITY + np.array([0, 0.5, 0, -0.3, 0]) + luck + rng.gumbel(size=luck.shape) / 2
    return good if kind == "good" else -good


def frame(sentence: NDArray[np.int64], places: NDArray[np.int64], name: str) -> pd.DataFrame:
    number = len(SYSTEMS)
    judgment = np.repeat(np.arange(len(sentence)), number)
    return pd.DataFrame(
        {
            "judgment": [f"{name} {row}" for row in judgment],
            "annotator": name,
            "sentence": np.repeat(sentence, number),
            "output": np.tile(np.array(SYSTEMS, dtype=object), len(sentence)),
            "systems": [(system,) for system in SYSTEMS] * len(sentence),
            "rank": pd.array(places.ravel(), dtype="Int64"),
        }
    )


def campaign(design: Campaign, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The snapshots of people and of the machine."""
    rng = np.random.default_rng(seed)
    luck = rng.normal(0, LUCK, (design.sentences, len(SYSTEMS)))
    seen = machine_opinions(design.machine, luck, rng)
    everywhere = frame(np.arange(design.sentences), ranks(seen, rng), "machine")
    chance = np.full(design.sentences, design.asked / design.sentences)
    if not design.is_sample:
        closeness = 1 / (0.2 + seen.std(axis=1))
        chance = np.minimum(0.5 * chance + 0.5 * design.asked * closeness / closeness.sum(), 1)
    chosen = np.flatnonzero(rng.random(design.sentences) < chance)
    sentence = np.repeat(chosen, design.judges)
    people = frame(sentence, ranks(opinions(luck[sentence], rng), rng), "people")
    if not design.is_sample:
        relative = chance * design.sentences / design.asked
        texts = [
            json.dumps({system: [relative[row]] * len(SYSTEMS) for system in SYSTEMS}) for row in sentence
        ]
        people["campaign"], people["propensities"] = "1", np.repeat(texts, len(SYSTEMS))
    return people, everywhere


@cache
def true_scores(method: Method, sentences: int = 200_000) -> Floats:
    """The scores that infinitely many judgments of people would give."""
    rng = np.random.default_rng(1)
    places = ranks(opinions(rng.normal(0, LUCK, (sentences, len(SYSTEMS))), rng), rng)
    wins = np.array([[np.mean(a < b) for b in places.T] for a in places.T])
    if method is Method.EXPECTED_WINS:
        shares = wins / np.where(wins + wins.T > 0, wins + wins.T, 1)
        scores: Floats = shares.sum(axis=1) / (len(SYSTEMS) - 1)
        return scores
    shares = (wins + 1 - wins.T) / 2
    np.fill_diagonal(shares, 0)
    strengths = np.zeros(len(SYSTEMS))
    for _ in range(200):
        expected = 1 / (1 + np.exp(strengths - strengths[:, np.newaxis]))
        np.fill_diagonal(expected, 0)
        strengths += (shares - expected).sum(axis=1) / 2
    strengths -= strengths.mean()
    return strengths


@dataclass(frozen=True)
class Coverage:
    """Over campaigns: shares of intervals that hold, share in which all ranks do, mean width and lambda."""

    powered: float
    people: float
    ranks: float
    width: float
    weight: float


def coverage(design: Campaign, method: Method, campaigns: int) -> Coverage:
    truth = dict(zip(SYSTEMS, true_scores(method), strict=True))
    true_rank = {
        system: 1 + sum(other > score for other in truth.values()) for system, score in truth.items()
    }
    powered, people, all_ranks, widths, weights = [], [], [], [], []
    for seed in range(campaigns):
        judged, machine = campaign(design, seed)
        ranking = prediction_powered_ranking(judged, machine, method, seed=seed)
        assert ranking.reason is None, ranking.reason
        holds = []
        for each in ranking.systems:
            assert each.powered is not None
            assert each.people is not None
            powered.append(each.powered.low <= truth[each.system] <= each.powered.high)
            people.append(each.people.low <= truth[each.system] <= each.people.high)
            holds.append(each.powered.rank_low <= true_rank[each.system] <= each.powered.rank_high)
        all_ranks.append(all(holds))
        widths.append(ranking.width)
        weights.append(ranking.weight)
    figures = (powered, people, all_ranks, widths, weights)
    return Coverage(*(float(np.mean(np.array(each, dtype=np.float64))) for each in figures))
