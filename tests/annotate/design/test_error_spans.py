"""The protocol of error spans: what it reads, refuses, and gives back."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.releases.judgment_rows import labels_of
from annotate.design.practice import PracticeError, practice_items
from annotate.design.protocols import Answer, AnswerError, ErrorSpans, Question, RatingValue
from annotate.design.protocols.error_spans import ErrorSpansOptions
from core.parameters import ParameterError, parameters_from_text
from formats.snapshot.answer_details import json_text
from formats.spans.marked_errors import MOST_MARKS, marked_errors, marks_fault
from formats.text.natural import TextRules, natural

ESA = ErrorSpans()
TYPED = ErrorSpansOptions(types="Verb\nStyle", marks_below=66)
TEXT = "She do n't go to school ."


def question(*texts: str, options: ErrorSpansOptions = TYPED, rules: TextRules | None = None) -> Question:
    return Question("She not go .", len(texts), options, rules, texts=texts)


def marks(**lists: object) -> str:
    return json_text(lists)


def span(start: object, end: object, severity: object = "minor", **more: object) -> dict[str, object]:
    return {"start": start, "end": end, "severity": severity, **more}


def test_fields_become_scores_marks_and_a_span_score() -> None:
    given_marks = marks(
        spans=[span(11, 13, "major", type="Verb"), span(4, 10)], missing=[{"severity": "minor"}]
    )
    answer = ESA.answer(
        {"score-0": "0", "spans-0": given_marks, "score-1": "100"}, question(TEXT, "She does not .")
    )
    first = {
        "characters": 25,
        "span_score": -7,
        "spans": [span(4, 10), span(11, 13, "major", type="Verb")],
        "missing": [{"severity": "minor"}],
    }
    assert answer == Answer(
        (
            RatingValue(score=0, rating_details=first),
            RatingValue(score=100, rating_details={"characters": 14, "span_score": 0, "spans": []}),
        )
    )
    assert ESA.answer(ESA.fields(answer), question(TEXT, "She does not .")) == answer
    assert ESA.compared_by(TYPED) == ("span_score",)


@pytest.mark.parametrize("score", ["", "101", "-1", "1.5", "٣", "1" * 5000, "x"])
def test_a_score_is_a_whole_number_from_0_to_100(score: str) -> None:
    with pytest.raises(AnswerError, match=r"^Still to do: correction 2\.$") as fault:
        ESA.answer({"score-0": "70", "score-1": score}, question("A .", "B ."))
    assert fault.value.positions == (1,)


def test_a_score_of_0_needs_a_mark_where_low_scores_do() -> None:
    with pytest.raises(AnswerError, match="Mark what is wrong in correction 1: scores below 66 need it"):
        ESA.answer({"score-0": "0"}, question(TEXT))
    assert ESA.answer({"score-0": "66"}, question(TEXT)).ratings[0].score == 66
    missing = marks(missing=[{"severity": "major"}])
    assert ESA.answer({"score-0": "0", "spans-0": missing}, question(TEXT)).ratings[0].score == 0


@pytest.mark.parametrize(
    ("spans", "cause"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "not a JSON object"),
        (marks(spans={}), "spans is not a list"),
        (marks(spans=[1]), "number 1 of spans is not a JSON object"),
        (marks(spans=[span(4, 6), span(5, 7)]), "the spans 4 to 6 and 5 to 7 overlap"),
        (marks(spans=[span(4, 26)]), "4 to 26, is outside the text of 25 characters"),
        (marks(spans=[span(4, 4)]), "the start before the end"),
        (marks(spans=[span(-1, 4)]), "the start before the end"),
        (marks(spans=[span(True, 4)]), "whole numbers"),
        (marks(spans=[span("missing", "missing")]), "whole numbers"),
        (marks(spans=[span(4, 6, "awful")]), "the severity is not one of minor, major"),
        (marks(spans=[span(4, 6, [])]), "the severity is not one of"),
        (marks(spans=[span(4, 6, "undecided")]), "each error is minor or major"),
        (marks(missing=[{"severity": "undecided"}]), "each error is minor or major"),
        (marks(spans=[span(4, 6, type="Noun")]), "'Noun' is not a type of this campaign"),
        (marks(spans=[span(4, 6, type=["Verb"])]), "the type is not a text"),
        (marks(spans=[span(4, 6, status="new")]), "the status is not one of"),
        (marks(spans=[span(n, n + 1) for n in range(MOST_MARKS + 1)]), "at most 50 are allowed"),
        (marks(missing=[{"severity": "minor"}] * 51), "at most 50 are allowed"),
    ],
)
def test_marks_that_cannot_be_stored_are_refused(spans: str, cause: str) -> None:
    with pytest.raises(AnswerError, match="The marks of correction 1 cannot be stored") as fault:
        ESA.answer({"score-0": "70", "spans-0": spans}, question(TEXT))
    assert cause in str(fault.value)


def test_missing_content_is_marked_only_where_the_campaign_offers_it() -> None:
    without = ErrorSpansOptions(marks_missing=False)
    with pytest.raises(AnswerError, match="nothing can be marked as missing"):
        ESA.answer(
            {"score-0": "1", "spans-0": marks(missing=[{"severity": "minor"}])},
            question(TEXT, options=without),
        )


SUGGESTED = {"spans": [span(0, 3), span(11, 13, "major")], "missing": [{"severity": "minor"}]}


def judged(suggested: object, spans: str) -> dict[str, Any]:
    """The details of an answer with these marks to an output with these suggestions."""
    asked = replace(question(TEXT), prepared=[suggested])  # type: ignore[list-item]
    [rating] = ESA.answer({"score-0": "70", "spans-0": spans}, asked).ratings
    assert marks_fault(rating.rating_details or {}) is None
    return dict(rating.rating_details or {})


def test_what_became_of_suggestions_is_told_by_comparing() -> None:
    begun = ESA.begins_with([SUGGESTED, None, {"spans": []}])
    assert begun == {"spans-0": marks(**SUGGESTED), "spans-2": marks(spans=[])}
    untouched = judged(SUGGESTED, begun["spans-0"])
    assert [each["status"] for each in untouched["spans"]] == ["accepted", "accepted"]
    assert (untouched["suggested"], untouched["missing"][0]["status"]) == (3, "accepted")
    changed = judged(SUGGESTED, marks(spans=[span(4, 6), span(11, 13)]))
    assert [each["status"] for each in changed["spans"]] == ["added", "changed"]
    assert changed["removed"] == [span(0, 3), {"severity": "minor"}]


def test_a_forged_status_is_not_believed() -> None:
    forged = marks(spans=[span(4, 6, status="accepted")], removed=[span(0, 3)], suggested=1)
    assert judged(SUGGESTED, forged)["spans"] == [span(4, 6, status="added")]
    assert judged(None, forged) == {"characters": 25, "span_score": -1, "spans": [span(4, 6)]}
    assert judged({"spans": []}, forged)["suggested"] == 0


def test_a_revision_begins_with_the_answer_and_not_with_the_suggestions() -> None:
    asked = replace(question(TEXT), prepared=[SUGGESTED])
    answer = ESA.answer({"score-0": "70", "spans-0": ""}, asked)
    assert ESA.fields(answer) == {"score-0": "70", "spans-0": ""}
    assert ESA.answer(ESA.fields(answer), asked) == answer


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        ({}, "there is no list of spans"),
        ({"spans": [], "score": 5}, "unknown key 'score'"),
        ({"spans": [span(4, 26)]}, "outside the text of 25 characters"),
        ({"spans": [span(0, 3), span(2, 4)]}, "overlap"),
        ({"spans": [span(0, 3, type="Noun")]}, "'Noun' is not a type of this campaign"),
        ({"spans": [span(0, 3, status="added")]}, "a suggested mark has no status"),
        ({"spans": [span(0, 3, "undecided")]}, "each error is minor or major"),
        ({"spans": [], "missing": [{"severity": "minor"}] * 2}, "a screen has room for one"),
    ],
)
def test_marks_that_cannot_be_suggested_are_refused(content: dict[str, object], cause: str) -> None:
    with pytest.raises(AnswerError, match=re.escape(cause)):
        ESA.suggestion(content, TEXT, TYPED)


def test_machines_get_suggestions_by_places_in_their_texts() -> None:
    rules = TextRules.ENGLISH
    shown = natural(TEXT.split(), rules)
    fixed = ESA.prepared_as_shown({"spans": [span(4, 10)]}, TEXT, rules)
    [mark] = marked_errors(fixed or {}).spans
    assert shown[mark.start : mark.end] == "don't"


@pytest.mark.parametrize(
    ("details", "cause"),
    [
        ({"spans": [span(0, 1, status="added")]}, "nothing was suggested"),
        ({"spans": [], "removed": [span(0, 1)]}, "nothing was suggested"),
        ({"spans": [span(0, 1)], "suggested": 1}, "a mark has no status"),
        ({"spans": [span(0, 1, status="added")], "suggested": 1}, "0 marks were kept and 0 removed of 1"),
        ({"spans": [], "suggested": -1}, "suggested is not a whole number"),
        ({"spans": [], "suggested": True}, "suggested is not a whole number"),
    ],
)
def test_imported_statuses_must_add_up(details: dict[str, object], cause: str) -> None:
    fault = marks_fault({"span_score": -len(details["spans"]), **details})  # type: ignore[arg-type]
    assert fault is not None
    assert cause in fault


@pytest.mark.parametrize(
    ("stated", "name", "cause"),
    [
        ({"anchors": "0 none"}, "anchors", "write 2 to 6 anchors"),
        ({"anchors": "0 none\n101 all"}, "anchors", "line 2: write a number from 0 to 100"),
        ({"anchors": "0 none\n100 \u200b"}, "anchors", "line 2"),
        ({"anchors": "0 none\n100 " + "a" * 81}, "anchors", "line 2"),
        ({"types": "Verb\nVerb"}, "types", "line 2: the type “Verb” stands twice"),
        ({"types": "a" * 41}, "types", "at most 40 characters"),
        ({"types": "\n".join(map(str, range(21)))}, "types", "at most 20 types"),
        ({"types": "a\u202eb"}, "types", "line 1"),
        ({"marks_below": "101"}, "marks_below", ""),
    ],
)
def test_options_that_cannot_be_shown_are_named(stated: dict[str, str], name: str, cause: str) -> None:
    with pytest.raises(ParameterError) as fault:
        parameters_from_text(ErrorSpansOptions, stated)
    assert cause in fault.value.faults[name]


def test_practice_is_written_with_words() -> None:
    block = "```practice\nShe go .\n{} | She go to go , and .\n```"
    [item] = practice_items(block.format('40, major “go” 2, minor ", and", major missing'), ESA, TYPED)
    [rating] = item.expected.ratings
    assert rating.rating_details == {
        "span_score": -11,
        "spans": [span(10, 12, "major"), span(13, 18)],
        "missing": [{"severity": "major"}],
    }
    texts = item.block.corrections
    [written] = ESA.marks_for(texts, item.expected)
    assert ESA.expected_for(texts, [written.replace("“go”", "“go” 2")], TYPED) == item.expected
    assert ESA.marks(item.expected) == ["40, major 10–12, minor 13–18, major missing"]
    for mark, cause in (
        ("go", "has no score from 0 to 100"),
        ("40, minor go", "is no mark"),
        ("40, minor “went”", "does not stand 1 times"),
        ("40, minor “go”, major “She go”", "overlap"),
    ):
        with pytest.raises(PracticeError, match=cause):
            practice_items(block.format(mark), ESA, TYPED)


@pytest.mark.parametrize(
    ("score", "spans", "agrees"),
    [
        (60, [span(7, 9, "major"), span(13, 15)], True),
        (61, [span(10, 12, "major"), span(13, 18)], False),
        (40, [span(6, 9, "major"), span(13, 15)], False),
        (40, [span(10, 12), span(13, 18)], False),
        (40, [span(10, 12, "major")], False),
    ],
)
def test_answers_agree_as_in_the_tutorial_of_esa(
    score: int, spans: list[dict[str, object]], agrees: bool
) -> None:
    expected = ESA.expected_for(["She go to go , and ."], ["40, major “go” 2, minor “, and”"], TYPED)
    given_answer = Answer((RatingValue(score=score, rating_details={"spans": spans}),))
    assert ESA.agree(given_answer, expected) is agrees


@given(
    tokens=st.lists(st.sampled_from(["do", "n't", "(", ")", "😀", "أ", ".", '"']), min_size=1, max_size=8),
    data=st.data(),
)
def test_a_program_counts_in_the_text_that_it_is_handed(tokens: list[str], data: st.DataObject) -> None:
    text, shown = " ".join(tokens), natural(tokens, TextRules.ENGLISH)
    start = data.draw(st.integers(0, len(shown) - 1))
    end = data.draw(st.integers(start + 1, len(shown)))
    asked = question(text, rules=TextRules.ENGLISH)
    fields = ESA.fields_of_shown({"score-0": "70", "spans-0": marks(spans=[span(start, end)])}, asked)
    [rating] = ESA.answer(fields, asked).ratings
    assert rating.rating_details is not None
    assert marks_fault(rating.rating_details) is None
    [stored] = marked_errors(rating.rating_details).spans
    assert text[stored.start : stored.end].replace(" ", "") == shown[start:end].replace(" ", "")


def test_a_release_without_texts_keeps_severities_and_types() -> None:
    """Of details, it keeps the words of the protocol and the labels of its options."""
    given_marks = marks(spans=[span(4, 10, "major", type="Style")], missing=[{"severity": "minor"}])
    [rating] = ESA.answer({"score-0": "70", "spans-0": given_marks}, question(TEXT)).ratings
    kept = {*ESA.words, *labels_of({"types": "Verb\r\nStyle", "marks_below": "66"})}
    assert {"major", "minor", "Style"} <= kept
    cleared = json.loads(
        json.dumps(rating.rating_details),
        object_hook=lambda read: {**read, **({"type": None} if "type" in read else {})},
    )
    assert marks_fault(cleared) is None
