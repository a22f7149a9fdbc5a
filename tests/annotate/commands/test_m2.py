"""`manage.py m2`: applying and counting the edits of an M2 file, without a database."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from errant.commands import compare_m2

TWO_ANNOTATORS = """\
S a b c d
A 0 1|||Wci|||x|||REQUIRED|||-NONE-|||0
A 2 3|||Mec||||||REQUIRED|||-NONE-|||0
A 4 4|||Mec|||.|||REQUIRED|||-NONE-|||1

S e f
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

S g
A 0 1|||Wci|||h|||REQUIRED|||-NONE-|||1
"""


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.m2"
    path.write_text(TWO_ANNOTATORS, encoding="utf-8")
    return path


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    call_command("m2", *arguments)
    return capsys.readouterr().out


def refusal(*arguments: str) -> str:
    with pytest.raises(CommandError) as refused:
        call_command("m2", *arguments)
    return str(refused.value)


@pytest.mark.parametrize(("annotator", "text"), [("0", "x b d\ne f\ng\n"), ("1", "a b c d .\ne f\nh\n")])
def test_apply_prints_one_line_a_sentence(
    gold: Path, capsys: pytest.CaptureFixture[str], annotator: str, text: str
) -> None:
    """Unchanged where the annotator left it so, and where the annotator is absent."""
    assert printed(capsys, "apply", str(gold), "--annotator", annotator) == text


def test_the_annotator_of_a_file_of_one_need_not_be_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "one.m2"
    path.write_text("S a b\nA 0 1|||T|||x|||REQUIRED|||-NONE-|||7\n", encoding="utf-8")
    assert printed(capsys, "apply", str(path)) == "x b\n"


def test_apply_says_which_annotators_there_are(gold: Path) -> None:
    assert refusal("apply", str(gold)) == "Choose an annotator with --annotator: 0, 1."
    assert refusal("apply", str(gold), "--annotator", "2") == (
        f"{gold}: no annotator '2'; the annotators of this file: 0, 1"
    )


def test_a_malformed_line_is_named(gold: Path) -> None:
    lines = TWO_ANNOTATORS.splitlines()
    lines[2] = "A 2 9|||Mec||||||REQUIRED|||-NONE-|||0"
    gold.write_text("\n".join(lines), encoding="utf-8")
    for action in ("apply", "counts"):
        assert refusal(action, str(gold)) == f"{gold}:3: the span 2 9 is outside the sentence of 4 tokens"


def test_a_lenient_reading_warns(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold.write_text("S a b\nA 1 9|||T|||x|||REQUIRED|||-NONE-|||0\n", encoding="utf-8")
    call_command("m2", "apply", str(gold), "--lenient")
    output = capsys.readouterr()
    assert output.out == "a x\n"
    assert f"{gold}:2: the span 1 9 is outside the sentence of 2 tokens; clipped to 1 2" in output.err


def test_counts_by_annotator_and_type(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counts: dict[str, Any] = json.loads(printed(capsys, "counts", str(gold), "--json"))
    assert (counts["sentences"], counts["tokens"]) == (3, 7)
    assert (counts["fewest"], counts["most"]) == (1 + 0 + 1, 2 + 0 + 1)
    assert counts["annotators"] == [
        {
            "annotator": "0",
            "sentences": 2,
            "changed": 1,
            "insertions": 0,
            "deletions": 1,
            "replacements": 1,
            "kinds": {"Wci": 1, "Mec": 1},
        },
        {
            "annotator": "1",
            "sentences": 2,
            "changed": 2,
            "insertions": 1,
            "deletions": 0,
            "replacements": 1,
            "kinds": {"Mec": 1, "Wci": 1},
        },
    ]


def test_counts_as_tables(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "counts", str(gold))
    assert "3 sentences, 7 tokens, 2 annotators" in text
    assert "Choosing one annotator for each sentence gives between 2 and 3 edits." in text
    assert [word for word in text.split() if word in ("Mec", "Wci")] == ["Mec", "Wci"]


def test_many_annotators_fit_on_a_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Types are shown by their extremes where a column for each annotator would not fit."""
    path = tmp_path / "many.m2"
    edits = [f"A 0 1|||T|||x|||REQUIRED|||-NONE-|||{name}" for name in range(9)]
    path.write_text("\n".join(["S a", *edits, "A 1 1|||T|||y|||REQUIRED|||-NONE-|||8"]), encoding="utf-8")
    text = printed(capsys, "counts", str(path))
    assert "Fewest" in text
    assert "…" not in text
    assert text.splitlines()[-2].split() == ["│", "T", "│", "1", "│", "2", "│", "10", "│"]


