"""Controls: the source with one or two errors; never equal to the source or a correction."""

import re
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from annotate.design.controls import ControlError, ErrorKind, make_control, possible_errors, with_errors
from annotate.design.controls.any_language import ANY_RULES, AnySentence
from annotate.design.controls.draw import ANY_WEIGHTS

DOCS: Path = settings.BASE_DIR / "docs" / "controls.md"
OF_ENGLISH, OTHERS = DOCS.read_text().split("## In other languages")
EXAMPLES = [
    tuple(cell.strip() for cell in row)
    for row in re.findall(r"^\| ([a-z ]+) \| (.+) \| (.+) \|$", OF_ENGLISH, re.M)
    if row[0] != "kind"
]
OF_OTHER_LANGUAGES = re.findall(r"^\| ([a-z ]+) \| (.+) \| (.+) \| (\d) \|$", OTHERS, re.M)
LONG = "She has lived in this city for ten years , but she does not like the weather ."

texts = st.text(min_size=1).filter(str.strip) | st.lists(
    st.sampled_from(
        [*LONG.split(), "don't", "PEOPLE", "I", "'", "rained,", "many", "problems", "the", "information"]
    ),
    min_size=1,
    max_size=14,
).map(" ".join)


def controls(sources: Sequence[str], outputs: Sequence[Sequence[str]], seed: int = 1) -> list[str]:
    pairs = zip(sources, outputs, strict=True)
    return [make_control(source, given, seed=seed).text for source, given in pairs]


def changed(source: str, kind: ErrorKind) -> set[str]:
    """The source with each single error of a kind."""
    return {with_errors(source, [error]) for error in possible_errors(source) if error.kind is kind}


@pytest.mark.parametrize(("kind", "source", "control"), EXAMPLES)
def test_the_documented_examples_follow_the_rules(kind: str, source: str, control: str) -> None:
    assert control in changed(source, ErrorKind(kind))


def test_every_kind_is_documented() -> None:
    assert {kind for kind, *_ in EXAMPLES} | {kind for kind, *_ in OF_OTHER_LANGUAGES} == set(ErrorKind)


@pytest.mark.parametrize(("kind", "source", "control", "weight"), OF_OTHER_LANGUAGES)
def test_the_documented_examples_of_other_languages_follow_the_rules(
    kind: str, source: str, control: str, weight: str
) -> None:
    sentence = AnySentence(source)
    errors = [
        error for rule in ANY_RULES for place in range(len(sentence)) for error in rule(sentence, place)
    ]
    assert control in {with_errors(source, [error]) for error in errors if error.kind == kind}
    assert ANY_WEIGHTS[ErrorKind(kind)] == int(weight)


def test_the_documented_program_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    [program] = re.findall(r"```python\n(.*?)```", DOCS.read_text(), re.S)
    [printed] = re.findall(r"prints\n\n```\n(.*?)```", DOCS.read_text(), re.S)
    exec(program, {})  # noqa: S102
    assert capsys.readouterr().out == printed


@given(texts, st.integers(0, 2**32))
def test_the_recorded_errors_are_the_changes(source: str, seed: int) -> None:
    control = make_control(source, seed=seed)
    assert control.text == with_errors(source.strip(), control.errors) != source.strip()
    assert len(control.errors) in (1, 2)
    assert all(0 <= error.start <= error.end <= len(source) for error in control.errors)
    for first, second in pairwise(control.errors):
        assert source.strip()[first.end : second.start].strip()
        assert first.kind is not second.kind


@given(texts, st.integers(0, 5))
def test_a_control_is_none_of_the_outputs(source: str, rounds: int) -> None:
    outputs = [f" {source}\n"]
    for _ in range(rounds):
        outputs.append(f"{make_control(source, outputs, seed=1).text} ")
    assert make_control(source, outputs, seed=1).text not in {output.strip() for output in outputs}


@given(texts)
def test_spaces_around_the_source_do_not_count(source: str) -> None:
    assert make_control(f" {source}\n", seed=1) == make_control(source, seed=1)


def test_a_sentence_has_its_control_whatever_the_others_are() -> None:
    sources = [LONG, "Hello !", "It is late ."]
    there, back = controls(sources, [()] * 3), controls(sources[::-1], [()] * 3)
    assert there == back[::-1]
    assert len({make_control(LONG, seed=seed).text for seed in range(20)}) > 10


def test_a_correction_is_no_error() -> None:
    """The source has "have" for "has"; its correction gets another error."""
    source, corrected = "My friend have a car .", "My old friend has a car ."
    assert "My friend has a car ." not in changed(source, ErrorKind.AGREEMENT)
    fault, better = "They was in the garden .", "They were in the garden today ."
    assert "They were in the garden ." in changed(fault, ErrorKind.AGREEMENT)
    assert all(" were " not in make_control(fault, [better], seed=seed).text for seed in range(30))
    assert make_control(source, [corrected], seed=1).text != source


