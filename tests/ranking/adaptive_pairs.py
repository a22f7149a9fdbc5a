"""Adaptive pairing, simulated: ordinary pairs first, then rounds of follow-ups about neighbours in doubt."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from annotate.design.follow_ups import FollowUp, plan_follow_up
from annotate.design.items import Outputs
from ranking import Method
from ranking.planning.watching import watch
from tests.ranking.follow_ups import Truth

NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcd"


def thirty_systems(sentences: int = 400, gap: float = 0.1) -> Truth:
    """Thirty systems at equal distances in log odds, each with luck of its own on each sentence."""
    luck = np.random.default_rng(2).normal(0, 0.7, (sentences, len(NAMES)))
    outputs: tuple[Outputs, ...] = tuple(
        {100 * place + key: (name,) for key, name in enumerate(NAMES)} for place in range(sentences)
    )
    return Truth(NAMES, outputs, luck - gap * np.arange(len(NAMES)), shown=2)


def undecided(frame: pd.DataFrame) -> tuple[tuple[str, str], ...]:
    """The neighbours that *When to stop* offers for a follow-up: those that are not settled."""
    pairs = watch(frame, Method.BRADLEY_TERRY, looks=1).pairs
    return tuple((pair.above, pair.below) for pair in pairs if pair.settled_at is None)


def in_rounds(truth: Truth, rounds: tuple[int, ...], seed: int, ordinary: int = 20) -> Iterator[pd.DataFrame]:
    """All judgments after each round; the first round is an ordinary campaign, the others follow it up."""
    frame = truth.ordinary(rounds[0], seed)
    shares = np.full(len(truth.outputs), 1 / len(truth.outputs))
    yield frame
    for number, items in enumerate(rounds[1:], start=1):
        pairs = undecided(frame)
        if not pairs:
            return
        planned = plan_follow_up(
            truth.outputs,
            FollowUp(pairs, ordinary),
            items=items,
            shares=shares,
            outputs_per_screen=truth.shown,
            seed=100 * seed + number,
        )
        judged = truth.judged(f"round {number}", planned, 100 * seed + number)
        frame = pd.concat([frame, judged], ignore_index=True)
        yield frame