def test_official_counts(reference_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """2,391 and 3,207 edits; the smaller of both annotators sums up to 1,994, the larger to 3,714."""
    path = reference_data / "conll14" / "official-2014.combined.m2"
    counts = json.loads(printed(capsys, "counts", str(path), "--json"))
    assert (counts["sentences"], counts["tokens"]) == (1312, 30144)
    assert (counts["fewest"], counts["most"]) == (1994, 3714)
    edits = [row["insertions"] + row["deletions"] + row["replacements"] for row in counts["annotators"]]
    assert edits == [2391, 3207]


def test_official_edits_applied_give_the_official_text(
    reference_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = reference_data / "conll14"
    text = printed(capsys, "apply", str(folder / "official-2014.combined.m2"), "--annotator", "0")
    assert text == (folder / "references" / "NUCLEA.txt").read_text(encoding="utf-8")


SOURCE = "She go to the houses .\nIt is fine .\n"
FIRST = "She goes to the house .\nIt is fine .\n"
SECOND = "She go to house .\nIt was fine .\n"
MADE = """\
S She go to the houses .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0
A 4 5|||R:NOUN:NUM|||house|||REQUIRED|||-NONE-|||0
A 3 4|||U:DET||||||REQUIRED|||-NONE-|||1
A 4 5|||R:NOUN:NUM|||house|||REQUIRED|||-NONE-|||1

S It is fine .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0
A 1 2|||R:VERB:TENSE|||was|||REQUIRED|||-NONE-|||1

"""


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    for name, text in (("source", SOURCE), ("first", FIRST), ("second", SECOND)):
        (tmp_path / name).write_text(text)
    return tmp_path


def make(folder: Path, *arguments: str) -> tuple[str, ...]:
    corrected = (str(folder / "first"), str(folder / "second"))
    return ("make", "--source", str(folder / "source"), "--corrected", *corrected, *arguments)


def test_make_extracts_the_edits_of_several_annotators(
    texts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert printed(capsys, *make(texts)) == MADE


def test_make_writes_a_file_that_errant_and_we_can_read(
    texts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = texts / "made.m2"
    assert printed(capsys, *make(texts, "--out", str(path))) == ""
    assert printed(capsys, "apply", str(path), "--annotator", "0") == FIRST
    assert printed(capsys, "apply", str(path), "--annotator", "1") == SECOND
    blocks = path.read_text().strip().split("\n\n")
    edits = [compare_m2.simplify_edits(block) for block in blocks]
    assert edits[0][0] == [1, 2, "R:VERB:SVA", "goes", 0]


def test_retype_round_trips_with_the_format_of_errant(
    texts: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Types that were lost are found again, with the spans and without them."""
    path = texts / "made.m2"
    call_command("m2", *make(texts, "--out", str(path)))
    made = path.read_text()
    path.write_text(re.sub(r"\|\|\|[MRU]:[A-Z:]+\|\|\|", "|||X|||", made))
    assert printed(capsys, "retype", str(path)) == made
    assert printed(capsys, "retype", str(path), "--extract") == made


def test_retype_leaves_out_equal_words_and_keeps_marks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "gold.m2"
    path.write_text(
        "S She go to the houses .\n"
        "A 0 3|||SVA|||She goes to|||REQUIRED|||-NONE-|||0\n"
        "A 4 5|||Um||||||REQUIRED|||-NONE-|||0\n\n"
    )
    expected = (
        "S She go to the houses .\n"
        "A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0\n"
        "A 4 5|||UNK||||||REQUIRED|||-NONE-|||0\n\n"
    )
    assert printed(capsys, "retype", str(path)) == expected
    assert printed(capsys, "retype", str(path), "--extract") == expected


def test_files_of_different_lengths_are_refused(texts: Path) -> None:
    (texts / "second").write_text("She go .\n")
    assert "1 lines, but 2 in the source" in refusal(*make(texts))


def test_a_pipeline_that_is_not_there_is_refused(texts: Path) -> None:
    assert refusal(*make(texts, "--pipeline", "en_no_such")).startswith("there is no English pipeline")
