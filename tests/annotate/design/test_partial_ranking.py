"""The fields, marks and scores of partial ranking with scalars."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.design.practice import PracticeError, practice_items
from annotate.design.protocols import Answer, AnswerError, PartialRankingWithScalars, RatingValue

PRWS = PartialRankingWithScalars()
values = st.builds(RatingValue, score=st.integers(0, 100), meaning_changed=st.booleans())


def test_fields_become_ratings() -> None:
    fields = {"score-0": "85", "score-1": "0", "meaning-1": "changed", "score-2": "007"}
    assert PRWS.ratings(fields, 3) == (
        RatingValue(score=85, meaning_changed=False, touched=True),
        RatingValue(score=0, meaning_changed=True, touched=True),
        RatingValue(score=7, meaning_changed=False, touched=True),
    )


@pytest.mark.parametrize("score", ["", "x", "-1", "101", "50.5", "5e1", "٣", "0" * 5000, " 50"])
def test_invalid_scores_are_named_by_their_place(score: str) -> None:
    with pytest.raises(AnswerError, match=r"Still to score from 0 to 100: correction 2\.") as fault:
        PRWS.ratings({"score-0": "1", "score-1": score}, 2)
    assert fault.value.positions == (1,)


@given(st.lists(values, min_size=1, max_size=5))
def test_an_answer_that_is_looked_at_again_is_the_same_and_untouched(ratings: list[RatingValue]) -> None:
    again = PRWS.ratings(PRWS.fields(Answer(tuple(ratings))), len(ratings))
    assert [(one.score, one.meaning_changed) for one in again] == [
        (one.score, one.meaning_changed) for one in ratings
    ]
    assert not any(one.touched for one in again)


def test_a_score_is_touched_if_it_changed_or_the_page_says_so() -> None:
    answer = Answer(tuple(RatingValue(score=score, meaning_changed=False) for score in (10, 20, 30)))
    fields = PRWS.fields(answer)
    revised = PRWS.ratings({**fields, "score-1": "21", "before-2": ""}, 3)
    assert [value.touched for value in revised] == [False, True, True]


@given(values)
def test_marks_are_read_as_they_are_written(value: RatingValue) -> None:
    assert PRWS.rating(PRWS.mark(value), 3) == value


@pytest.mark.parametrize("mark", ["", "best", "101", "40 changed", "40  meaning changed", "meaning changed"])
def test_another_mark_is_refused(mark: str) -> None:
    with pytest.raises(AnswerError, match="is not a score from 0 to 100, like 85 or 40 meaning changed"):
        PRWS.rating(mark, 3)


def test_practice_is_written_in_scores() -> None:
    [item] = practice_items(
        "```practice\nHe go .\n85 | He goes .\n40 meaning changed | She goes .\n```", PRWS
    )
    assert item.expected.ratings == (
        RatingValue(score=85, meaning_changed=False),
        RatingValue(score=40, meaning_changed=True),
    )
    with pytest.raises(PracticeError, match="room for only 5 corrections"):
        practice_items("```practice\nHe go .\n" + "85 | He goes .\n" * 6 + "```", PRWS)


@pytest.mark.parametrize(
    ("score", "changed", "agrees"),
    [(75, False, True), (95, False, True), (74, False, False), (85, True, False)],
)
def test_scores_agree_where_they_are_near(score: int, changed: bool, agrees: bool) -> None:
    given = Answer((RatingValue(score=score, meaning_changed=changed),))
    assert PRWS.agree(given, Answer((RatingValue(score=85, meaning_changed=False),))) is agrees
