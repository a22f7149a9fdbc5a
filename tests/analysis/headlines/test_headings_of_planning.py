"""Headings of results about how many judgments are needed."""

from itertools import pairwise
from types import SimpleNamespace as Made
from typing import Any

from tests.analysis.headlines.headings import MANY, Headings, for_each, heading


def watched(settled: int, total: int) -> Made:
    pairs = [
        Made(above=above, below=below, settled_at=9 if place < settled else None)
        for place, (above, below) in enumerate(pairwise(MANY[: total + 1]))
    ]
    borders = [Made(pair=pair) for pair in pairs]
    return Made(borders=borders, settled=settled, undecided=borders[settled:], machine="")


def paces(*per_hour: float) -> list[Made]:
    return [Made(annotator=str(place), per_hour=each) for place, each in enumerate(per_hour)]


HEADINGS: Headings = (
    ("answers-per-hour", Made(total=Made(per_hour=None)), "No times were recorded"),
    (
        "answers-per-hour",
        Made(total=Made(per_hour=71.94), annotators=paces(71.94)),
        "Annotators give 71.9 answers per hour",
    ),
    (
        "answers-per-hour",
        Made(total=Made(per_hour=71.94), annotators=paces(50, 90.04)),
        "Together, annotators give 71.9 answers per hour, from 50.0 to 90.0 each",
    ),
    ("stopping", watched(0, 0), "No two systems have been compared yet"),
    ("stopping", watched(0, 1), "No pair of neighbouring systems is settled"),
    ("stopping", watched(1, 1), "The only pair of neighbouring systems is settled: the campaign may stop"),
    (
        "stopping",
        Made(**vars(watched(1, 2)) | {"machine": "Machine 1 (gpt-4o)"}),
        "Only S1 over S2 of 2 pairs of neighbouring systems is settled, counting on Machine 1 (gpt-4o)",
    ),
    ("stopping", watched(0, 2), "Neither pair of neighbouring systems is settled"),
    ("stopping", watched(2, 2), "Both pairs of neighbouring systems are settled: the campaign may stop"),
    ("stopping", watched(0, 14), "None of 14 pairs of neighbouring systems is settled"),
    ("stopping", watched(1, 14), "Only S1 over S2 of 14 pairs of neighbouring systems is settled"),
    (
        "stopping",
        watched(2, 14),
        "Only S1 over S2 and S2 over S3 of 14 pairs of neighbouring systems are settled",
    ),
    ("stopping", watched(3, 14), "3 of 14 pairs of neighbouring systems are settled"),
    ("stopping", watched(38, 39), "38 of 39 pairs of neighbouring systems are settled"),
    ("stopping", watched(39, 39), "All 39 pairs of neighbouring systems are settled: the campaign may stop"),
)


@for_each(HEADINGS)
def test_a_heading(name: str, result: Any, expected: str) -> None:
    assert heading(name, result) == expected
