"""The protocol of edits: what the launch fixes, and what an answer holds."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotate.design.practice import PracticeError, practice_items
from annotate.design.protocols import Answer, AnswerError, Edits, KnownEdits, Question
from annotate.design.protocols.edits import MOST_EDITS, EditsOptions
from formats.snapshot.answer_details import details_fault
from formats.text.edit_spans import SpanEdit
from tests.depth import examples

EDITS, OPTIONS = Edits(), EditsOptions()
SOURCE, TEXT = "She like all there cats .", "She likes all their cats ."
TEXTS = st.text(alphabet="ab 😀ेकم猫\u200d()\u0301", max_size=60)


def asked(source: str = SOURCE, text: str = TEXT, options: EditsOptions = OPTIONS) -> Question:
    return Question(source, 1, options, prepared=[EDITS.prepared(source, text, None, options)])


def edits_of(stored: Any) -> list[dict[str, Any]]:
    edits: list[dict[str, Any]] = stored["edits"]
    return edits


def details(answer: Answer) -> object:
    return answer.ratings[0].rating_details


def test_an_answer_has_each_edit_with_its_verdict() -> None:
    answer = EDITS.answer({"edit-0": "accepted", "edit-1": "rejected"}, asked())
    assert details(answer) == {
        "extractor": "words",
        "edits": [
            {"start": 4, "end": 8, "replacement": "likes", "verdict": "accepted"},
            {"start": 13, "end": 18, "replacement": "their", "verdict": "rejected"},
        ],
    }
    assert answer.ratings[0].score == 50


def test_the_score_is_of_what_was_accepted_or_rejected() -> None:
    unsure = EDITS.answer({"edit-0": "cannot-say", "edit-1": "accepted"}, asked())
    assert unsure.ratings[0].score == 100
    nothing = EDITS.answer({"edit-0": "cannot-say", "edit-1": "cannot-say"}, asked())
    assert nothing.ratings[0].score is None


def test_every_edit_must_be_judged() -> None:
    with pytest.raises(AnswerError, match=r"Still to judge: correction 1 \(edit 2\)\."):
        EDITS.answer({"edit-0": "accepted", "edit-1": "yes"}, asked())


def test_edits_of_the_corpus_are_taken_if_they_lead_to_the_output() -> None:
    edits = (SpanEdit(4, 8, "likes", "R:VERB:SVA"), SpanEdit(9, 18, "all their", "R:PRON"))
    known = KnownEdits("errant", edits)
    fixed = EDITS.prepared(SOURCE, TEXT, known, OPTIONS)
    assert fixed is not None
    assert fixed["extractor"] == "errant"
    answer = EDITS.answer({"edit-0": "accepted"}, Question(SOURCE, 1, OPTIONS, prepared=[fixed]))
    assert details(answer) == {
        "extractor": "errant",
        "edits": [
            {**edit, "question": 0, "verdict": "accepted"}
            for edit in (
                {"start": 4, "end": 8, "replacement": "likes", "type": "R:VERB:SVA"},
                {"start": 9, "end": 18, "replacement": "all their", "type": "R:PRON"},
            )
        ],
    }, "adjacent edits are one question"
    for others in (EditsOptions(edits="words"), OPTIONS):
        text = TEXT if others != OPTIONS else "She likes all her cats ."
        fixed = EDITS.prepared(SOURCE, text, known, others)
        assert fixed is not None
        assert fixed["extractor"] == "words"
    apart = EDITS.prepared(SOURCE, TEXT, known, EditsOptions(together=False))
    assert apart is not None
    assert [edit["question"] for edit in edits_of(apart)] == [0, 1]


@pytest.mark.parametrize("words", [MOST_EDITS + 1, 40])
def test_too_many_edits_are_one(words: int) -> None:
    long = "x" * (1 if words > MOST_EDITS else 200)
    source, text = (
        " ".join(f"{long}{each} and" for each in range(words)) for long in (f"{long}b", f"{long}c")
    )
    fixed = EDITS.prepared(source, text, None, OPTIONS)
    assert fixed is not None
    [edit] = edits_of(fixed)
    assert source[: edit["start"]] + edit["replacement"] + source[edit["end"] :] == text


@settings(max_examples=examples(300), deadline=None)
@given(TEXTS, TEXTS, st.data())
def test_what_is_asked_is_what_is_stored(source: str, text: str, data: st.DataObject) -> None:
    question = asked(source, text)
    [fixed] = question.prepared
    assert fixed is not None
    edits = edits_of(fixed)
    verdicts = st.sampled_from(["accepted", "rejected", "cannot-say"])
    fields = {f"edit-{edit['question']}": data.draw(verdicts) for edit in edits}
    answer = EDITS.answer(fields, question)
    stored = details(answer)
    assert details_fault(stored) is None
    for edit, judged in zip(edits, edits_of(stored), strict=True):
        assert source[judged["start"] : judged["end"]] == edit["original"]
        assert judged["verdict"] == fields[f"edit-{edit['question']}"]
    assert EDITS.fields(answer) == fields
    if fields:
        assert EDITS.agree(answer, EDITS.expected(EDITS.marks(answer), OPTIONS))


def test_the_template_of_guidelines_can_be_asked() -> None:
    assert len(practice_items(EDITS.guidelines, EDITS)) == 3


@pytest.mark.parametrize(
    ("mark", "fault"),
    [
        (
            "accept",
            r"asks about 2 edits \(“like” → “likes”; “there” → “their”\), and there are verdicts on 1",
        ),
        ("accept, yes", "“yes” is no verdict on an edit: write accept, reject or cannot-say"),
    ],
)
def test_practice_has_a_verdict_on_each_edit(mark: str, fault: str) -> None:
    with pytest.raises(PracticeError, match=fault):
        practice_items(f"```practice\n{SOURCE}\n{mark} | {TEXT}\n```", EDITS)
