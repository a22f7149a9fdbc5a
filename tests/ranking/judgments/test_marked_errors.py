"""Marked errors by system and type."""

import json

import pandas as pd

from ranking.judgments.marked_errors import (
    SuggestedMarks,
    TypeOfErrors,
    suggestions_by_annotator,
    suggestions_by_system,
    suggestions_of_all,
    types_of_errors,
)


def test_marks_whose_type_was_left_out_have_none() -> None:
    spans = [{"start": 0, "end": 1, "severity": "minor", "type": kind} for kind in (None, "", "Verb")]
    frame = pd.DataFrame({"systems": [("Alder",)], "rating_details": [json.dumps({"spans": spans})]})
    assert types_of_errors(frame) == (TypeOfErrors("Verb", minor=1, major=0),)


def test_what_became_of_suggestions_is_counted_by_system_and_annotator() -> None:
    def details(*statuses: str, suggested: int | None, removed: int = 0) -> str:
        spans = [{"start": 0, "end": 1, "severity": "minor", "status": status} for status in statuses]
        gone = [{"severity": "major"}] * removed
        return json.dumps({"spans": spans, "removed": gone, "suggested": suggested})

    frame = pd.DataFrame(
        {
            "annotator": ["ada", "ada", "ben", "ben"],
            "systems": [("A", "B"), ("A",), ("B",), ("B",)],
            "rating_details": [
                details("accepted", "changed", "added", suggested=3, removed=1),
                details(suggested=0),
                details("accepted", suggested=1),
                json.dumps({"spans": []}),
            ],
        }
    )
    changed = (1, 1, 1, 1)
    assert suggestions_by_system(frame) == (
        SuggestedMarks("A", 2, *changed, untouched=1),
        SuggestedMarks("B", 2, 2, 1, 1, 1, untouched=1),
    )
    ada, ben = suggestions_by_annotator(frame)
    assert ada == SuggestedMarks("ada", 2, *changed, untouched=1)
    assert (ben.suggested, ben.accepted_share, ben.untouched_share) == (1, 1.0, 1.0)
    assert suggestions_of_all(frame) == SuggestedMarks("", 3, 2, 1, 1, 1, untouched=2)
    frame["rating_details"] = None
    assert (suggestions_by_annotator(frame), suggestions_of_all(frame)) == ((), None)
