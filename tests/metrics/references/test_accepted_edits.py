"""Accepted edits as corrections, and as those of M2."""

import json
from pathlib import Path

import pandas as pd
import pytest

from formats.m2 import read_m2
from formats.m2_writing import m2_text
from formats.text.edit_spans import SpanEdit
from metrics.references import accepted_by_each, accepted_by_most, m2_of_accepted

SOURCE = "He go to home 😀 ."
GO, TO, FACE = (3, 5, "goes", "R:VERB:SVA"), (6, 8, "", "U:PREP"), (14, 15, "", "")


def rating(
    annotator: str, output: str, *verdicts: tuple[tuple[int, int, str, str], str], sentence: int = 0
) -> dict[str, object]:
    edits = [
        {
            "start": start,
            "end": end,
            "replacement": text,
            "verdict": verdict,
            **({"type": kind} if kind else {}),
        }
        for (start, end, text, kind), verdict in verdicts
    ]
    return {
        "judgment": f"{annotator} {output}",
        "annotator": annotator,
        "sentence": sentence,
        "output": output,
        "systems": (f"of {output}",),
        "rating_details": json.dumps({"edits": edits, "extractor": "errant"}),
    }


FRAME = pd.DataFrame(
    [
        rating("anna", "a", (GO, "accepted"), (TO, "accepted"), (FACE, "rejected")),
        rating("ben", "a", (GO, "accepted"), (TO, "rejected"), (FACE, "rejected")),
        rating("cara", "a", (GO, "cannot-say"), (TO, "accepted"), (FACE, "accepted")),
        rating("anna", "b", (TO, "accepted")),
        rating("ben", "b", (TO, "rejected")),
        rating("anna", "c", (GO, "rejected")),
    ]
)


def test_edits_count_that_more_people_accepted_than_rejected() -> None:
    [made] = accepted_by_most(FRAME)
    assert (made.output, made.systems, made.is_whole) == ("a", ("of a",), False)
    assert made.text(SOURCE) == "He goes home 😀 ."
    alone = accepted_by_most(FRAME[FRAME["annotator"] == "anna"])
    assert [(each.output, each.is_whole) for each in alone] == [("a", False), ("b", True)]


def test_edits_without_their_words_make_nothing() -> None:
    """As in a release without texts, where also a deletion has no words."""
    frame = FRAME.head(1).copy()
    frame["rating_details"] = frame["rating_details"].str.replace('"goes"', "null")
    assert [each.edits for each in accepted_by_most(frame)] == [(SpanEdit(*TO),)]
    assert [each.edits for each in accepted_by_each(frame)] == [(SpanEdit(*TO),)]


def test_the_edits_of_each_annotator_are_those_of_m2(tmp_path: Path) -> None:
    accepted = accepted_by_each(FRAME)
    assert [(each.annotator, each.output) for each in accepted] == [
        ("anna", "a"),
        ("anna", "b"),
        ("ben", "a"),
        ("cara", "a"),
    ]
    text = "".join(m2_text(m2_of_accepted({0: SOURCE}, accepted)))
    assert text.splitlines()[0] == f"S {SOURCE}"
    assert "A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||anna" in text
    file = tmp_path / "accepted.m2"
    file.write_text(text, encoding="utf-8")
    [read] = read_m2(file).sentences
    assert {reference.annotator: reference.text for reference in read.references} == {
        "anna": "He goes home 😀 .",
        "anna-2": "He go home 😀 .",
        "ben": "He goes to home 😀 .",
        "cara": "He go home .",
    }
    assert "A 4 5|||U:OTHER||||||REQUIRED|||-NONE-|||cara" in text


def test_characters_are_tokens_where_no_blanks_separate_words() -> None:
    source = "昨日学校に行きました"
    frame = pd.DataFrame([rating("anna", "a", ((4, 5, "へ", ""), "accepted"))])
    [sentence] = m2_of_accepted({0: source}, accepted_by_each(frame))
    assert sentence.tokens == tuple(source)
    [edit] = sentence.references[0].edits or ()
    assert (edit.start, edit.end, edit.corrections) == (4, 5, ("へ",))
    assert accepted_by_each(frame)[0].text(source) == "昨日学校へ行きました"


@pytest.mark.parametrize("verdict", ["rejected", "cannot-say"])
def test_nothing_accepted_is_nothing(verdict: str) -> None:
    frame = pd.DataFrame([rating("anna", "a", (GO, verdict))])
    assert accepted_by_most(frame) == accepted_by_each(frame) == ()
    assert accepted_by_most(frame.iloc[:0]) == ()
