"""Tables with edits that were judged: what is read, and what is refused."""

import json
from typing import Any

import pytest

from formats import AnswerRecord, FormatError, JudgmentRecord, RatingRecord, read_judgments
from formats.digests import text_digest
from formats.writers import FORMATS, Heading
from tests.formats.conftest import Write

EDIT = {"start": 4, "end": 6, "replacement": "goes", "type": "R:VERB", "verdict": "accepted"}


def table(details: dict[str, Any]) -> str:
    """The line of a judgment whose rating has these details."""
    rating = RatingRecord(text_digest("She goes ."), ("A",), score=100, rating_details={"edits": [EDIT]})
    judgment = JudgmentRecord("j", "edits", "anna", 7, 3, 0, "complete", (AnswerRecord((rating,)),))
    [line] = b"".join(FORMATS["jsonl"].write([judgment], Heading("pilot", "en"))).splitlines()
    return json.dumps({**json.loads(line), "rating_details": details})


@pytest.mark.parametrize(
    "edit", [EDIT, {**EDIT, "question": 0}, {**EDIT, "replacement": None, "type": None}, {**EDIT, "end": 4}]
)
def test_edits_are_read(write: Write, edit: dict[str, Any]) -> None:
    [judgment] = read_judgments(write(table({"edits": [edit]}))).judgments
    assert judgment.current.ratings[0].rating_details == {"edits": [edit]}


@pytest.mark.parametrize(
    ("details", "cause"),
    [
        ({}, "there is no list of edits"),
        ({"edits": {}}, "there is no list of edits"),
        ({"edits": [EDIT, 1]}, "edit 2: it is not a JSON object"),
        ({"edits": [{**EDIT, "start": 7}]}, "edit 1: start and end are not whole numbers"),
        ({"edits": [{**EDIT, "start": -1}]}, "edit 1: start and end are not whole numbers"),
        ({"edits": [{**EDIT, "end": 10**15}]}, "edit 1: start and end are not whole numbers"),
        ({"edits": [{**EDIT, "end": True}]}, "edit 1: start and end are not whole numbers"),
        ({"edits": [{**EDIT, "replacement": ["goes"]}]}, "edit 1: the replacement is not a text"),
        ({"edits": [{**EDIT, "type": {}}]}, "edit 1: the type is not a text"),
        ({"edits": [{**EDIT, "question": [0]}]}, "edit 1: the question is not a whole number"),
        ({"edits": [{**EDIT, "verdict": ["accepted"]}]}, "edit 1: the verdict is not one of accepted"),
    ],
)
def test_other_details_are_refused(write: Write, details: dict[str, Any], cause: str) -> None:
    with pytest.raises(FormatError, match=cause) as fault:
        read_judgments(write(table(details)))
    assert fault.value.line == 1
