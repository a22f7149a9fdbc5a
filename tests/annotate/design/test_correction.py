"""Answers from the form of a written correction."""

from unicodedata import normalize

import pytest

from annotate.design.protocols import Answer, AnswerError, Correction, Question
from annotate.design.protocols.correction import CorrectionOptions
from annotate.design.protocols.correction_warnings import is_tokenised_otherwise, share_changed, warnings
from formats.snapshot.vocabulary import Instruction

SOURCE = "He go to school ."
MINIMAL = {"instruction": "minimal"}
CHANGED_NOTHING = "You have changed nothing"


def given(*versions: str, verdict: str = "", most: int = 3, source: str = SOURCE) -> Answer:
    fields = {f"version-{place}": text for place, text in enumerate(versions)}
    question = Question(source, 0, CorrectionOptions(versions=most))
    return Correction().answer({**fields, "verdict": verdict}, question)


@pytest.mark.parametrize("verdict", ["corrected", "", "nonsense"])
def test_a_changed_sentence_is_a_correction(verdict: str) -> None:
    answer = given("He goes to school .", verdict=verdict)
    assert answer == Answer(texts=("He goes to school .",), verdict="corrected", details=MINIMAL)


def test_versions_are_stored_once_and_not_if_they_are_the_sentence() -> None:
    answer = given(SOURCE, "He went to school .", " He went to school . ")
    assert answer.texts == ("He went to school .",)
    both = given("He goes to school .", "He went to school .", "")
    assert both.texts == ("He goes to school .", "He went to school .")
    assert given("He goes to school .", "He went to school .", most=1).texts == ("He goes to school .",)


def test_letters_with_marks_are_stored_as_one_character_unless_the_sentence_has_them_apart() -> None:
    apart, together = normalize("NFD", "Žluťoučký kůň úpěl ."), "Žluťoučký kůň úpěl ."
    assert given(apart, source="Žlutý kůň úpěl .").texts == (together,)
    source = normalize("NFD", "Žlutý kůň úpěl .")
    assert given(apart, source=source).texts == (apart,)
    with pytest.raises(AnswerError, match=CHANGED_NOTHING):
        given(apart, source=together)


@pytest.mark.parametrize("verdict", ["corrected", ""])
def test_an_unchanged_sentence_is_asked_about(verdict: str) -> None:
    with pytest.raises(AnswerError, match=CHANGED_NOTHING):
        given(f"  {SOURCE}\n", verdict=verdict)


def test_no_correction_is_needed_where_nothing_was_changed() -> None:
    answer = given(SOURCE, verdict="no-correction-needed")
    assert (answer.texts, answer.verdict) == ((SOURCE,), "no-correction-needed")
    for texts in (["He goes to school ."], [SOURCE, "He goes to school ."]):
        with pytest.raises(AnswerError, match="not the sentence any more"):
            given(*texts, verdict="no-correction-needed")


@pytest.mark.parametrize("verdict", ["fragment", "not-annotatable"])
@pytest.mark.parametrize("text", [SOURCE, "He goes to school .", ""])
def test_an_answer_that_the_sentence_cannot_be_corrected_has_no_text(verdict: str, text: str) -> None:
    assert given(text, verdict=verdict) == Answer(verdict=verdict, details=MINIMAL)


def test_a_sentence_to_be_merged_has_the_text_as_it_is() -> None:
    assert given(SOURCE, verdict="merge-with-next").texts == (SOURCE,)
    assert given("He goes to", verdict="merge-with-next").texts == ("He goes to",)


@pytest.mark.parametrize("verdict", ["corrected", "no-correction-needed", "merge-with-next"])
def test_no_text_is_no_correction(verdict: str) -> None:
    with pytest.raises(AnswerError, match="There is no text"):
        given(" \n", verdict=verdict)


def test_pasted_lines_become_one() -> None:
    assert given("He goes\r\nto\tschool .\n").texts == ("He goes to school .",)


def test_the_form_holds_the_answer_again() -> None:
    for answer in (given("He goes .", "He went ."), given(SOURCE, verdict="fragment")):
        fields = Correction().fields(answer)
        texts = [fields.get(f"version-{place}", "") for place in range(3)]
        assert given(*texts, verdict=fields["verdict"]) == answer


# --- Warnings -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "text", "share"),
    [
        (SOURCE, SOURCE, 0),
        (SOURCE, "He goes to school .", 1 / 5),
        (SOURCE, "She went home .", 4 / 5),
        ("私は学校に行く", "私は学校へ行く", 1 / 7),
        ("", "", 0),
    ],
)
def test_the_share_of_changed_words(source: str, text: str, share: float) -> None:
    assert share_changed(source, text) == pytest.approx(share)


@pytest.mark.parametrize(
    ("source", "text", "otherwise"),
    [
        (SOURCE, "He goes to school.", True),
        (SOURCE, "He goes to school !", False),
        ("He go to school.", "He goes to school .", True),
        ("He go to school.", "He goes to school!", False),
        ("He go to school etc. today .", "He goes to school etc. today .", False),
        ("ذهب الولد ، ثم عاد .", "ذهب الولد، ثم عاد .", True),
        ("No marks here", "No marks, here.", False),
    ],
)
def test_changed_tokenisation(source: str, text: str, otherwise: bool) -> None:
    assert is_tokenised_otherwise(source, text) == otherwise


def test_warnings_are_stored_with_the_answer() -> None:
    answer = given("Yesterday  she went home.")
    assert answer.details["warnings"] == ["much-changed", "double-spaces", "tokenisation"]
    assert warnings(SOURCE, ["Yesterday she went home ."], Instruction.FLUENCY) == []
