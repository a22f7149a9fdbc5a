"""Details of ratings as the page of judgments shows them."""

import pytest

from annotate.judgments.details_in_words import details_in_words

SOURCE, OUTPUT = "She go to the home .", "She goes home ."


def edit(start: int, end: int, replacement: str, **more: object) -> dict[str, object]:
    return {"start": start, "end": end, "replacement": replacement, "verdict": "accepted", **more}


def words(details: dict[str, object], source: str | None = SOURCE, output: str | None = OUTPUT) -> str:
    [(_, value)] = details_in_words(details, source, output)
    return value


@pytest.mark.parametrize(
    ("details", "expected"),
    [
        ({"edits": [edit(4, 6, "goes", type="R:VERB:SVA")]}, "“go” → “goes” (R:VERB:SVA): accepted"),
        (
            {"edits": [edit(7, 13, ""), edit(19, 19, "now", verdict="rejected")]},
            "delete “to the”: accepted; insert “now” at 19: rejected",
        ),
        (
            {"spans": [{"start": 4, "end": 8, "severity": "minor", "status": "changed"}]},
            "minor “goes”, changed",
        ),
        ({"missing": [{"severity": "major", "type": "Word"}]}, "major missing (Word)"),
        ({"removed": [{"start": 0, "end": 3, "severity": "major"}]}, "major “She”"),
        ({"edits": ["?"]}, '["?"]'),
        ({"spans": []}, "[]"),
        ({"Fluency": 3}, "3"),
        ({"confidence": "sure"}, "sure"),
    ],
)
def test_details_are_words(details: dict[str, object], expected: str) -> None:
    assert words(details) == expected


def test_places_stand_for_texts_that_are_not_known() -> None:
    assert words({"edits": [edit(4, 6, "goes")]}, source=None) == "4–6 → “goes”: accepted"
    assert words({"spans": [{"start": 4, "end": 8, "severity": "minor"}]}, output=None) == "minor 4–8"