def test_a_fault_is_not_put_in_place_of_a_fault() -> None:
    """Where most corrections change the source, errors are put elsewhere while there is a place."""
    source = "The technolgy is in my house ."
    corrections = ["The technology is in my house .", "Technology is in my house .", source]
    faulty = range(source.index("technolgy") + len("technolgy"))
    for seed in range(30):
        errors = make_control(source, corrections, seed=seed).errors
        assert not any(error.start in faulty for error in errors)


def test_punctuation_is_not_all_that_is_left_where_corrections_change_the_words() -> None:
    for seed in range(10):
        errors = make_control("People are late .", ["Folks were too late ."], seed=seed).errors
        assert {error.kind for error in errors} - {ErrorKind.PUNCTUATION}


@pytest.mark.parametrize("source", ["Hello", "Yes .", "OK", "I", "42", "?", "日本語", "a", "_", "It's"])
def test_however_short_a_sentence_gets_a_control(source: str) -> None:
    assert make_control(source, seed=1).text not in ("", source)


def test_one_word_is_misspelled_and_one_sign_gets_a_stray_comma() -> None:
    assert make_control("Hello", seed=1).text == "Helo"
    assert make_control("?", seed=1).text == "? ,"


@pytest.mark.parametrize("source", ["", " \n"])
def test_an_empty_sentence_is_refused(source: str) -> None:
    with pytest.raises(ControlError, match="an empty sentence cannot have an error"):
        make_control(source, seed=1)


def test_text_that_is_not_tokenised_keeps_its_spacing() -> None:
    source = "I don't know him, although we've worked together."
    assert {
        "I dont know him, although we've worked together.",
        "I don't know him, although weve worked together.",
    } <= (changed(source, ErrorKind.PUNCTUATION))
    assert "I doesn't know him, although we've worked together." in changed(source, ErrorKind.AGREEMENT)


def test_capitals_stay_capitals() -> None:
    assert "Poeple are late ." in changed("People are late .", ErrorKind.SPELLING)
    assert "WE ARE LATE , BECAUSE IT RAIN ." not in changed(
        "WE ARE LATE , BECAUSE IT RAINS .", ErrorKind.AGREEMENT
    )
    assert "WE IS LATE ." in changed("WE ARE LATE .", ErrorKind.AGREEMENT)
    assert "Largest city is here ." in changed("The largest city is here .", ErrorKind.DETERMINER)


def test_punctuation_is_never_the_only_error_where_there_is_another() -> None:
    for seed in range(30):
        assert any(error.kind is not ErrorKind.PUNCTUATION for error in make_control(LONG, seed=seed).errors)


def test_a_verb_after_to_may_be_a_condition() -> None:
    """The rules skip "if I were" and "used to going"."""
    assert "If I was rich , I would travel ." not in changed(
        "If I were rich , I would travel .", ErrorKind.AGREEMENT
    )


@pytest.mark.parametrize(
    ("source", "kind", "no_error"),
    [
        ("He met a user of the site .", ErrorKind.PREPOSITION, "He met a user from the site ."),
        ("Conditions for growth vary .", ErrorKind.PREPOSITION, "Conditions of growth vary ."),
        ("He read every book since 2006 .", ErrorKind.PREPOSITION, "He read every book from 2006 ."),
        ("We waited for two hours .", ErrorKind.PREPOSITION, "We waited two hours ."),
        ("It may help in the future .", ErrorKind.DETERMINER, "It may help in future ."),
        ("They speak of education .", ErrorKind.DETERMINER, "They speak of an education ."),
        ("He or she might go there .", ErrorKind.WORD_ORDER, "He or might she go there ."),
    ],
)
def test_correct_and_implausible_words_are_not_inserted(source: str, kind: ErrorKind, no_error: str) -> None:
    assert no_error not in changed(source, kind)


@pytest.fixture(scope="module")
def published(reference_data: Path) -> dict[str, tuple[list[str], list[list[str]]]]:
    """Sources of CoNLL-14 and of GMEG's development sets, each with its outputs and references."""
    conll = reference_data / "conll14" / "outputs"
    sets = {"conll14": (conll / "INPUT", [path for path in conll.iterdir() if path.name != "INPUT"])}
    for name in ("fce", "wiki"):
        folder = reference_data / "gmeg" / "dev" / name
        others = [path for path in folder.iterdir() if path.name not in ("source", "source+error")]
        sets[name] = (folder / "source", others)
    return {
        name: (lines(source), [list(texts) for texts in zip(*map(lines, outputs), strict=True)])
        for name, (source, outputs) in sets.items()
    }


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


@pytest.mark.parametrize(("name", "sentences"), [("conll14", 1312), ("fce", 968), ("wiki", 992)])
def test_every_published_source_gets_a_control_in_seconds(
    published: dict[str, tuple[list[str], list[list[str]]]], name: str, sentences: int
) -> None:
    sources, outputs = published[name]
    began = time.process_time()
    drawn = controls(sources, outputs)
    assert time.process_time() - began < 5
    assert len(drawn) == sentences
    for control, source, others in zip(drawn, sources, outputs, strict=True):
        assert control not in {source.strip(), *(text.strip() for text in others)}
