"""Simulated annotators who rate on scales: careless ones are flagged, and honest ones are not."""

import json

import numpy as np
import pandas as pd
import pytest

from core.arrays import IntArray
from ranking import ControlRule, FlagRule, quality_of_annotators, reasons_to_look

SENTENCES, HONEST, CARELESS = 40, 21, 9
ROLES = {"source": "source", "control": "control"}
GOODNESS = {"A": 0.8, "B": 0.6, "source": 0.45, "control": -0.1}
"""Mean place on a scale from 0 to 1; the noise of an annotator has the standard deviation .3."""


def honest(rng: np.random.Generator, _: int) -> IntArray:
    """Points 1 to 4 on three scales for each output, shape (sentences, outputs, scales)."""
    means = np.array(list(GOODNESS.values()))[None, :, None]
    hard = rng.normal(0, 0.15, (SENTENCES, 1, 1))
    return np.clip(np.round(1 + 3 * (means + hard + rng.normal(0, 0.3, (SENTENCES, 4, 3)))), 1, 4).astype(int)


def careless(rng: np.random.Generator, number: int) -> IntArray:
    """Random points; always the same one; or good points for everything."""
    shape = (SENTENCES, 4, 3)
    if number % 3 == 0:
        return rng.integers(1, 5, shape)
    if number % 3 == 1:
        return np.full(shape, 3)
    return rng.integers(3, 5, shape)


def snapshot(*, alone: bool, seed: int) -> pd.DataFrame:
    """The ratings of all annotators, of four outputs together or on screens of their own."""
    rng = np.random.default_rng(seed)
    rows = []
    for number in range(HONEST + CARELESS):
        name = f"honest-{number:02}" if number < HONEST else f"careless-{number:02}"
        points = (honest if number < HONEST else careless)(rng, number)
        for sentence in range(SENTENCES):
            for position, place in enumerate(rng.permutation(4)):
                system = list(GOODNESS)[place]
                given = dict(
                    zip(("Fluency", "Grammar", "Meaning"), points[sentence, place].tolist(), strict=True)
                )
                rows.append(
                    {
                        "judgment": f"{name}-{sentence}" + (f"-{system}" if alone else ""),
                        "annotator": name,
                        "sentence": sentence,
                        "output": f"{system}-{sentence}",
                        "systems": (system,),
                        "position": 0 if alone else position,
                        "rank": None,
                        "score": round(100 * (sum(given.values()) - 3) / 9),
                        "rating_details": json.dumps(given),
                        "verdict": None,
                        "active_ms": 12_000,
                    }
                )
    return pd.DataFrame(rows)


@pytest.mark.parametrize("alone", [False, True], ids=["together", "alone"])
def test_careless_annotators_are_flagged_and_honest_ones_are_not(alone: bool) -> None:
    caught, accused = [], []
    for seed in range(4):
        annotators = quality_of_annotators(snapshot(alone=alone, seed=seed), ROLES)
        reasons = reasons_to_look(annotators, ControlRule(), FlagRule())
        caught.append(sum(bool(said) for name, said in reasons.items() if name.startswith("careless")))
        accused.append(sum(bool(said) for name, said in reasons.items() if name.startswith("honest")))
    assert np.mean(caught) >= 8.5
    assert np.mean(accused) / HONEST <= 0.1
