"""Campaigns of a corpus whose truth is known: ordinary ones and follow-ups, judged by simulated people.

A judge prefers output a of a sentence to output b with the odds exp(u_a - u_b), whatever else is on the
screen (Plackett 1975), u being known. So the shares that ordinary sampling estimates are known exactly.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
import pandas as pd

from annotate.design.follow_ups import FollowUp, plan_follow_up
from annotate.design.items import Outputs, PlannedItem, plan_screens
from core.arrays import FloatArray


@dataclass(frozen=True)
class Truth:
    """A corpus with its truth.

    Attributes:
        names: the S systems.
        outputs: those of each sentence.
        utility: shape (n, S), of each system's output of each sentence.
        shown: most outputs of a screen.
    """

    names: str
    outputs: tuple[Outputs, ...]
    utility: FloatArray
    shown: int

    @property
    def expected_wins(self) -> FloatArray:
        """ExpectedWins of ordinary sampling, in which each sentence is equally likely; shape (S,)."""
        size = len(self.names)
        wins = np.zeros((size, size))
        for outputs, utility in zip(self.outputs, self.utility, strict=True):
            shown = min(self.shown, len(outputs))
            weight = comb(len(outputs) - 2, shown - 2) / comb(len(outputs), shown)
            for one, other in combinations(outputs.values(), 2):
                rows, columns = ([self.names.index(name) for name in names] for names in (one, other))
                won = 1 / (1 + np.exp(utility[columns[0]] - utility[rows[0]]))
                wins[np.ix_(rows, columns)] += weight * won
                wins[np.ix_(columns, rows)] += weight * (1 - won)
        decided = wins + wins.T + np.eye(size)
        mean: FloatArray = (wins / decided).sum(axis=1) / (size - 1)
        return mean

    def ordinary(self, items: int, seed: int) -> pd.DataFrame:
        """The judgments of an ordinary campaign."""
        rng = np.random.default_rng([seed, 1])
        places = rng.integers(len(self.outputs), size=items).tolist()
        planned = plan_screens(self.outputs, places, outputs_per_screen=self.shown, seed=seed)
        return self.judged("first", planned, seed)

    def follow_up(self, items: int, seed: int, *pairs: str, ordinary: int = 20) -> pd.DataFrame:
        """The judgments of a follow-up about pairs, each written as two names."""
        asked = FollowUp(tuple((pair[0], pair[1]) for pair in pairs), ordinary)
        shares = np.full(len(self.outputs), 1 / len(self.outputs))
        planned = plan_follow_up(
            self.outputs, asked, items=items, shares=shares, outputs_per_screen=self.shown, seed=seed
        )
        return self.judged("second", planned, seed)

    def judged(self, campaign: str, items: Sequence[PlannedItem], seed: int) -> pd.DataFrame:
        rng = np.random.default_rng([seed, 2])
        rows = []
        for number, item in enumerate(items):
            systems = [self.outputs[item.sentence][key] for key in item.outputs]
            utility = [self.utility[item.sentence, self.names.index(names[0])] for names in systems]
            ranks = np.argsort(np.argsort(-(np.array(utility) + rng.gumbel(size=len(utility)))))
            text = _text(item) if item.propensities else None
            rows += [
                (f"{campaign} {number}", campaign, "anna", item.sentence, str(key), names, rank, text)
                for key, names, rank in zip(item.outputs, systems, ranks.tolist(), strict=True)
            ]
        columns = [
            "judgment",
            "campaign",
            "annotator",
            "sentence",
            "output",
            "systems",
            "rank",
            "propensities",
        ]
        return pd.DataFrame(rows, columns=columns)


def _text(item: PlannedItem) -> str:
    order = sorted(range(len(item.outputs)), key=lambda place: str(item.outputs[place]))
    return json.dumps(
        {str(item.outputs[row]): [item.propensities[row][column] for column in order] for row in order}
    )


def two_kinds_of_sentences(sentences: int = 300, shown: int = 3) -> Truth:
    """A and B write the same, and win, on easy sentences; on hard ones they differ, and lose to C and D.

    On half of the sentences E and F write the same, so sentences have different numbers of outputs.
    """
    outputs: list[Outputs] = []
    utility = np.zeros((sentences, 6))
    for place in range(sentences):
        is_hard = place % 3 == 0
        groups: list[tuple[str, ...]] = [("A",), ("B",)] if is_hard else [("A", "B")]
        groups += [("C",), ("D",), *([("E", "F")] if place % 2 else [("E",), ("F",)])]
        outputs.append({10 * place + key: group for key, group in enumerate(groups)})
        utility[place] = [-1, -1.2, 0.5, 0.3, 0, 0] if is_hard else [1.5, 1.5, 0, 0, -0.5, -0.5]
    return Truth("ABCDEF", tuple(outputs), utility, shown)


def many_systems(sentences: int = 400, systems: int = 12) -> Truth:
    """Systems at equal distances but for the first two, which are close; each has luck of its own."""
    names = "ABCDEFGHIJKLMNOP"[:systems]
    strength = -0.3 * np.arange(systems)
    strength[1] = -0.1
    luck = np.random.default_rng(1).normal(0, 0.7, (sentences, systems))
    outputs = tuple(
        {100 * place + key: (name,) for key, name in enumerate(names)} for place in range(sentences)
    )
    return Truth(names, outputs, strength + luck, shown=5)
