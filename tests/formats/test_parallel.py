from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats import FormatError, Reference, SentenceRecord, parallel, read_parallel
from tests.formats.conftest import Write

SOURCE = "He go home .\nI am  fine .\n"
GOLD = """\
S He go home .
A 1 2|||SVA|||goes|||REQUIRED|||-NONE-|||0

S I am fine .
"""


def test_one_sentence_a_line(write: Write) -> None:
    corpus = read_parallel(
        write(SOURCE, "source"),
        {
            "B": write("He goes home .\r\n\r\n", "b.txt"),
            "A": write("\ufeffHe go home .\n I am fine ! ", "a.txt"),
        },
        references={"expert": write("He went home .\nI am fine .\n", "expert.txt")},
        m2=[write(GOLD, "gold.m2")],
        documents=write("essay 1\nessay 2\n", "documents"),
        domains=write("learner\nlearner\n", "domains"),
    )
    assert corpus.systems == ("B", "A")
    assert corpus.warnings == ()
    first, second = corpus.sentences
    assert first.outputs == {"B": "He goes home .", "A": "He go home ."}
    assert [(ref.annotator, ref.text) for ref in first.references] == [
        ("expert", "He went home ."),
        ("0", "He goes home ."),
    ]
    assert second == SentenceRecord(
        source="I am  fine .",
        outputs={"B": "", "A": "I am fine !"},
        references=(Reference("expert", "I am fine .", None), Reference("0", "I am  fine .", ())),
        document="essay 2",
        domain="learner",
    )


def test_a_corpus_may_hold_sources_alone(write: Write) -> None:
    corpus = read_parallel(write(SOURCE), {})
    assert corpus.systems == ()
    assert corpus.sentences[0] == SentenceRecord("He go home .", {}, (), "", "")


def test_annotators_of_several_m2_files_are_told_apart_by_the_file(write: Write) -> None:
    source = write(SOURCE, "source")
    gold = [write(GOLD, "A1.m2"), write(GOLD, "A2.m2")]
    [first, _] = read_parallel(source, {}, m2=gold).sentences
    assert [ref.annotator for ref in first.references] == ["A1.0", "A2.0"]


def test_an_m2_annotator_who_clashes_with_a_text_reference_is_told_apart_too(write: Write) -> None:
    source = write(SOURCE, "source")
    [first, _] = read_parallel(source, {}, references={"0": source}, m2=[write(GOLD, "gold.m2")]).sentences
    assert [ref.annotator for ref in first.references] == ["0", "gold.0"]


def test_two_m2_files_of_one_name_are_refused(write: Write, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    gold = [write(GOLD, "gold.m2"), write(GOLD, "other/gold.m2")]
    with pytest.raises(FormatError, match=r"annotator 'gold\.0' is already there from another file"):
        read_parallel(write(SOURCE), {}, m2=gold)


def test_lenient_and_absent_reach_the_m2_reader(write: Write) -> None:
    source, gold = write(SOURCE, "source"), write(GOLD.replace("A 1 2", "A 3 9"), "gold.m2")
    with pytest.raises(FormatError, match="is outside the sentence"):
        read_parallel(source, {}, m2=[gold])
    corpus = read_parallel(source, {}, m2=[gold], lenient=True, absent="absent")
    assert corpus.sentences[1].references == ()
    [warning] = corpus.warnings
    assert warning.startswith(f"{gold}:2: ")


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("one\n", 2, "1 lines, but 2 in the source {source}: line 2 is missing in {path}"),
        ("one\ntwo\nthree\n", 3, "3 lines, but 2 in the source {source}: line 3 is missing in {source}"),
        (f"one\n{'x' * 20_001}\n", 2, "the {what} has 20001 characters, at most 20000 are allowed"),
        ("one\n\x07\n", 2, "control character U+0007"),
        (b"one\n\xff\n", 2, "invalid UTF-8"),
        ("", None, "the file is empty"),
    ],
)
@pytest.mark.parametrize("what", ["output", "reference"])
def test_faults_of_texts(write: Write, what: str, content: str | bytes, line: int | None, words: str) -> None:
    source, path = write(SOURCE, "source"), write(content, "texts")
    with pytest.raises(FormatError) as fault:
        read_parallel(
            source,
            {"A": path} if what == "output" else {},
            references={"A": path} if what == "reference" else {},
        )
    assert (fault.value.path, fault.value.line) == (path, line)
    assert words.format(source=source, path=path, what=what) in fault.value.cause


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (GOLD.split("\n\n")[0], None, "1 sentences, but 2 in the source {source}: sentence 2 is missing"),
        (GOLD + "\nS more\n", 6, "3 sentences, but 2 in the source {source}: sentence 3 is missing"),
        (GOLD.replace("S I am", "S I was"), 4, "the tokens of sentence 2 differ from {source}:2"),
    ],
)
def test_faults_of_m2_against_the_source(write: Write, content: str, line: int | None, words: str) -> None:
    source, path = write(SOURCE, "source"), write(content, "gold.m2")
    with pytest.raises(FormatError) as fault:
        read_parallel(source, {}, m2=[path])
    assert (fault.value.path, fault.value.line) == (path, line)
    assert words.format(source=source, path=path) in fault.value.cause


