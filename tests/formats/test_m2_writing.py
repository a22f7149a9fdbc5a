"""Writing M2: reading it back gives the same, and content that M2 cannot hold is refused."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats import Edit, FormatError, M2Sentence, Reference, m2_text, read_m2
from formats.text.checks import Place
from tests.formats.conftest import Write

WORDS = st.text("abÉ|-,.\u2028", min_size=1, max_size=4).map("".join).filter(lambda word: not word.isspace())
FIELDS = st.text("abc É-:", max_size=6).map(str.strip)


def sentence(*references: Reference, tokens: tuple[str, ...] = ("a", "b", "c")) -> M2Sentence:
    return M2Sentence(Place(Path("nowhere"), 1), tokens, references)


def edit(start: int, end: int, *corrections: str) -> Edit:
    return Edit(start, end, "T", corrections, "REQUIRED", "-NONE-")


def written(*sentences: M2Sentence) -> str:
    return "".join(m2_text(sentences))


def test_the_lines_are_those_of_the_published_files() -> None:
    text = written(
        sentence(
            Reference("0", "x b", (edit(0, 1, "x", "y"), edit(2, 3, ""))),
            Reference("1", "a b c", ()),
        )
    )
    assert text == (
        "S a b c\n"
        "A 0 1|||T|||x||y|||REQUIRED|||-NONE-|||0\n"
        "A 2 3|||T||||||REQUIRED|||-NONE-|||0\n"
        "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1\n\n"
    )


def test_a_deletion_among_alternatives_is_spelled_out(write: Write) -> None:
    before = sentence(Reference("0", "a x c", (edit(1, 2, "x", ""),)))
    assert "|||x||-NONE-|||" in written(before)
    [after] = read_m2(write(written(before))).sentences
    assert after.references == before.references


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (sentence(tokens=()), "no tokens"),
        (sentence(tokens=("a b",)), "contains white space"),
        (sentence(tokens=("a", "")), "a token is empty"),
        (sentence(Reference("0", "a", None)), "the edits of annotator '0' are not known"),
        (sentence(Reference("0", "a", (edit(0, 1, "x||y"),))), "contain '||'"),
        (sentence(Reference("0", "a", (edit(0, 1, "-NONE-"),))), "'-NONE-'"),
        (sentence(Reference("0", "a", (edit(0, 1, "x", " y"),))), "surrounding white space"),
        (sentence(Reference("0", "a", (edit(0, 1, "x|"),))), "contains '||'"),
        (sentence(Reference("0", "a", (edit(0, 1, "x\ny"),))), "a line end"),
        (sentence(Reference("0|||1", "a", (edit(0, 1, "x"),))), "contains '||'"),
        (sentence(Reference("0", "a", (replace(edit(0, 1, "x"), comment="a||b"),))), "contains '||'"),
        (sentence(Reference("0", "a", (replace(edit(0, 1, "x"), kind="noop"),))), "'noop'"),
    ],
)
def test_edits_that_m2_cannot_hold_are_refused_by_sentence(wrong: M2Sentence, words: str) -> None:
    with pytest.raises(ValueError, match="sentence 2") as refused:
        written(sentence(), wrong)
    assert words in str(refused.value)


@st.composite
def references(draw: st.DrawFn, name: str, tokens: tuple[str, ...]) -> Reference:
    """An annotator's edits of stretches that do not overlap, with their text."""
    cuts = sorted(draw(st.sets(st.integers(0, len(tokens)), max_size=5)) | {0, len(tokens)})
    edits, words = [], []
    for start, end in pairwise(cuts):
        if draw(st.booleans()):
            corrections = draw(st.lists(st.lists(WORDS, max_size=2).map(" ".join), min_size=1, max_size=3))
            edits.append(Edit(start, end, draw(FIELDS), tuple(corrections), draw(FIELDS), draw(FIELDS)))
            words += corrections[0].split()
        else:
            words += tokens[start:end]
    return Reference(name, " ".join(words), tuple(edits))


@given(data=st.data(), tokens=st.lists(WORDS, min_size=1, max_size=6).map(" ".join).map(str.split))
def test_written_files_are_read_back_unchanged(
    scratch_file: Path, data: st.DataObject, tokens: list[str]
) -> None:
    """Or the writer refuses: it never writes what would be read as something else."""
    names = data.draw(st.lists(st.sampled_from(["0", "1", "10"]), unique=True, max_size=3).map(sorted))
    before = sentence(*(data.draw(references(name, tuple(tokens))) for name in names), tokens=tuple(tokens))
    try:
        scratch_file.write_text(written(before), encoding="utf-8")
    except ValueError:
        return
    try:
        [after] = read_m2(scratch_file, absent="absent").sentences
    except FormatError as error:
        pytest.fail(f"the reader refuses what the writer wrote: {error}")
    assert (after.tokens, after.references) == (before.tokens, before.references)
