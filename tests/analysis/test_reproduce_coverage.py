"""`reproduce coverage`: what references do not cover, from the released distributions and anew."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

TABLES = {
    "1": 8,
    "1 solved anew": 8,
    "1 from the answers": 8,
    "accuracy": 12,
    "F0.5": 7,
    "4": 8,
    "SARI": 7,
    "under-correction": 4,
    "6": 24,
}
KNOWN = ("1 from the answers", "4", "6")
SLOW = ("F0.5", "6")
"""Scoring the perfect corrector, and parsing, take most of the time."""


@pytest.mark.slow
@pytest.mark.parametrize("left_out", [pytest.param((), marks=pytest.mark.deep), SLOW])
def test_every_figure_agrees_but_for_known_deviations(
    left_out: tuple[str, ...], reference_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = {name: cells for name, cells in TABLES.items() if name not in left_out}
    call_command("reproduce", "coverage", "--data", str(reference_data), "--json", "--tables", *wanted)
    tables = json.loads(capsys.readouterr().out)["tables"]
    assert {name: len(cells) for name, cells in tables.items()} == wanted
    known = {(name, cell) for name, cells in tables.items() for cell in cells if cells[cell]["ok"] is None}
    assert known == {
        *((name, cell) for name in KNOWN for cell in tables.get(name, ())),
        ("SARI", "MAX-SARI of a lucky system"),
    }
    assert not [cell for cells in tables.values() for cell in cells.values() if cell["ok"] is False]
    of_all_simplifications = [cell["ours"] for cell in tables["4"].values()]
    assert of_all_simplifications == pytest.approx(
        [2535, 128.5, 4.78, 0.176, 1, 0.456, 0.143, 0.030], rel=0.01
    )


def test_missing_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "corrections" / "unseenest").mkdir(parents=True)
    with pytest.raises(CommandError, match=r"unseenest: no file \*_exact_output_hist.txt"):
        call_command("reproduce", "coverage", "--data", str(tmp_path))


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("output", "frequency\t# of variants\n0.1\n", "output_hist.txt:2: expected a frequency and a number"),
        ("input", "3\nx\n", "input_hist.txt:2: expected a number of corrections"),
    ],
)
def test_a_malformed_file_is_named(file: str, text: str, message: str, tmp_path: Path) -> None:
    folder = tmp_path / "corrections" / "unseenest"
    folder.mkdir(parents=True)
    (folder / "Actual_exact_output_hist.txt").write_text("frequency\t# of variants\n0.1\t10\n")
    (folder / "Actual_exact_input_hist.txt").write_text("3\n")
    (folder / f"Actual_exact_{file}_hist.txt").write_text(text)
    for name in ("gec", "simplification"):
        answers = "sentence\tcorrection\nHe walk .\tHe walks .\n"
        (tmp_path / "corrections" / f"{name}.tsv").write_text(answers)
    with pytest.raises(CommandError, match=message):
        call_command("reproduce", "coverage", "--data", str(tmp_path))
