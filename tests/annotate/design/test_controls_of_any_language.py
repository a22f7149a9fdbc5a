"""Controls of other languages: errors that are plain to see, seeded, and none that an output contains."""

import pytest

from annotate.design.controls import ErrorKind, make_control, with_errors
from annotate.design.controls.any_language import ANY_RULES, AnySentence, looks

SENTENCES = (
    "Včera jsem byl v kině s kamarádem .",
    "Ano .",
    "أنا ذهبتُ إلى المدرسة مع صديقي أمس .",
    "我昨天和朋友一起去看电影了。",
    "彼は JR の 電車 で 行きました 。",
    "ผมไปโรงเรียนเมื่อวานนี้",
    "मैं कल स्कूल गया था ।",
    "می‌خواهم به خانه بروم .",
    "Straße 12 ist größer als der Weg.",
)


@pytest.mark.parametrize("source", SENTENCES)
def test_a_control_differs_visibly_and_follows_from_its_seed(source: str) -> None:
    for seed in range(20):
        control = make_control(source, seed=seed, english=False)
        assert control == make_control(f" {source}", seed=seed, english=False)
        assert with_errors(source, control.errors) == control.text
        assert looks(control.text) != looks(source)
        assert not {error.kind for error in control.errors} & {ErrorKind.DETERMINER, ErrorKind.AGREEMENT}


@pytest.mark.parametrize("source", SENTENCES)
def test_words_are_those_of_the_script(source: str) -> None:
    words = [token.text for token in AnySentence(source).tokens]
    assert all(source[token.start : token.end] == token.text for token in AnySentence(source).tokens)
    assert "".join(words) == "".join(character for character in source if character not in " .।。")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("ذهبتُ أمس", ["ذهبتُ", "أمس"]),
        ("मैं स्कूल", ["मैं", "स्कूल"]),
        ("我去JR站", ["我", "去", "JR", "站"]),
        ("ที่นี่", ["ที่", "นี่"]),
        ("می‌خواهم l'eau", ["می‌خواهم", "l'eau"]),
    ],
)
def test_marks_and_joiners_stay_with_their_letters(source: str, words: list[str]) -> None:
    assert [token.text for token in AnySentence(source).tokens] == words


def test_each_rule_makes_its_kind_of_error() -> None:
    source = "Včera jsem byl kině ."
    sentence = AnySentence(source)
    made = {
        error.kind: with_errors(source, [error])
        for rule in ANY_RULES
        for place in (0, 1)
        for error in rule(sentence, place)
        if place == 0 or error.kind is ErrorKind.MISSING_WORD
    }
    assert made == {
        ErrorKind.WORD_ORDER: "Jsem včera byl kině .",
        ErrorKind.MISSING_WORD: "Včera byl kině .",
        ErrorKind.DOUBLED_WORD: "Včera včera jsem byl kině .",
        ErrorKind.SPELLING: "Včrea jsem byl kině .",
    }


def test_what_an_output_contains_is_no_error() -> None:
    source, corrected = "我看了电影去。", "我去看了电影。"
    texts = {make_control(source, [corrected], seed=seed, english=False).text for seed in range(200)}
    assert texts
    assert corrected not in texts
    doubled = "Ano ano ."
    assert make_control("Ano .", [doubled], seed=1, english=False).text not in (doubled, "ANO ano .")


def test_letters_that_look_alike_are_not_swapped() -> None:
    [rule] = [rule for rule in ANY_RULES if rule.__name__ == "swapped_letters"]
    assert list(rule(AnySentence("aaaa"), 0)) == []
