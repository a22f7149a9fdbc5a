"""Headings of results about how many judgments are needed."""

from types import SimpleNamespace as Made
from typing import Any

from tests.analysis.headlines.headings import Headings, for_each, heading


def watched(settled: int, total: int) -> Made:
    return Made(borders=range(total), settled=settled, undecided=range(total - settled), machine="")


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
        "Annotators give 71.9 answers per hour on average, from 50.0 to 90.0 each",
    ),
    ("stopping", watched(0, 0), "No two systems have been compared yet"),
    ("stopping", watched(0, 1), "No pair of neighbouring systems is settled"),
    ("stopping", watched(1, 1), "The only pair of neighbouring systems is settled: the campaign may stop"),
    (
        "stopping",
        Made(**vars(watched(1, 2)) | {"machine": "Machine 1 (gpt-4o)"}),
        "1 of 2 pairs of neighbouring systems is settled, counting on Machine 1 (gpt-4o)",
    ),
    ("stopping", watched(0, 2), "Neither pair of neighbouring systems is settled"),
    ("stopping", watched(2, 2), "Both pairs of neighbouring systems are settled: the campaign may stop"),
    ("stopping", watched(0, 14), "None of 14 pairs of neighbouring systems is settled"),
    ("stopping", watched(1, 14), "1 of 14 pairs of neighbouring systems is settled"),
    ("stopping", watched(38, 39), "38 of 39 pairs of neighbouring systems are settled"),
    ("stopping", watched(39, 39), "All 39 pairs of neighbouring systems are settled: the campaign may stop"),
)


@for_each(HEADINGS)
def test_a_heading(name: str, result: Any, expected: str) -> None:
    assert heading(name, result) == expected
