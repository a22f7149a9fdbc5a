"""Bundles hold the points of ratings and the verdicts on edits, and nothing else of their details."""

import json

import pytest

from analysis.publishing.inputs.judgments import edits_alone, points_alone


@pytest.mark.parametrize(
    ("details", "kept"),
    [
        ('{"Fluency":3,"Meaning":null}', '{"Fluency":3,"Meaning":null}'),
        ('{"comment":"Ann wrote this","Fluency":0}', '{"Fluency":0}'),
        ('{"Fluency":true,"spans":[{"text":"He go"}]}', None),
        ('{"Meaning":null}', '{"Meaning":null}'),
        ("{}", None),
        (None, None),
        (float("nan"), None),
    ],
)
def test_points_stay_and_everything_else_goes(details: object, kept: str | None) -> None:
    assert points_alone(details) == kept


EDIT = {"start": 3, "end": 5, "replacement": "went", "type": "R:VERB", "question": 0, "verdict": "accepted"}
DELETION = {"start": 7, "end": 9, "replacement": "", "verdict": "rejected"}


def kept_edits(*edits: dict[str, object], salt: bytes = b"salt", **others: object) -> list[dict[str, object]]:
    kept = edits_alone(json.dumps({"edits": edits, **others}), salt)
    assert kept is not None
    read = json.loads(kept)
    assert list(read) == ["edits"]
    return list(read["edits"])


def test_edits_keep_everything_but_their_words() -> None:
    first, deletion = kept_edits({**EDIT, "note": "Ann"}, DELETION, comment="by Ann", extractor="errant")
    assert {**first, "replacement": "went"} == EDIT
    assert first["replacement"] not in ("went", "")
    assert deletion == DELETION


def test_equal_words_have_equal_digests_with_the_same_salt_only() -> None:
    [first], [second] = kept_edits(EDIT), kept_edits({**EDIT, "verdict": "rejected"})
    assert first["replacement"] == second["replacement"]
    [other], [salted] = kept_edits({**EDIT, "replacement": "goes"}), kept_edits(EDIT, salt=b"another")
    assert len({first["replacement"], other["replacement"], salted["replacement"]}) == 3


@pytest.mark.parametrize("details", ['{"Fluency":3}', '{"edits":[{"start":"x"}]}', "{}", None, float("nan")])
def test_what_holds_no_edits_is_left_to_points(details: object) -> None:
    assert edits_alone(details, b"salt") is None