@pytest.mark.parametrize(
    ("source", "line", "words"),
    [("one\n \nthree\n", 2, "the source sentence is empty"), ("", None, "the file is empty")],
)
def test_faults_of_the_source(write: Write, source: str, line: int | None, words: str) -> None:
    with pytest.raises(FormatError) as fault:
        read_parallel(write(source), {})
    assert fault.value.line == line
    assert words in fault.value.cause


@pytest.mark.parametrize("what", ["documents", "domains"])
@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("one\n", "1 lines, but 2 in the source"),
        ("one\n\n", "is empty"),
        (f"one\n{'x' * 201}", "is longer than 200 characters"),
    ],
)
def test_faults_of_documents_and_domains(write: Write, what: str, content: str, words: str) -> None:
    source, path = write(SOURCE), write(content, what)
    with pytest.raises(FormatError) as fault:
        read_parallel(
            source,
            {},
            documents=path if what == "documents" else None,
            domains=path if what == "domains" else None,
        )
    assert (fault.value.path, fault.value.line) == (path, 2)
    assert words in fault.value.cause


@pytest.mark.parametrize("name", ["", "A B", "A,B", "é", "A/B", "<b>", "A\n", "x" * 201])
def test_bad_system_names_are_refused(write: Write, name: str) -> None:
    source = write(SOURCE)
    with pytest.raises(FormatError, match="bad system name"):
        read_parallel(source, {name: source})


def test_an_empty_annotator_is_refused(write: Write) -> None:
    source = write(SOURCE)
    with pytest.raises(FormatError, match="the annotator is empty"):
        read_parallel(source, {}, references={" ": source})


def test_too_many_systems_or_annotators_are_refused(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write(SOURCE)
    monkeypatch.setattr(parallel, "MAX_SYSTEMS", 1)
    monkeypatch.setattr(parallel, "MAX_ANNOTATORS", 1)
    with pytest.raises(FormatError, match="2 systems, at most 1"):
        read_parallel(source, {"A": source, "B": source})
    with pytest.raises(FormatError, match="more than 1 annotators"):
        read_parallel(source, {}, references={"A": source, "B": source})


LINES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"], exclude_characters="\uffff\ufffe"))


@given(outputs=st.lists(LINES, min_size=1, max_size=5), carriage_return=st.booleans())
def test_any_text_of_one_line_comes_back_stripped(
    scratch_file: Path, outputs: list[str], carriage_return: bool
) -> None:
    """Whatever blanks Unicode has, lines stay lines."""
    source = scratch_file.with_name("source")
    source.write_text("source .\n" * len(outputs), encoding="utf-8")
    ending = "\r\n" if carriage_return else "\n"
    scratch_file.write_bytes("".join(f"{output}{ending}" for output in outputs).encode("utf-8"))
    if outputs[0].startswith("\ufeff"):
        outputs[0] = outputs[0][1:]
    corpus = read_parallel(source, {"A": scratch_file})
    assert [sentence.outputs["A"] for sentence in corpus.sentences] == [output.strip() for output in outputs]
