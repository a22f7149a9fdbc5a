from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats import Edit, FormatError, M2File, m2, read_m2
from formats.m2 import Absent
from tests.formats.conftest import Write

TWO_ANNOTATORS = """\
S What is genetical risk of the ?
A 2 3|||Wform|||genetic||genetics'|||REQUIRED|||a comment|||0
A 4 6|||Prep||||||REQUIRED|||-NONE-|||0
A 0 0|||Trans|||So ,|||REQUIRED|||-NONE-|||1
A 4 6|||Prep|||-NONE-|||REQUIRED|||-NONE-|||1

S It is fine .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1
"""


def texts(file: M2File) -> list[dict[str, str]]:
    return [{ref.annotator: ref.text for ref in sentence.references} for sentence in file.sentences]


def one_sentence(*edits: str) -> str:
    """The source "a b c d" with edits given as "start end correction annotator"."""
    lines = [
        f"A {start} {end}|||T|||{correction}|||REQUIRED|||-NONE-|||{annotator}"
        for start, end, correction, annotator in (edit.split(" ") for edit in edits)
    ]
    return "\n".join(["S a b c d", *lines, ""])


NOOP = "A -1 -1|||noop|||-NONE-|||R|||-|||"


def test_edits_become_texts(write: Write) -> None:
    file = read_m2(write(TWO_ANNOTATORS))
    assert file.annotators == ("0", "1")
    assert [sentence.place.line for sentence in file.sentences] == [1, 7]
    assert file.sentences[1].tokens == ("It", "is", "fine", ".")
    assert texts(file) == [
        {"0": "What is genetic risk ?", "1": "So , What is genetical risk ?"},
        {"1": "It is fine ."},
    ]


def test_all_fields_of_an_edit_are_kept(write: Write) -> None:
    [first, _] = read_m2(write(TWO_ANNOTATORS)).sentences
    assert first.references[0].edits == (
        Edit(2, 3, "Wform", ("genetic", "genetics'"), "REQUIRED", "a comment"),
        Edit(4, 6, "Prep", ("",), "REQUIRED", "-NONE-"),
    )


def test_byte_order_mark_and_carriage_returns_change_nothing(write: Write) -> None:
    plain = texts(read_m2(write(TWO_ANNOTATORS)))
    assert texts(read_m2(write("\ufeff" + TWO_ANNOTATORS.replace("\n", "\r\n")))) == plain


@pytest.mark.parametrize(
    ("absent", "second_of_several", "second_of_one"),
    [("auto", ["1"], ["0"]), ("absent", ["1"], []), ("unchanged", ["0", "1"], ["0"])],
)
def test_an_annotator_without_a_line(
    write: Write, absent: Absent, second_of_several: list[str], second_of_one: list[str]
) -> None:
    """Absent in a file of several annotators, content in a file of one, unless the switch says otherwise."""
    several = read_m2(write(TWO_ANNOTATORS), absent=absent)
    one = read_m2(write(one_sentence("0 1 A 0") + "\nS fine .\n"), absent=absent)
    assert list(texts(several)[1]) == second_of_several
    assert list(texts(one)[1]) == second_of_one


@pytest.mark.parametrize(("absent", "annotators"), [("auto", ("0",)), ("unchanged", ("0",)), ("absent", ())])
def test_a_file_without_edits_is_one_content_annotator(
    write: Write, absent: Absent, annotators: tuple[str, ...]
) -> None:
    file = read_m2(write("S fine .\n"), absent=absent)
    assert file.annotators == annotators
    assert texts(file) == [dict.fromkeys(annotators, "fine .")]


@pytest.mark.parametrize(
    ("absent", "said"),
    [
        ("auto", ["1 of 3 sentences have no annotator, so no reference"]),
        ("unchanged", ["annotator '1' has lines at 1 of 3 sentences; the others count as left unchanged"]),
    ],
)
def test_absence_that_was_perhaps_meant_otherwise_is_warned_of(
    write: Write, absent: Absent, said: list[str]
) -> None:
    path = write("\n".join([one_sentence("0 1 A 0", "0 1 A 1"), one_sentence("0 1 A 0"), "S fine .\n"]))
    assert list(read_m2(path, absent=absent).warnings) == [f"{path}: {each}" for each in said]


