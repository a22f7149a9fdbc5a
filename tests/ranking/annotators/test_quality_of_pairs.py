"""Simulated annotators of pairs: careless ones are flagged, and honest ones are not."""

import numpy as np
import pandas as pd
import pytest

from ranking import ControlRule, FlagRule, control_checks, quality_of_annotators, reasons_to_look

SENTENCES, HONEST, CARELESS = 40, 21, 9
PAIRS = 100
ROLES = {"source": "source", "control": "control"}
STRENGTHS = {"A": 1.6, "B": 1.2, "C": 0.9, "D": 0.5, "source": 0.2, "control": -1.5}
"""In log odds; a judge's own noise is that of the logistic model."""

TIE = 0.4
"""Differences below it look equal."""


def honest(rng: np.random.Generator, difference: float) -> int:
    """1 if the first is better, 2 if the second is, 0 if neither."""
    seen = difference + rng.logistic()
    return 0 if abs(seen) < TIE else 1 if seen > 0 else 2


def careless(rng: np.random.Generator, number: int, place: int) -> int:
    """The same key each time; keys at random; or turns."""
    if number % 3 == 0:
        return 1
    if number % 3 == 1:
        return int(rng.choice([1, 2, 0], p=[0.45, 0.45, 0.1]))
    return 1 + place % 2


def snapshot(seed: int) -> pd.DataFrame:
    """Pairs of two random outputs of random sentences, each annotator's own."""
    rng = np.random.default_rng(seed)
    luck = rng.normal(0, 0.5, (SENTENCES, len(STRENGTHS)))
    names = list(STRENGTHS)
    rows = []
    for number in range(HONEST + CARELESS):
        name = f"honest-{number:02}" if number < HONEST else f"careless-{number:02}"
        for place in range(PAIRS):
            sentence = int(rng.integers(SENTENCES))
            first, second = rng.permutation(len(names))[:2]
            quality = np.array(list(STRENGTHS.values())) + luck[sentence]
            if number < HONEST:
                better = honest(rng, float(quality[first] - quality[second]))
            else:
                better = careless(rng, number, place)
            for position, (system, rank) in enumerate(
                zip((first, second), {1: (1, 2), 2: (2, 1), 0: (1, 1)}[better], strict=True)
            ):
                rows.append(
                    {
                        "judgment": f"{name}-{place}",
                        "protocol": "pairs",
                        "annotator": name,
                        "sentence": sentence,
                        "output": f"{names[system]}-{sentence}",
                        "systems": (names[system],),
                        "position": position,
                        "rank": rank,
                        "score": None,
                        "verdict": None,
                        "active_ms": 4_000,
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
    assert np.mean(caught) >= 8.5
    assert np.mean(accused) / HONEST <= 0.1


def judged(*screens: tuple[str, ...], protocol: str = "pairs") -> pd.DataFrame:
    """Screens of one annotator, the better output first."""
    return pd.DataFrame(
        [
            ("anna", number, number, name, (name,), rank, None, None)
            for number, names in enumerate(screens)
            for rank, name in enumerate(names, start=1)
        ],
        columns=["annotator", "judgment", "sentence", "output", "systems", "rank", "score", "verdict"],
    ).assign(protocol=protocol)


def test_a_control_is_compared_with_what_stands_beside_it() -> None:
    check = control_checks(judged(("A", "control"), ("control", "source"), ("A", "B")), ROLES)["anna"]
    assert (check.cases, check.passed) == (2, 1)
    assert check.words == "control below the other output"
    assert check.under(ControlRule(0.7, min_cases=2)).flagged


def test_in_rankings_it_is_compared_with_the_source() -> None:
    frame = judged(("A", "control"), ("source", "A", "control"), protocol="relative-ranking")
    check = control_checks(frame, ROLES)["anna"]
    assert (check.cases, check.passed, check.words) == (1, 1, "control below source")


@pytest.mark.parametrize("names", [("A", "B"), ("A",)])
def test_without_controls_nothing_is_checked(names: tuple[str, ...]) -> None:
    check = control_checks(judged(names), ROLES)["anna"]
    assert (check.cases, check.share) == (0, None)
    assert check.reason
