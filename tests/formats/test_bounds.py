"""Files that would fill the memory, or hold what only looks like a number or a text, are refused."""

import json

import pytest

from formats import FormatError, answer_tables, read_jsonl, read_m2, read_parallel
from formats.collected_answers import read_answers_as_corpus
from formats.crowd_answers import read_crowd_answers
from formats.metric_scores import read_metric_scores
from formats.nbest import read_nbest
from formats.records import MAX_ANNOTATORS, MAX_SYSTEMS
from formats.text import checks
from tests.formats.conftest import Write

UNCHANGED = "S a\nA -1 -1|||noop|||-NONE-|||R|||-|||{}\n\n"


@pytest.fixture
def four_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit of outputs and references of a corpus."""
    monkeypatch.setattr(checks, "MAX_TEXTS", 4)


@pytest.mark.usefixtures("four_texts")
def test_a_corpus_of_too_many_texts_is_refused_before_it_is_made(write: Write) -> None:
    source, output = write("a\nb\n", "source"), write("c\nd\n", "output")
    read_parallel(source, {"A": output, "B": output})
    with pytest.raises(FormatError, match="source: more than 4 outputs and references"):
        read_parallel(source, {"A": output, "B": output}, references={"R": output})
    line = json.dumps({"source": "a", "outputs": {"A": "b"}, "references": ["c", "d"]})
    read_jsonl(write(line))
    with pytest.raises(FormatError, match=":2: more than 4 outputs and references"):
        read_jsonl(write(f"{line}\n{line}\n{line}"))
    both = UNCHANGED.format(0) + UNCHANGED.format(1)
    read_m2(write(both), absent="unchanged")
    with pytest.raises(FormatError, match="more than 4 outputs and references"):
        read_m2(write(both + "S a\n"), absent="unchanged")


def test_a_table_of_too_many_cells_is_refused(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_tables, "MAX_CELLS", 4)
    read_answers_as_corpus(write("sentence,correction\na,b\nc,d\n"))
    with pytest.raises(FormatError, match=":4: more than 4 cells"):
        read_answers_as_corpus(write("sentence,correction\na,b\nc,d\ne,f\n"))


def test_too_many_answers_to_one_sentence_are_refused(write: Write) -> None:
    rows = "".join(f"a,b{number}\n" for number in range(MAX_ANNOTATORS + 1))
    with pytest.raises(FormatError, match="501 answers to 'a', at most 500 are allowed"):
        read_answers_as_corpus(write(f"sentence,correction\n{rows}"))
    judged = "".join(f"a,b{number},w,yes\n" for number in range(MAX_SYSTEMS + 1))
    with pytest.raises(FormatError, match="501 corrections of one sentence, at most 500 are allowed"):
        read_crowd_answers(write(f"sentence,correction,worker,valid\n{judged}"))


@pytest.mark.parametrize(
    ("row", "cause"),
    [
        ("a\0b,c", "the source sentence contains the control character U+0000"),
        ("a,c\x01", "the answer contains the control character U+0001"),
        ("a,\uffff", "the answer contains the noncharacter U+FFFF"),
        ("a," + "c" * 20_001, "the answer has 20001 characters"),
        ("a" * 20_001 + ",c", "the source sentence has 20001 characters"),
    ],
)
def test_collected_answers_are_texts(write: Write, row: str, cause: str) -> None:
    with pytest.raises(FormatError) as fault:
        read_answers_as_corpus(write(f"sentence,correction\n{row}\n"))
    assert fault.value.line == 2
    assert cause in fault.value.cause


@pytest.mark.parametrize("number", ["1_000", "١٢", "１", "0x10", "1e400", "nan", "-inf", "1,5", "+", "."])
def test_only_plain_finite_numbers_are_scores(write: Write, number: str) -> None:
    with pytest.raises(FormatError, match="the score is not a finite number"):
        read_metric_scores(write(f'metric,system,score\nm,A,"{number}"\n'))
    with pytest.raises(FormatError, match="the score is not a finite number"):
        read_nbest(write(f"0 ||| a ||| {number}\n"), 1)


@pytest.mark.parametrize("number", ["1", "-.5", "+2.", "1e-3", "-0", "1E+5", "1e-400"])
def test_other_numbers_are(write: Write, number: str) -> None:
    scores = read_metric_scores(write(f"metric,system,score\nm,A,{number}\n"))
    assert scores["m"].systems["A"] == float(number)