def test_annotators_are_sorted_as_numbers(write: Write) -> None:
    file = read_m2(write(one_sentence("0 1 x 10", "0 1 x 2", "0 1 x 0")))
    assert file.annotators == ("0", "2", "10")


@pytest.mark.parametrize(
    ("edits", "text"),
    [
        (["1 1 x 0", "1 1 y 0"], "a x y b c d"),
        (["2 3 C 0", "2 2 x 0"], "a b x C d"),
        (["1 2 B 0", "2 2 x 0"], "a B x c d"),
        (["4 4 e 0", "0 0 z 0"], "z a b c d e"),
        (["0 4 -NONE- 0"], ""),
    ],
    ids=[
        "insertions in file order",
        "insertion before its span",
        "after its span",
        "any order",
        "all deleted",
    ],
)
def test_edits_that_touch_do_not_overlap(write: Write, edits: list[str], text: str) -> None:
    assert texts(read_m2(write(one_sentence(*edits)))) == [{"0": text}]


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("\n\n", None, "no sentence"),
        ("S \n", 1, "the source sentence is empty"),
        ("A 0 1|||T|||x|||R|||-|||0\n", 1, "an A line before the S line"),
        ("S a\n\nA 0 1|||T|||x|||R|||-|||0\n", 3, "an A line before the S line"),
        ("S a\nS b\n", 2, "a second S line without a blank line"),
        ("S a\nB 0 1\n", 2, "neither an S line nor an A line nor blank: 'B 0 1'"),
        ("Some text\n", 1, "neither an S line"),
        (" S a\n", 1, "neither an S line"),
        ("S a\nA 0 1|||T|||x|||R|||0\n", 2, "6 fields separated by '|||', this one has 5"),
        ("S a\nA 0 1|||T|||x|||R|||-|||0|||0\n", 2, "this one has 7"),
        ("S a\nA 0 1|||T|||x|||||R|||-|||0\n", 2, "'||' outside the corrections"),
        ("S a\nA 0 1|||T|||x|||R|||-||| \n", 2, "the annotator is empty"),
        ("S a\nA 0 one|||T|||x|||R|||-|||0\n", 2, "a bound of the span is not a whole number"),
        ("S a\nA 0 1_0|||T|||x|||R|||-|||0\n", 2, "a bound of the span is not a whole number"),
        (f"S a\nA 0 {'9' * 5000}|||T|||x|||R|||-|||0\n", 2, "a bound of the span is not a whole number"),
        ("S a\nA 0|||T|||x|||R|||-|||0\n", 2, "a span is two numbers, not '0'"),
        ("S a b\nA 2 1|||T|||x|||R|||-|||0\n", 2, "the span 2 1 is backwards"),
        ("S a b\nA 0 1|||noop|||-NONE-|||R|||-|||0\n", 2, "the span of noop is -1 -1, not 0 1"),
        ("S a b\nA -1 -1|||T|||x|||R|||-|||0\n", 2, "the span -1 -1 is outside the sentence of 2 tokens"),
        ("S a b\nA 1 3|||T|||x|||R|||-|||0\n", 2, "the span 1 3 is outside the sentence of 2 tokens"),
        (one_sentence("0 2 x 0", "1 3 y 0"), 3, "edit 1 3 overlaps with edit 0 2 of the same annotator '0'"),
        (one_sentence("1 3 x 0", "0 1 z 0", "2 2 y 0"), 4, "edit 2 2 overlaps with edit 1 3"),
        (one_sentence("2 3 x 0", "2 3 x 0"), 3, "edit 2 3 overlaps with edit 2 3"),
        (
            f"{one_sentence('0 1 x 0')}{NOOP}0\n",
            3,
            "noop (left unchanged) and an edit by the same annotator '0'",
        ),
        (f"S a b\n{NOOP}0\nA 0 1|||T|||x|||R|||-|||0\n", 3, "noop (left unchanged) and an edit by the same"),
        (f"S a b\n{NOOP}1000000000\n", 2, "annotator '1000000000': the largest number is 999,999,999"),
        (f"S a b\n{NOOP}{'9' * 5000}\n", 2, "the annotator '9999"),
        (f"S {'a' * 20_001}\n", 1, "has 20001 characters"),
        (one_sentence(*[f"0 0 {'x' * 11000} 0"] * 2), 1, "the corrected sentence has 22009 characters"),
        (f"S a\nA 0 1|||{'T' * 201}|||x|||R|||-|||0\n", 2, "the error type"),
    ],
)
def test_faults_are_named_by_line(write: Write, content: str, line: int | None, words: str) -> None:
    with pytest.raises(FormatError) as fault:
        read_m2(write(content))
    assert fault.value.line == line
    assert words in fault.value.cause


