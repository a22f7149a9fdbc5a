"""Simulated follow-ups: people judged some sentences, a machine all; whom to ask about next."""

import json
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ranking import Method
from ranking.machines import change_by_sentence, prediction_powered_ranking
from tests.ranking.machines.campaigns import QUALITY, STEP, SYSTEMS

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class World:
    """Sentences on which systems differ little or much, and often give the same outputs."""

    sentences: int = 500
    judged: int = 60
    """Sentences that people judged at first."""
    asked: int = 100
    """Items of the follow-up."""
    luck: tuple[float, ...] = (0.8,)
    """Standard deviations of the quality of a system on a sentence, one of which each sentence has."""
    few: float = 0.5
    """Share of sentences with one or two distinct outputs."""
    times: int = 1
    """How often the machine was asked."""
    ordinary: float = 0.3
    """Share of uniform sampling in the follow-up."""


def texts(world: World, number: int, rng: np.random.Generator) -> tuple[Floats, Ints]:
    """Quality and number of the output of each system on each sentence."""
    spread = rng.choice(world.luck, number)
    quality = QUALITY + rng.normal(size=(number, len(SYSTEMS))) * spread[:, np.newaxis]
    halves = rng.integers(0, 2, quality.shape)
    output = np.where((rng.random(number) < world.few)[:, np.newaxis], halves, np.arange(len(SYSTEMS)))
    alike = output[:, :, np.newaxis] == output[:, np.newaxis]
    return (alike * quality[:, np.newaxis]).sum(axis=2) / alike.sum(axis=2), output


def ranks(quality: Floats, output: Ints, noise: float, rng: np.random.Generator) -> Ints:
    """The rank of each system's output, with ties."""
    seen = quality + noise * np.take_along_axis(rng.gumbel(size=quality.shape), output, axis=1)
    stepped = np.floor(seen / STEP + rng.random((len(seen), 1)))
    places: Ints = 1 + (stepped[:, :, np.newaxis] < stepped[:, np.newaxis]).sum(axis=2)
    return places


def frame(
    name: str, sentence: Ints, output: Ints, rank: Ints, relative: Floats | None = None
) -> pd.DataFrame:
    """The snapshot of one judgment of each of these sentences."""
    rows = []
    for number, (of, outputs, places) in enumerate(zip(sentence, output, rank, strict=True)):
        there = np.unique(outputs)
        asked = None
        if relative is not None:
            asked = json.dumps({str(each): [relative[number]] * len(there) for each in there})
        for each in there:
            systems = tuple(np.array(SYSTEMS)[outputs == each].tolist())
            place = int(places[outputs == each][0])
            rows.append((f"{name} {number}", "1", name, of, str(each), systems, place, asked))
    columns = ["judgment", "campaign", "annotator", "sentence", "output", "systems", "rank", "propensities"]
    return pd.DataFrame(rows, columns=columns).astype({"rank": "Int64"})


@cache
def true_scores(world: World, method: Method, number: int = 100_000) -> dict[str, float]:
    """The scores that infinitely many judgments of people would give."""
    rng = np.random.default_rng(1)
    places = ranks(*texts(world, number, rng), 1.0, rng)
    wins = np.array([[np.mean(a < b) for b in places.T] for a in places.T])
    if method is Method.EXPECTED_WINS:
        scores = (wins / np.where(wins + wins.T > 0, wins + wins.T, 1)).sum(axis=1) / (len(SYSTEMS) - 1)
    else:
        shares = (wins + 1 - wins.T) / 2
        np.fill_diagonal(shares, 0)
        scores = np.zeros(len(SYSTEMS))
        for _ in range(300):
            expected = 1 / (1 + np.exp(scores - scores[:, np.newaxis]))
            np.fill_diagonal(expected, 0)
            scores += (shares - expected).sum(axis=1) / 2
        scores -= scores.mean()
    return dict(zip(SYSTEMS, scores.tolist(), strict=True))


def drawn(relative: Floats, number: int, rng: np.random.Generator) -> Ints:
    """Sentences by systematic sampling."""
    order = rng.permutation(len(relative))
    ends = np.cumsum(relative[order])
    points = (rng.random() + np.arange(number)) / number * ends[-1]
    places: Ints = order[np.searchsorted(ends, points, side="right").clip(max=len(relative) - 1)]
    return places


@dataclass(frozen=True)
class Followed:
    """Over campaigns: shares of intervals that hold, and mean widths, of active and uniform follow-ups."""

    active: float
    uniform: float
    active_width: float
    uniform_width: float

    @property
    def width(self) -> float:
        """The width after an active follow-up as a share of that after a uniform one."""
        return self.active_width / self.uniform_width


def followed(world: World, method: Method, campaigns: int) -> Followed:
    """Follow up this many campaigns, in both ways."""
    truth = true_scores(world, method)
    held: dict[str, list[bool]] = {"active": [], "uniform": []}
    widths: dict[str, list[float]] = {"active": [], "uniform": []}
    for seed in range(campaigns):
        rng = np.random.default_rng(seed)
        quality, output = texts(world, world.sentences, rng)
        everywhere = np.arange(world.sentences)
        machine = pd.concat(
            [
                frame(f"machine {time}", everywhere, output, ranks(quality, output, 0.5, rng))
                for time in range(world.times)
            ],
            ignore_index=True,
        )
        first = rng.permutation(world.sentences)[: world.judged]
        people = frame("first", first, output[first], ranks(quality[first], output[first], 1.0, rng))
        weight = prediction_powered_ranking(people, machine, method, seed=seed).weight or 0.0
        changes = change_by_sentence(people, machine, weight=weight)
        change = np.array([changes[sentence] for sentence in range(world.sentences)])
        mixed = world.ordinary + (1 - world.ordinary) * change
        for kind, relative in (("active", mixed), ("uniform", np.ones(world.sentences))):
            asked = drawn(relative, world.asked, rng)
            told = frame(
                kind,
                asked,
                output[asked],
                ranks(quality[asked], output[asked], 1.0, rng),
                relative[asked] if kind == "active" else None,
            )
            ranking = prediction_powered_ranking(told, machine, method, seed=seed)
            assert ranking.reason is None, ranking.reason
            for each in ranking.systems:
                assert each.powered is not None
                held[kind].append(each.powered.low <= truth[each.system] <= each.powered.high)
                widths[kind].append(each.powered.high - each.powered.low)
    return Followed(
        *(float(np.mean(held[kind])) for kind in held), *(float(np.mean(widths[kind])) for kind in widths)
    )
