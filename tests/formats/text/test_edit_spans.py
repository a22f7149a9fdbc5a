"""Edits as spans of the stored text in code points."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats.text.edit_spans import (
    SpanEdit,
    applied,
    are_unspaced,
    as_one,
    edits_between,
    places_of,
    question_numbers,
    span_of,
    words_of,
)
from tests.depth import examples

WORDS = ["the", "cat", "sat", ".", "😀", "👩‍👩‍👧", "कि", "ङि", "إلى", "é", "e\u0301", "猫", "が", "(", ")"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=8)
JOINED = st.tuples(TEXTS, st.sampled_from(["", " ", "  "])).map(lambda each: each[1].join(each[0]))


def numbers(source: str, text: str) -> tuple[int, ...]:
    return question_numbers(source, edits_between(source, text))


def test_a_span_is_what_the_replacement_replaces() -> None:
    source = "She go  to 😀 school yesteday ."
    edits = edits_between(source, "She went to the school yesterday . Ok")
    assert [(source[each.start : each.end], each.replacement) for each in edits] == [
        ("go", "went"),
        ("😀", "the"),
        ("yesteday", "yesterday"),
        ("", "Ok"),
    ]
    assert edits[-1].start == len(source)


def test_a_text_without_blanks_has_edits_of_characters() -> None:
    source, text = "昨日学校に行くましたとても", "昨日学校へ行きましたとても"
    assert are_unspaced(source)
    assert [(each.start, each.end, each.replacement) for each in edits_between(source, text)] == [
        (4, 5, "へ"),
        (6, 7, "き"),
    ]
    assert not are_unspaced("私 は 学校 に 行く"), "its words are separated by blanks"


def test_combining_marks_stay_with_their_character() -> None:
    words = words_of("ก็เป็นที่รู้จักกันดี", unspaced=True)
    assert [word.text for word in words][:3] == ["ก็", "เ", "ป็"]


@settings(max_examples=examples(300), deadline=None)
@given(JOINED, JOINED)
def test_all_edits_together_make_the_text(source: str, text: str) -> None:
    unspaced = are_unspaced(source, text)
    edits = edits_between(source, text)
    made = applied(source, edits, unspaced=unspaced)
    plain = [word.text for word in words_of(text, unspaced=unspaced)]
    assert [word.text for word in words_of(made, unspaced=unspaced)] == plain
    words = words_of(source, unspaced=unspaced)
    for edit in edits:
        assert span_of(words, *places_of(words, edit), len(source)) == (edit.start, edit.end)
    if edits:
        one = as_one(source, edits, text)
        made = applied(source, [one], unspaced=unspaced)
        assert [word.text for word in words_of(made, unspaced=unspaced)] == plain


@settings(max_examples=examples(200), deadline=None)
@given(JOINED, JOINED)
def test_every_edit_belongs_to_a_question(source: str, text: str) -> None:
    asked = numbers(source, text)
    assert len(asked) == len(edits_between(source, text))
    assert list(dict.fromkeys(asked)) == list(range(len(set(asked))))


@pytest.mark.parametrize(
    ("source", "text", "asked"),
    [
        ("He go to the house .", "He goes to a house .", (0, 1)),
        ("Yesterday I go home .", "I go home yesterday .", (0, 1)),
        ("to school I go now", "I go now to school", (0, 0)),
        ("I like it very much", "( I like it ) very much", (0, 0)),
        ("I ( like ) it well", "I like it good", (0, 0, 1)),
        ('a " b " c', "a b c", (0, 0)),
        ("I like it", "( I like it", (0,)),
    ],
)
def test_dependent_edits_share_a_question(source: str, text: str, asked: tuple[int, ...]) -> None:
    assert numbers(source, text) == asked


def test_adjacent_edits_share_a_question() -> None:
    source = "He have go to it ."
    edits = [
        SpanEdit(3, 7, "has", "R:VERB:SVA"),
        SpanEdit(8, 10, "gone", "R:VERB"),
        SpanEdit(14, 16, "her", "R:PRON"),
    ]
    assert question_numbers(source, edits) == (0, 0, 1)
