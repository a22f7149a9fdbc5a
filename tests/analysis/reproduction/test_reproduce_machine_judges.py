"""`reproduce machine-judges`: figures of independent programs beside Assay's."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from analysis.reproduction.public_data.machine_judges_data import MachineJudges
from formats import FormatError


def test_all_figures_agree(reference_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("reproduce", "machine-judges", "--data", str(reference_data), "--json")
    tables = json.loads(capsys.readouterr().out)["tables"]
    assert {name: len(cells) for name, cells in tables.items()} == {
        "alternative annotator test": 36,
        "people": 48,
        "over epsilon": 35,
        "baselines": 32,
        "means": 61,
        "rates and strengths": 36,
        "rank sets": 386,
    }
    assert all(cell["ok"] for cells in tables.values() for cell in cells.values())


def test_files_that_are_not_there_or_no_json_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"human_annotations\.json: No such file"):
        call_command("reproduce", "machine-judges", "--data", str(tmp_path), "--tables", "people")
    data = MachineJudges(tmp_path)
    with pytest.raises(FormatError, match=r"comparisons\.csv\.gz: no such file"):
        _ = data.comparisons
    with pytest.raises(FormatError, match=r"expected\.json: no such file"):
        _ = data.rank_sets
    (tmp_path / "machine-judges" / "ppi").mkdir(parents=True)
    (tmp_path / "machine-judges" / "ppi" / "oracles.json").write_text("{")
    with pytest.raises(FormatError, match=r"oracles\.json: invalid JSON"):
        _ = data.examples
