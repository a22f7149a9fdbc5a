"""Simulated annotators who mark errors and score: careless ones are flagged, and honest ones are not."""

import json
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest

from core.arrays import IntArray
from ranking import ControlRule, FlagRule, quality_of_annotators, reasons_to_look

SENTENCES, HONEST, CARELESS = 40, 21, 9
CHARACTERS = 80
ROLES = {"source": "source", "control": "control"}
ERRORS = {"A": 0.6, "B": 1.4, "source": 2.2, "control": 4.5}
"""Mean number of errors in an output; the control is the source with more of them."""

MISSED = 0.25
"""Share of the errors that an honest annotator does not mark."""

Answers = tuple[IntArray, IntArray]
"""Scores and numbers of marks, each of shape (sentences, outputs)."""


def honest(rng: np.random.Generator, errors: IntArray) -> Answers:
    """Scores fall by about 11 points an error, with noise and a strictness of the annotator's own."""
    strictness = rng.normal(0, 6)
    scores = 96 - 11 * errors - strictness + rng.normal(0, 9, errors.shape)
    return np.clip(np.round(scores), 0, 100).astype(int), rng.binomial(errors, 1 - MISSED)


def careless(rng: np.random.Generator, errors: IntArray, number: int) -> Answers:
    """Random scores and marks; always the same score without a mark; or high scores with few marks."""
    if number % 3 == 0:
        return rng.integers(0, 101, errors.shape), rng.integers(0, 4, errors.shape)
    if number % 3 == 1:
        return np.full(errors.shape, 100), np.zeros(errors.shape, dtype=int)
    return rng.integers(80, 101, errors.shape), rng.integers(0, 2, errors.shape)


def details(marks: int) -> str:
    spans = [{"start": 6 * n, "end": 6 * n + 4, "severity": "minor"} for n in range(marks)]
    return json.dumps({"characters": CHARACTERS, "span_score": -marks, "spans": spans})


def snapshot(*, alone: bool, seed: int) -> pd.DataFrame:
    """The ratings of all annotators, of four outputs together or on screens of their own."""
    rng = np.random.default_rng(seed)
    errors = rng.poisson(list(ERRORS.values()), (SENTENCES, len(ERRORS)))
    rows: list[dict[str, object]] = []
    for number in range(HONEST + CARELESS):
        is_honest = number < HONEST
        name = f"honest-{number:02}" if is_honest else f"careless-{number:02}"
        scores, marks = honest(rng, errors) if is_honest else careless(rng, errors, number)
        for sentence in range(SENTENCES):
            places: Sequence[int] = rng.permutation(len(ERRORS)).tolist()
            for position, place in enumerate(places):
                system = list(ERRORS)[place]
                rows.append(
                    {
                        "judgment": f"{name}-{sentence}" + (f"-{system}" if alone else ""),
                        "annotator": name,
                        "sentence": sentence,
                        "output": f"{system}-{sentence}",
                        "systems": (system,),
                        "position": 0 if alone else position,
                        "rank": None,
                        "score": int(scores[sentence, place]),
                        "rating_details": details(int(marks[sentence, place])),
                        "verdict": None,
                        "active_ms": 25_000,
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
