"""MultiGEC's Markdown: essays by id, and a folder of them as a corpus."""

from pathlib import Path

import pytest

from formats import FormatError
from formats.multigec import (
    UnwritableEssayError,
    essay_file,
    essay_files,
    essays_text,
    read_essays,
    read_multigec,
    read_styles,
)
from formats.text.line_ends import in_lines, in_one_line
from tests.formats.conftest import Write

ESSAYS = "### essay_id = a1\nJag är .\n\n  Hon går .\n\n\n### essay_id = 2 b\n\nHej !\n\n"
"""Blank lines are part of an essay, and so are blanks that begin a line."""


def test_essays_are_split_at_ids_and_keep_their_blank_lines(write: Write) -> None:
    essays = read_essays(write(ESSAYS))
    assert {name: text for name, (_, text) in essays.items()} == {
        "a1": "Jag är .\n\n  Hon går .",
        "2 b": "Hej !",
    }
    assert [place.line for place, _ in essays.values()] == [1, 7]


@pytest.mark.parametrize(
    "text", ["a", "a\nb", "a\n\nb \n c", "a\n \n\nb\tc", "a \n\n\n  b", "a\n  \n \n\nb", ""]
)
def test_line_ends_survive_as_one_line_and_as_a_file(write: Write, text: str) -> None:
    assert "\n" not in in_one_line(text)
    assert in_lines(in_one_line(text)) == text
    written = "".join(essays_text([("1", text), ("2", "Slut ."), ("3", text)]))
    read = {name: found for name, (_, found) in read_essays(write(written)).items()}
    assert read == {"1": text, "2": "Slut .", "3": text}


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("Hej !\n", "no line begins with '### essay_id = '"),
        ("\nHej\n### essay_id = 1\nHej !\n", ":2: text before the first"),
        ("### essay_id = 1\nHej ### essay_id = 2\n", ":2: '### essay_id = ' within a line"),
        ("### essay_id = 1\nHej\n\n### essay_id = 1\nHej", ":4: essay '1' twice, first in line 1"),
        ("### essay_id = \nHej\n", ":1: the id is empty"),
        ("### essay_id = 1\nHej\nHej ¶\n", ":3: the character ¶"),
        ("", "the file is empty"),
    ],
)
def test_faults_name_line_and_cause(write: Write, text: str, cause: str) -> None:
    with pytest.raises(FormatError, match=cause):
        read_essays(write(text))


@pytest.mark.parametrize(
    ("essays", "cause"),
    [
        ([("", "a")], "'' cannot be the id"),
        ([("1", "a"), ("1", "b")], "Two essays have the id '1'"),
        ([("1", "a ### essay_id = 2")], "contains '### essay_id = '"),
        ([("1", "a\n")], "begins or ends with a line end"),
    ],
)
def test_what_readers_would_read_otherwise_is_not_written(essays: list[tuple[str, str]], cause: str) -> None:
    with pytest.raises(UnwritableEssayError, match=cause):
        list(essays_text(essays))


def test_names_say_language_subcorpus_texts_and_split() -> None:
    file = essay_file(Path("et-eki-l2-ref12-test.md"))
    assert (file.language, file.corpus, file.texts, file.split) == ("et", "eki-l2", "ref12", "test")
    for name in ("et-eki-ref-test.md", "et-eki-orig-dev.txt", "orig-dev.md", "et-eki-hypo1-final.md"):
        with pytest.raises(FormatError, match=r"langcode-corpus-orig\|refN\|hypoN"):
            essay_file(Path(name))


@pytest.fixture
def folder(write: Write) -> Path:
    """Two essays, of which one set of references and one system have both."""
    write(ESSAYS, "sv-swell-orig-dev.md")
    write(ESSAYS.replace("går", "gick"), "sv-swell-ref1-dev.md")
    write("### essay_id = 2 b\nHejsan !\n", "sv-swell-ref2-dev.md")
    write("### essay_id = a1\nJag är .\nHon går .\n", "sv-swell-hypo1-dev.md")
    return write(ESSAYS, "sv-swell-hypo2-dev.md").parent


def test_a_folder_is_a_corpus_of_essays_with_incomplete_sets(folder: Path, write: Write) -> None:
    write(
        "reference_essays_1:\n  correction_style: minimal\nreference_essays_2: {correction_style: fluency}\n"
        "reference_essays_9: {correction_style: fluency}\nlinks: []\n",
        "metadata.yaml",
    )
    late = write("### essay_id = 2 b\n\n", "late.md")
    record = read_multigec(essay_files([folder]), {"LATE": late})
    first, second = record.sentences
    assert (first.source, first.document) == ("Jag är . ¶ ¶   Hon går .", "a1")
    assert first.outputs == {"hypo1": "Jag är . ¶ Hon går .", "hypo2": first.source}
    assert [(each.annotator, each.text) for each in second.references] == [
        ("ref1", "Hej !"),
        ("ref2", "Hejsan !"),
    ]
    assert second.outputs == {"LATE": "", "hypo2": "Hej !"}
    assert record.styles == {"ref1": "minimal", "ref2": "fluency"}
    assert record.warnings == (
        "late.md: 1 of 2 essays are missing.",
        "sv-swell-hypo1-dev.md: 1 of 2 essays are missing.",
    )


def test_files_that_do_not_belong_together_are_refused(folder: Path, write: Write) -> None:
    files = essay_files([folder])
    with pytest.raises(FormatError, match="no originals"):
        read_multigec(files[:1])
    other = write(ESSAYS, "sv-swell-orig-test.md")
    with pytest.raises(FormatError, match="several files of originals"):
        read_multigec([*files, other])
    with pytest.raises(FormatError, match=r"sv-swell-hypo1-test\.md: not of the same essays"):
        read_multigec([*files, other.with_name("sv-swell-hypo1-test.md")])
    with pytest.raises(FormatError, match="system hypo1 twice"):
        read_multigec(files, {"hypo1": folder / "sv-swell-hypo1-dev.md"})
    write("### essay_id = 3\nHej\n", "sv-swell-ref2-dev.md")
    with pytest.raises(FormatError, match=r"ref2-dev\.md:1: sv-swell-orig-dev\.md has no essay '3'"):
        read_multigec(files)
    (folder / "empty").mkdir()
    with pytest.raises(FormatError, match="no file is named langcode"):
        essay_files([folder / "empty"])


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("- a\n", "not a mapping of names to values"),
        ("a: [\n", r"metadata\.yaml:2: no YAML: "),
        ("reference_essays_1: {correction_style: free}", "has no correction_style of minimal or fluency"),
        ("reference_essays_1: minimal", "reference_essays_1 has no correction_style"),
        ("a: !!python/object/apply:os.getcwd []", "no YAML: could not determine a constructor"),
        ("a" * 100_001, "longer than 100,000 characters"),
    ],
)
def test_faults_of_a_description_are_named(write: Write, text: str, cause: str) -> None:
    with pytest.raises(FormatError, match=cause):
        read_styles(write(text, "metadata.yaml"))
