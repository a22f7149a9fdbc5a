"""Headings of results about references and corrections by people."""

from types import SimpleNamespace as Made
from typing import Any

import pytest

from tests.analysis.headlines.headings import Headings, for_each, heading


def points(*scores: tuple[int, float | None]) -> Made:
    """Scores by number of references; that of one reference has an interval."""
    return Made(
        points=[
            Made(
                references=number,
                perfect=Made(value=score, low=None if number > 1 or score is None else score - 0.1, high=0.9),
            )
            for number, score in scores
        ]
    )


def counted_outputs(valid: int, total: int) -> Made:
    return Made(valid=valid, outputs=range(total))


def grown(number: int, *gains: float, moved: int = 0) -> Made:
    """Systems with these gains, whose intervals begin .015 below; the first systems change rank."""
    systems = [
        Made(gain=Made(value=gain, low=gain - 0.015), rank_before=place, rank_after=place + (place < moved))
        for place, gain in enumerate(gains)
    ]
    return Made(grown=number, scores=Made(systems=systems))


def covered(*shares: float) -> Made:
    """Before references grow: the share of each system's outputs that references contain, of 100."""
    return Made(
        grown=0, scores=None, covered=[Made(changed=100, share=Made(value=share)) for share in shares]
    )


def curve(*accuracies: float, answers: float = 2, low: float | None = None) -> Made:
    points = [
        Made(references=1 + place, accuracy=Made(value=each, low=low, high=0.9))
        for place, each in enumerate(accuracies)
    ]
    return Made(curve=points, answers=answers)


def candidates(first: float, last: float, low: float | None, high: float | None) -> Made:
    """Words changed against one reference and against all, with the interval of the difference."""
    points = [Made(references=1, words=first), Made(references=10, words=last)]
    return Made(points=points, difference=Made(low=low, high=high))


HEADINGS: Headings = (
    ("valid-outputs", counted_outputs(0, 0), "No output has a verdict yet"),
    ("valid-outputs", counted_outputs(1, 1), "The only output was judged valid"),
    ("valid-outputs", counted_outputs(0, 15), "None of 15 outputs was judged valid"),
    ("valid-outputs", counted_outputs(1, 3), "1 of 3 outputs was judged valid (33 %)"),
    ("valid-outputs", counted_outputs(40, 40), "All 40 outputs were judged valid"),
    ("grown-references", covered(), "No output has become a reference yet"),
    ("grown-references", covered(0.06), "References contain 6 % of the outputs that change their sentence"),
    (
        "grown-references",
        covered(0.02, 0.1),
        "References contain 6 % of the outputs that change their sentence",
    ),
    (
        "grown-references",
        grown(1, 0.01),
        "1 output became a reference: F changed by +0.010, clearly up for 0 of 1; no system changes rank",
    ),
    (
        "grown-references",
        grown(1200, 0.02, -0.01, 0.0, moved=1),
        "1,200 outputs became references: F changed by -0.010 to +0.020, clearly up for 1 of 3; 1 of 3 "
        "systems changes rank",
    ),
    (
        "corrections",
        Made(sentences=range(1), mean_corrections=2.0, mean_distinct=1.0),
        "1 sentence has 2.0 corrections on average, 1.0 of them distinct",
    ),
    ("corrections", Made(sentences=(), mean_corrections=0.0), "No correction has been written yet"),
    ("corpus-statistics", Made(statistics=Made(edits=None)), "No reference changes its sentence"),
    (
        "corpus-statistics",
        Made(statistics=Made(edits=2.34, unchanged=0.146, by_annotator={"0": (1, 4, 2)})),
        "85 % of the references change their sentence; those that do, by 2.3 edits on average",
    ),
    (
        "corpus-statistics",
        Made(statistics=Made(edits=2.34, unchanged=0.2, by_annotator={"0": (1, 9), "1": (3, 7), "2": ()})),
        "80 % of the references change their sentence, from 70 % to 90 % by annotator; "
        "those that do, by 2.3 edits on average",
    ),
    (
        "corrections-coverage",
        curve(0.4, 0.5, 0.6, answers=2),
        "Another person’s correction would equal a single reference in about 40 % of the "
        "sentences that need correction",
    ),
    (
        "coverage",
        curve(0.4, low=0.35, answers=1),
        "Another person’s correction would equal a single reference in about 40 % (35 % to 90 %) of the "
        "sentences that need correction",
    ),
    (
        "coverage",
        curve(0.2, answers=10),
        "Another person’s correction would equal a single reference in 20 % of the sentences that need "
        "correction",
    ),
    (
        "coverage",
        curve(*(place / 20 for place in range(10)), 0.756, answers=10.5),
        "Another person’s correction would equal one of 9 references in 40 % of the sentences that need "
        "correction; one of 11, by extrapolation, in 76 %",
    ),
)


@for_each(HEADINGS)
def test_a_heading(name: str, result: Any, expected: str) -> None:
    assert heading(name, result) == expected


@pytest.mark.parametrize(
    ("last", "low", "high", "change"),
    [
        (2.5, 0.1, 0.9, "change more words: 2.50"),
        (1.5, -0.9, -0.1, "change fewer words: 1.50"),
        (2.1, -0.1, 0.3, "do not clearly change more or fewer words: 2.10"),
        (2.1, None, None, "do not clearly change more or fewer words: 2.10"),
    ],
)
def test_candidates_of_an_oracle(last: float, low: float | None, high: float | None, change: str) -> None:
    expected = (
        f"Picked by GLEU against 10 references, the best candidates {change} per sentence, 2.00 against one"
    )
    assert heading("oracle-reranking", candidates(2.0, last, low, high), Made(metric="gleu")) == expected


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (points((1, None)), "GLEU scores no sentence"),
        (
            points((1, 0.5)),
            "Against 1 reference, another person’s corrections would score 0.50 (0.40 to 0.90) by GLEU",
        ),
        (
            points((1, 0.5), (5, 0.7), (10, 0.8)),
            "By GLEU, another person’s corrections would score 0.50 (0.40 to 0.90) against 1 reference and "
            "0.80 against 10 references",
        ),
    ],
)
def test_a_perfect_corrector(result: Any, expected: str) -> None:
    assert heading("perfect-corrector", result, Made(metric="gleu")) == expected
