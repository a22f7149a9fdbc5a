"""The sentences on which judges are compared: all of them, or a draw where there are too many answers."""

from __future__ import annotations

import numpy as np

from core.arrays import IntArray
from core.later import pd
from ranking.judgments.pairs import BY_RANKS
from ranking.judgments.snapshot import Basis, compared_outputs, system_names
from ranking.judgments.system_rows import system_lists

MOST_ANSWERS = 1_000_000
"""Answers of people about pairs of systems on which judges are compared."""


def compared_sentences(snapshot: pd.DataFrame, by: Basis = BY_RANKS, *, seed: int) -> IntArray | None:
    """The ids of sentences drawn at random, with at most `MOST_ANSWERS`; None if all of them have no more.

    A sentence is drawn with all of its answers, since people are compared with each other. At least one
    sentence is drawn.

    Raises `SnapshotError` as `ranking.judgments.snapshot.compared_outputs` does.
    """
    outputs = compared_outputs(snapshot, by)
    lists = system_lists(outputs["systems"], system_names(snapshot))
    sizes = lists.sizes[lists.of_row].astype(np.int64)
    judgment, _ = pd.factorize(outputs["judgment"].cat.codes.to_numpy())
    sentence_of = np.zeros(judgment.max(initial=-1) + 1, dtype=np.int64)
    sentence_of[judgment] = outputs["sentence"].to_numpy(dtype=np.int64)
    systems, alike = (np.bincount(judgment, weights) for weights in (sizes, sizes**2))
    sentence, ids = pd.factorize(sentence_of, sort=True)
    answers = np.bincount(sentence, (systems**2 - alike) / 2)
    if answers.sum() <= MOST_ANSWERS:
        return None
    order = np.random.default_rng(seed).permutation(len(ids))
    number = max(1, int(np.searchsorted(np.cumsum(answers[order]), MOST_ANSWERS, side="right")))
    drawn: IntArray = np.sort(ids[order[:number]])
    return drawn
