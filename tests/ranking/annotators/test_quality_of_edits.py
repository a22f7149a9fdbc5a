"""Simulated annotators of edits: careless ones are flagged, and honest ones are not."""

import json

import numpy as np
import pandas as pd

from ranking import ControlRule, FlagRule, gold_cases_of_edits, quality_of_annotators, reasons_to_look

SENTENCES, HONEST, CARELESS = 40, 21, 9
ROLES = {"human": "reference", "control": "control"}
RIGHT = {"A": 0.7, "B": 0.5, "human": 0.97, "control": 0.03}
"""The share of right edits of each system, in truth."""

VERDICTS = ("accepted", "rejected", "cannot-say")


def honest(rng: np.random.Generator, _: int, *, is_right: bool) -> str:
    """Wrong on an edit in ten, and unsure of one in twenty."""
    luck = rng.random()
    if luck < 0.05:
        return "cannot-say"
    return "accepted" if is_right != (luck < 0.15) else "rejected"


def careless(rng: np.random.Generator, number: int, *, is_right: bool) -> str:
    """Accepts everything; rejects everything; or answers at random."""
    return ("accepted", "rejected", VERDICTS[rng.integers(3)])[number % 3]


def snapshot(seed: int) -> pd.DataFrame:
    """The ratings of all annotators, each output on a screen of its own, with one to six edits."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 5, (SENTENCES, len(RIGHT)))
    truth = rng.random((SENTENCES, len(RIGHT), 5)) < np.array(list(RIGHT.values()))[:, None]
    rows = []
    for number in range(HONEST + CARELESS):
        is_honest = number < HONEST
        name = f"{'honest' if is_honest else 'careless'}-{number:02}"
        for sentence in range(SENTENCES):
            for place, system in enumerate(RIGHT):
                # Errors are inserted one or two at a time.
                size = min(sizes[sentence, place], 2) if system == "control" else sizes[sentence, place]
                verdicts = [
                    (honest if is_honest else careless)(
                        rng, number, is_right=bool(truth[sentence, place, edit])
                    )
                    for edit in range(size)
                ]
                decided = [each == "accepted" for each in verdicts if each != "cannot-say"]
                edits = [
                    {"start": 3 * edit, "end": 3 * edit + 2, "replacement": "x", "verdict": verdict}
                    for edit, verdict in enumerate(verdicts)
                ]
                rows.append(
                    {
                        "judgment": f"{name}-{sentence}-{system}",
                        "annotator": name,
                        "sentence": sentence,
                        "output": f"{system}-{sentence}",
                        "systems": (system,),
                        "position": 0,
                        "rank": None,
                        "score": round(100 * np.mean(decided)) if decided else None,
                        "rating_details": json.dumps({"edits": edits, "extractor": "words"}),
                        "verdict": None,
                        "active_ms": 12_000,
                    }
                )
    return pd.DataFrame(rows)


def test_careless_annotators_are_flagged_and_honest_ones_are_not() -> None:
    caught, accused = [], []
    for seed in range(4):
        annotators = quality_of_annotators(snapshot(seed), ROLES)
        reasons = reasons_to_look(annotators, ControlRule(), FlagRule())
        caught.append(sum(bool(said) for name, said in reasons.items() if name.startswith("careless")))
        accused.append(sum(bool(said) for name, said in reasons.items() if name.startswith("honest")))
        assert annotators[0].check.words == "right verdict"
    assert np.mean(caught) >= 8.5
    assert np.mean(accused) / HONEST <= 0.1


def rated(systems: str, *verdicts: str) -> dict[str, object]:
    edits = [
        {"start": place, "end": place, "replacement": "x", "verdict": verdict}
        for place, verdict in enumerate(verdicts)
    ]
    return {
        "judgment": f"{systems} {verdicts}",
        "annotator": "anna",
        "sentence": 0,
        "output": systems,
        "systems": tuple(systems.split()),
        "rating_details": json.dumps({"edits": edits}),
    }


def test_a_screen_is_passed_by_half_of_its_verdicts() -> None:
    frame = pd.DataFrame(
        [
            rated("human A", "accepted", "accepted", "rejected"),
            rated("human", "accepted", "cannot-say", "rejected"),
            rated("control", "rejected"),
            rated("control", "rejected", "accepted"),
            rated("control A", "rejected"),
            rated("A", "rejected"),
        ]
    )
    assert gold_cases_of_edits(frame, ROLES)["passed"].tolist() == [True, False, True, True]
    assert gold_cases_of_edits(frame.iloc[:0], ROLES).empty
