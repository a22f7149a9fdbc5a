"""Scales as an admin writes them, and points on them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.design.practice import PracticeError, practice_items
from annotate.design.protocols import Answer, AnswerError, Question, RatingValue, Scales
from annotate.design.protocols.scale_texts import MOST_SCALES, ScalesError, field_of, scales_of
from annotate.design.protocols.scales import ScalesOptions
from core.parameters import ParameterError, parameters_from_text

SCALES = Scales()
TWO = ScalesOptions(scales="Grammar: bad | fair | good\nMeaning: 0 lost | 1 | 2 | 3 kept")
GRAMMAR, MEANING = field_of("Grammar"), field_of("Meaning")


def rating(grammar: int | None, meaning: int | None, score: int | None) -> RatingValue:
    return RatingValue(score=score, rating_details={"Grammar": grammar, "Meaning": meaning})


def test_points_count_from_one_unless_they_are_numbered() -> None:
    grammar, meaning = TWO.each
    assert [(point.value, point.label) for point in grammar.points] == [(1, "bad"), (2, "fair"), (3, "good")]
    assert [(point.value, point.label) for point in meaning.points][:2] == [(0, "lost"), (1, "")]


@pytest.mark.parametrize(
    ("points", "keys"),
    [
        ("a|b", "12"),
        ("0 a|1 b", "01"),
        ("a|b|c|d|e|f|g|h|i|j", "1234567890"),
        ("a|b|c|d|e|f|g|h|i|j|k", "1234567890-"),
        ("0 a|1|2|3|4|5|6|7|8|9|10 k", "0123456789-"),
    ],
)
def test_each_point_has_a_key_of_its_own(points: str, keys: str) -> None:
    [scale] = scales_of(f"Fluency: {points}")
    assert [point.key for point in scale.points] == list(keys)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", "write 1 to 5 scales"),
        ("\n".join(f"S{number}: a | b" for number in range(MOST_SCALES + 1)), "these are 6"),
        ("Fluency", "line 1: write a name, a colon"),
        ("A: a | b\n: a | b", "line 2: write a name"),
        ("A, B: a | b", "line 1: write a name"),
        ("A: a", "2 to 11 points; this has 1 point"),
        ("A: " + "a | " * 11 + "b", "this has 12 points"),
        ("A: a | b\na: c | d", "“A” stands twice"),
        ("A: | b", "say in words"),
        ("A: a | \u200b", "say in words"),
        ("\u200b: a | b", "line 1: the name has no visible character"),
        ("A: a | b\nB\u202e: a | b", "line 2 contains the character U.202E"),
        ("A: a\u2028 | b", "line 1 contains the line separator U.2028"),
        (f"A: {'9' * 5000} a | b", "a point is described in at most 60 characters"),
        ("A: 1 | 2", "say in words"),
        ("A: 2 a | 3 b", "from 0 or 1"),
        ("A: 1 a | b", "number all points"),
        ("A: 1 a | 3 b", "number all points"),
        ("A" * 41 + ": a | b", "at most 40 characters"),
        ("A: a | " + "b" * 61, "at most 60 characters"),
    ],
)
def test_what_is_no_scale_is_named_with_its_line(text: str, cause: str) -> None:
    with pytest.raises(ScalesError, match=cause):
        scales_of(text)
    if text:
        with pytest.raises(ParameterError, match=cause):
            parameters_from_text(ScalesOptions, {"scales": text})


@pytest.mark.parametrize(
    ("name", "field"),
    [("Fluency", "scale-fluency-"), ("B2", "scale-b2-"), ("a" * 40, f"scale-{'a' * 40}-")],
)
def test_plain_names_stand_in_fields(name: str, field: str) -> None:
    assert field_of(name) == field
    assert len(f"{field}4") <= 50, "as long as a field of a draft may be"


@pytest.mark.parametrize("name", ["意味", "How fluent?", "<b>", "é", "a-b"])
def test_other_names_have_a_digest_in_fields(name: str) -> None:
    assert re.fullmatch("scale-[0-9a-f]{12}-", field_of(name))


def test_fields_become_points_and_their_mean_in_percent() -> None:
    fields = {f"{GRAMMAR}0": "3", f"{MEANING}0": "0", f"{GRAMMAR}1": "2", f"{MEANING}1": "none"}
    fields |= {f"{GRAMMAR}2": "none", f"{MEANING}2": "none"}
    answer = SCALES.answer(fields, Question("He go .", 3, TWO))
    assert answer == Answer((rating(3, 0, 50), rating(2, None, 50), rating(None, None, None)))
    assert SCALES.fields(answer) == fields


@pytest.mark.parametrize("value", ["", "0", "4", "x", "٣", "03", "None", "2" * 5000])
def test_a_point_that_is_not_on_the_scale_is_missing(value: str) -> None:
    fields = {f"{GRAMMAR}0": "1", f"{MEANING}0": "0", f"{GRAMMAR}1": value}
    with pytest.raises(AnswerError, match=r"^Still to rate: correction 2 \(Grammar, Meaning\)\.$") as fault:
        SCALES.answer(fields, Question("He go .", 2, TWO))
    assert fault.value.positions == (1,)


def test_nobody_can_say_that_they_cannot_if_that_is_not_offered() -> None:
    strict = ScalesOptions(scales=TWO.scales, cannot_say=False)
    with pytest.raises(AnswerError, match="Grammar"):
        SCALES.answer({f"{GRAMMAR}0": "none", f"{MEANING}0": "1"}, Question("He go .", 1, strict))


points = st.tuples(st.sampled_from([1, 2, 3, None]), st.sampled_from([0, 1, 2, 3, None]))


@given(st.lists(points, min_size=1, max_size=5))
def test_marks_and_fields_are_read_as_they_are_written(
    given_points: list[tuple[int | None, int | None]],
) -> None:
    marks = [
        f"Meaning {'?' if meaning is None else meaning}, Grammar {'?' if grammar is None else grammar}"
        for grammar, meaning in given_points
    ]
    answer = SCALES.expected(marks, TWO)
    assert SCALES.expected(SCALES.marks(answer), TWO) == answer
    assert SCALES.answer(SCALES.fields(answer), Question("", len(marks), TWO)) == answer


@pytest.mark.parametrize(
    ("mark", "cause"),
    [
        ("Grammar 3", "has no point of Meaning: write it like “Grammar 3, Meaning 3”"),
        ("Grammar 4, Meaning 1", "has no point of Grammar"),
        ("3", "has no point of Grammar"),
        ("Grammar 3, Meaning 1, Style 1", "names Style, which is not a scale of this campaign"),
    ],
)
def test_practice_has_to_fit_the_scales_of_the_campaign(mark: str, cause: str) -> None:
    guidelines = "```practice\nHe go .\n{} | He goes .\n```"
    [item] = practice_items(guidelines.format("Grammar 3, Meaning 3"), SCALES, TWO)
    assert item.expected == Answer((rating(3, 3, 100),))
    with pytest.raises(PracticeError, match=cause):
        practice_items(guidelines.format(mark), SCALES, TWO)


@pytest.mark.parametrize(
    ("grammar", "meaning", "agrees"), [(2, 3, True), (3, 2, True), (1, 3, False), (3, None, False)]
)
def test_points_agree_where_they_are_next_to_each_other(
    grammar: int, meaning: int | None, agrees: bool
) -> None:
    assert SCALES.agree(Answer((rating(grammar, meaning, 0),)), Answer((rating(3, 3, 100),))) is agrees
