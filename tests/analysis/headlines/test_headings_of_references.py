"""Headings of results about references and corrections by people."""

from types import SimpleNamespace as Made
from typing import Any

import pytest

from tests.analysis.headlines.headings import Headings, for_each, heading


def points(*scores: tuple[int, float | None]) -> Made:
    return Made(points=[Made(references=number, perfect=Made(value=score)) for number, score in scores])


def counted_outputs(valid: int, total: int) -> Made:
    return Made(valid=valid, outputs=range(total))


def grown(number: int, *gains: float) -> Made:
    return Made(grown=number, scores=Made(systems=[Made(gain=Made(value=gain)) for gain in gains]))


def curve(*accuracies: float, answers: float = 2) -> Made:
    points = [Made(references=1 + place, accuracy=Made(value=each)) for place, each in enumerate(accuracies)]
    return Made(curve=points, answers=answers)


def candidates(first: float, last: float) -> Made:
    ends = {"words_low": first - 0.2, "words_high": first + 0.2}
    return Made(points=[Made(references=1, words=first, **ends), Made(references=10, words=last)])


HEADINGS: Headings = (
    ("valid-outputs", counted_outputs(0, 0), "No output has a verdict yet"),
    ("valid-outputs", counted_outputs(1, 1), "The only output was judged valid"),
    ("valid-outputs", counted_outputs(0, 15), "None of 15 outputs was judged valid"),
    ("valid-outputs", counted_outputs(1, 3), "1 of 3 outputs was judged valid (33 %)"),
    ("valid-outputs", counted_outputs(40, 40), "All 40 outputs were judged valid"),
    ("grown-references", Made(grown=0, scores=None), "No output has become a reference yet"),
    ("grown-references", grown(1, 0.01), "1 output became a reference; F changed by +0.010"),
    (
        "grown-references",
        grown(1200, 0.02, -0.01),
        "1,200 outputs became references; F changed by -0.010 to +0.020",
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
        Made(statistics=Made(edits=2.34, unchanged=0.146)),
        "85 % of the references change their sentence, by 2.3 edits on average",
    ),
    (
        "corrections-coverage",
        curve(0.4, 0.5, 0.6, answers=2),
        "Against 2 references, a perfect corrector would match in about 50 % of the sentences",
    ),
    (
        "coverage",
        curve(0.2, answers=10),
        "Against 1 reference, a perfect corrector would match in 20 % of the sentences",
    ),
    (
        "coverage",
        curve(*(place / 20 for place in range(10)), 0.756, answers=10.5),
        "Against 10 references, a perfect corrector would match in 45 % of the sentences; against 11, by "
        "extrapolation, in 76 %",
    ),
    (
        "oracle-reranking",
        candidates(2.0, 2.5),
        "Picked against 10 references, the best candidates change more words than against one: 2.50 against "
        "2.00 per sentence",
    ),
    (
        "oracle-reranking",
        candidates(2.0, 2.1),
        "Picked against 10 references, the best candidates change about as many words as against one: 2.10 "
        "against 2.00 per sentence",
    ),
)


@for_each(HEADINGS)
def test_a_heading(name: str, result: Any, expected: str) -> None:
    assert heading(name, result) == expected


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (points((1, None)), "GLEU scores no sentence"),
        (points((1, 0.5)), "Against 1 reference, a perfect corrector would score 0.500 by GLEU"),
        (
            points((1, 0.5), (5, 0.7), (10, 0.8)),
            "By GLEU, a perfect corrector would score 0.500 against 1 reference and 0.800 against "
            "10 references",
        ),
    ],
)
def test_a_perfect_corrector(result: Any, expected: str) -> None:
    assert heading("perfect-corrector", result, Made(metric="gleu")) == expected