def test_edits_of_different_annotators_may_overlap(write: Write) -> None:
    assert texts(read_m2(write(one_sentence("0 2 x 0", "1 3 y 1")))) == [{"0": "x c d", "1": "a y d"}]


@pytest.mark.parametrize(
    ("edits", "text", "warning"),
    [
        (["2 9 x 0"], "a b x", "2: the span 2 9 is outside the sentence of 4 tokens; clipped to 2 4"),
        (["6 9 x 0"], "a b c d x", "2: the span 6 9 is outside the sentence of 4 tokens; clipped to 4 4"),
        (["-2 1 x 0"], "x b c d", "2: the span -2 1 is outside the sentence of 4 tokens; clipped to 0 1"),
        (
            ["0 2 x 0", "1 3 y 0"],
            "x c d",
            "3: edit 1 3 overlaps with edit 0 2 of the same annotator '0'; dropped",
        ),
    ],
)
def test_lenient_reading_repairs_and_warns(write: Write, edits: list[str], text: str, warning: str) -> None:
    path = write(one_sentence(*edits))
    file = read_m2(path, lenient=True)
    assert texts(file) == [{"0": text}]
    assert file.warnings == (f"{path}:{warning}",)


@pytest.mark.parametrize("first", ["noop", "edit"])
def test_lenient_reading_drops_noop_beside_edits(write: Write, first: str) -> None:
    lines = [f"{NOOP}0\n", "A 0 1|||T|||x|||R|||-|||0\n", f"{NOOP}1\n"]
    path = write("S a b\n" + "".join(lines if first == "noop" else [lines[1], lines[0], lines[2]]))
    file = read_m2(path, lenient=True)
    assert texts(file) == [{"0": "x b", "1": "a b"}]
    [warning] = file.warnings
    assert warning.startswith(f"{path}:3: noop (left unchanged) and an edit")
    assert warning.endswith("; noop dropped")


def test_the_largest_annotator_is_read(write: Write) -> None:
    path = write(f"S a b\n{NOOP}999999999\n{NOOP}0\n{NOOP}anna\n")
    assert read_m2(path).annotators == ("0", "anna", "999999999")


def test_lenient_reading_refuses_faults_beyond_repair(write: Write) -> None:
    with pytest.raises(FormatError, match="is backwards"):
        read_m2(write(one_sentence("2 1 x 0")), lenient=True)


def test_too_many_annotators_are_refused(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(m2, "MAX_ANNOTATORS", 2)
    with pytest.raises(FormatError, match="3 annotators, at most 2"):
        read_m2(write(one_sentence("0 1 x 0", "0 1 x 1", "0 1 x 2")))


WORDS = st.text("abcdé,.", min_size=1, max_size=4)


@given(source=st.lists(WORDS, min_size=1, max_size=8), data=st.data())
def test_edits_agree_with_the_file(scratch_file: Path, source: list[str], data: st.DataObject) -> None:
    """Walk over the source, keeping or replacing stretches; the reader must find the same text and edits."""
    cuts = sorted(data.draw(st.sets(st.integers(0, len(source)), max_size=6)) | {0, len(source)})
    target: list[str] = []
    edits: list[tuple[int, int, str]] = []
    for start, end in pairwise(cuts):
        if data.draw(st.booleans()):
            correction = data.draw(st.lists(WORDS, max_size=3))
            target += correction
            edits.append((start, end, " ".join(correction)))
        else:
            target += source[start:end]
    lines = [f"A {start} {end}|||T|||{text}|||REQUIRED|||-NONE-|||0" for start, end, text in edits]
    shuffled = data.draw(st.permutations(lines))
    scratch_file.write_text("\n".join([f"S {' '.join(source)}", *shuffled]), encoding="utf-8")

    [sentence] = read_m2(scratch_file).sentences
    [reference] = sentence.references
    assert reference.text == " ".join(target)
    assert reference.edits is not None
    assert [(edit.start, edit.end, edit.corrections[0]) for edit in reference.edits] == edits
