"""Marked errors by system and type."""

import json

import pandas as pd

from ranking.judgments.marked_errors import TypeOfErrors, types_of_errors


def test_marks_whose_type_was_left_out_have_none() -> None:
    spans = [{"start": 0, "end": 1, "severity": "minor", "type": kind} for kind in (None, "", "Verb")]
    frame = pd.DataFrame({"systems": [("Alder",)], "rating_details": [json.dumps({"spans": spans})]})
    assert types_of_errors(frame) == (TypeOfErrors("Verb", minor=1, major=0),)
