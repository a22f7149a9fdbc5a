"""`reproduce metrics`: official tools' figures compared with Assay's."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from analysis.reproduction.metrics import PAPER, m2_of_gjg15
from analysis.reproduction.public_data.conll14 import Conll14, read_ieval
from formats import FormatError

IEVAL = """<scripts><script id="1"><sentence id="1" numann="2"><text>a b c</text><error-list>
<error id="1" req="no" type="X">
<alt ann="0"><c end="1" start="0">x</c><c end="3" start="3">d</c></alt></error>
</error-list></sentence></script></scripts>"""


def test_the_official_tools_figures_agree_and_gjg15s_differ_a_little(
    reference_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        call_command("reproduce", "metrics", "--data", str(reference_data), "--json")
    tables = json.loads(capsys.readouterr().out)["tables"]
    assert {name: len(cells) for name, cells in tables.items()} == {
        "M2": 39,
        "M2 of GJG15": 39,
        "GLEU": 12,
        "I-measure": 62,
        "BLEU of GJG15": 13,
    }
    for name in ("M2", "GLEU", "I-measure"):
        assert all(cell["ok"] for cell in tables[name].values())
    assert all(cell["ok"] for name, cell in tables["M2 of GJG15"].items() if name.startswith("Combined"))
    assert not any(cell["printed"] for cells in tables.values() for cell in cells.values())
    # No figure of one annotator, and no BLEU, is so far away that something else must be compared.
    gjg15 = [cell for name in ("M2 of GJG15", "BLEU of GJG15") for cell in tables[name].values()]
    assert all(abs(cell["published"] - cell["ours"]) < 0.01 * max(1, cell["published"]) for cell in gjg15)


def test_progress_is_told_of_each_output(reference_data: Path) -> None:
    told: list[int] = []
    m2_of_gjg15(Conll14(reference_data, told.append))
    assert sum(told) == PAPER.steps["M2 of GJG15",]
    assert {table for tables in PAPER.steps for table in tables} == set(PAPER.tables)


def test_references_of_the_i_measure_tool(tmp_path: Path) -> None:
    path = tmp_path / "gold.xml"
    path.write_text(IEVAL)
    assert read_ieval(path).references == (("x b c d", "a b c"),)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("<scripts>", "not a file of the I-measure tool"),
        ("<scripts/>", "the file contains no sentence"),
        (IEVAL.replace('"3" start="3"', '"x" start="3"'), "not a file of the I-measure tool: .*'x'"),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "not a file of the I-measure tool"),
    ],
)
def test_a_fault_in_the_references_names_the_file(tmp_path: Path, text: str, cause: str) -> None:
    path = tmp_path / "gold.xml"
    path.write_text(text)
    with pytest.raises(FormatError, match=rf"gold\.xml: {cause}"):
        read_ieval(path)


def test_a_folder_without_the_data_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no such file"):
        call_command("reproduce", "metrics", "--data", str(tmp_path))
