"""Verdicts on a correction: as an answer, and as practice."""

import pytest

from annotate.design.practice import PracticeError, practice_items
from annotate.design.protocols import Answer, AnswerError, Question, RatingValue, Validity

VALIDITY = Validity()


@pytest.mark.parametrize("verdict", ["yes", "no", "cannot-say"])
def test_a_verdict_names_its_output(verdict: str) -> None:
    answer = VALIDITY.answer({"verdict": verdict}, Question("He go .", 1))
    assert answer == Answer((RatingValue(),), verdict=verdict)
    assert VALIDITY.fields(answer) == {"verdict": verdict}


@pytest.mark.parametrize("fields", [{}, {"verdict": "maybe"}, {"verdict": ""}])
def test_another_word_is_no_verdict(fields: dict[str, str]) -> None:
    with pytest.raises(AnswerError, match=r"Still to say whether it is valid: correction 1\.") as fault:
        VALIDITY.answer(fields, Question("He go .", 1))
    assert fault.value.positions == (0,)


def test_practice_expects_a_verdict() -> None:
    [item] = practice_items("```practice\nHe go .\nno | He goed .\n\nNot a word.\n```", VALIDITY)
    assert VALIDITY.agree(Answer((RatingValue(),), verdict="no"), item.expected)
    assert not VALIDITY.agree(Answer((RatingValue(),), verdict="yes"), item.expected)
    with pytest.raises(PracticeError, match="“right” is not a verdict: write yes, no or cannot-say"):
        practice_items("```practice\nHe go .\nright | He goes .\n```", VALIDITY)
