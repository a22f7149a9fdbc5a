"""Errors planted in controls: which of them an annotator marked."""

import json

import pandas as pd
import pytest

from ranking.annotators.planted_errors import PlantedCounts, PlantedError, marked_planted_errors

PLANTED = {(3, "control"): [PlantedError(4, 6, takes_away=False), PlantedError(10, 14, takes_away=True)]}


def of(details: str | None, output: str = "control", sentence: int = 3) -> dict[str, PlantedCounts]:
    row = {"annotator": "anna", "sentence": sentence, "output": output, "rating_details": details}
    return marked_planted_errors(pd.DataFrame([row]), PLANTED)


def details(*spans: tuple[int, int], missing: bool = False) -> str:
    marks = [{"start": start, "end": end, "severity": "minor"} for start, end in spans]
    return json.dumps({"spans": marks} | ({"missing": [{"severity": "major"}]} if missing else {}))


@pytest.mark.parametrize(
    ("marks", "marked"),
    [
        (details(), 0),
        (details((0, 4), (6, 10), (14, 20)), 0),
        (details((5, 8)), 1),
        (details((0, 5), (13, 14)), 2),
        (details((0, 20)), 2),
        (details(missing=True), 1),
        (details((4, 5), missing=True), 2),
    ],
)
def test_an_error_is_marked_if_a_span_touches_it(marks: str, marked: int) -> None:
    assert of(marks) == {"anna": PlantedCounts(marked, 2)}


def test_only_marks_in_controls_count() -> None:
    assert of(details((4, 6)), output="another") == of(details((4, 6)), sentence=2) == {}
    assert of(None) == of('{"Fluency":3}') == {}
