"""PEVData: judgments of single edits, their forms, and judgments of both directions."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from analysis.reproduction.cells import Cell, Verdict
from analysis.reproduction.edits import PAPER
from analysis.reproduction.public_data.edits_data import Edits, Form, Side
from formats import FormatError


@pytest.fixture(scope="module")
def tables(reference_data: Path) -> Mapping[str, Mapping[str, Cell]]:
    return PAPER.reproduce(Edits(reference_data), PAPER.tables)


def test_figures_agree_but_for_edits_with_stray_brackets(tables: Mapping[str, Mapping[str, Cell]]) -> None:
    assert {name: len(cells) for name, cells in tables.items()} == {
        "counts": 3,
        "forms": 11,
        "kinds": 6,
        "agreement": 6,
    }
    known = {
        f"{table}: {name}"
        for table, cells in tables.items()
        for name, cell in cells.items()
        if cell.verdict is not Verdict.AGREES
    }
    assert known == {
        "forms: offsets on both sides, right by blanks",
        "forms: offsets on both sides, right by spaCy",
        "kinds: insertions",
        "kinds: insertions, valid",
        "kinds: replacements",
        "kinds: replacements, valid",
    }


def test_brackets_explain_the_whole_of_each_difference(tables: Mapping[str, Mapping[str, Cell]]) -> None:
    for cell in (cell for cells in tables.values() for cell in cells.values() if cell.cause is not None):
        assert cell.cause is not None
        assert isinstance(cell.ours, int)
        assert isinstance(cell.published, int)
        assert abs(cell.ours - cell.published) == cell.cause.number > 0


def folder_with(folder: Path, content: object) -> Edits:
    (folder / "edits").mkdir()
    text = content if isinstance(content, str) else json.dumps(content)
    (folder / "edits" / "PEVData.json").write_text(text)
    return Edits(folder)


def entry(edit: str, judgment: object = 1) -> dict[str, object]:
    return {"S1-src": "She go home.", "Edit": edit, "S2-hyp": "She goes home.", "Human Judgment": judgment}


@pytest.mark.parametrize(
    ("written", "form", "before", "after"),
    [
        ("[1, 2]: go -> [1, 2]: goes", Form.BOTH, Side("go", (1, 2), False), Side("goes", (1, 2), False)),
        ("[2, 2]:  -> [2, 3]: to", Form.BOTH, Side("", (2, 2), False), Side("to", (2, 3), False)),
        ("[2, 2]:) -> [2, 3]: to", Form.BOTH, Side("", (2, 2), True), Side("to", (2, 3), False)),
        (
            "['R:VERB:SVA', 'U:X'] - [1, 2]: go -> [1, 2]: goes)",
            Form.TYPED,
            Side("go", (1, 2), False),
            Side("goes", (1, 2), True),
        ),
        ("[1, 2]: go -> goes)", Form.SOURCE, Side("go", (1, 2), False), Side("goes)", None, False)),
        ("go -> [1, 2]: goes", Form.HYPOTHESIS, Side("go", None, False), Side("goes", (1, 2), False)),
    ],
)
def test_each_form_of_an_edit_is_read(
    tmp_path: Path, written: str, form: Form, before: Side, after: Side
) -> None:
    [edit] = folder_with(tmp_path, [entry(written)]).judged
    assert (edit.form, edit.before, edit.after) == (form, before, after)


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        ("[\n{", r"PEVData\.json:2: invalid JSON"),
        ("[" * 100_000, r"PEVData\.json: nested too deeply"),
        ([], "the file is not a list of judgments"),
        ([entry("[1, 2]: go -> goes"), 7], "entry 2 is not a JSON object"),
        ([{**entry(""), "S2-hyp": None}], "entry 1: S2-hyp is not a text"),
        ([entry("[1, 2]: go")], "entry 1: the edit has no arrow: '"),
        ([entry("go -> goes")], "entry 1: the edit lacks offsets: 'go -> goes'"),
        ([entry("['R:VERB'] - go -> [1, 2]: goes)")], "entry 1: the edit lacks offsets"),
        ([entry("[1, 2]: go -> goes", 2)], "entry 1: Human Judgment is not 0 or 1"),
        ([entry("[1, 2]: go -> goes", True)], "entry 1: Human Judgment is not 0 or 1"),
    ],
)
def test_a_faulty_file_is_named_with_its_place(tmp_path: Path, content: object, cause: str) -> None:
    with pytest.raises(FormatError, match=cause):
        _ = folder_with(tmp_path, content).judged


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"PEVData\.json: no such file"):
        _ = Edits(tmp_path).judged
