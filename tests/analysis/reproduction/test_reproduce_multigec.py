"""Human ratings of MultiGEC-2025 against the figures of an independent program."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from analysis.reproduction.cells import Cell, Verdict
from analysis.reproduction.multigec import PAPER
from analysis.reproduction.public_data.multigec_data import MultiGec
from formats import FormatError


@pytest.fixture(scope="module")
def tables(reference_data: Path) -> Mapping[str, Mapping[str, Cell]]:
    return PAPER.reproduce(MultiGec(reference_data), PAPER.tables)


def test_every_figure_agrees(tables: Mapping[str, Mapping[str, Cell]]) -> None:
    assert {name: len(cells) for name, cells in tables.items()} == {"means": 28, "scales": 2, "misspelt": 8}
    assert {cell.verdict for cells in tables.values() for cell in cells.values()} == {Verdict.AGREES}
    assert not any(cell.printed for cells in tables.values() for cell in cells.values())


def test_a_reader_that_leaves_out_misspelt_lines_gets_other_means(
    tables: Mapping[str, Mapping[str, Cell]],
) -> None:
    without = {name: cell.ours for name, cell in tables["misspelt"].items() if name in tables["means"]}
    assert len(without) == 6
    assert (
        sum(
            abs(float(mean or 0) - float(tables["means"][name].ours or 0)) > 1e-3
            for name, mean in without.items()
        )
        >= 5
    )


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="eng_eval: no such file"):
        _ = MultiGec(tmp_path).ratings
