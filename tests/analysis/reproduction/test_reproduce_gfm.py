"""TMU-GFM: ratings on three scales, with zeros that are no points."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from analysis.reproduction.cells import Cell, Verdict
from analysis.reproduction.gfm import PAPER
from analysis.reproduction.public_data.gfm_data import Gfm
from formats import FormatError

HEADER = "source,output,grammer,fluency,meaning,system,ave_g,ave_f,ave_m"


@pytest.fixture(scope="module")
def tables(reference_data: Path) -> Mapping[str, Mapping[str, Cell]]:
    return PAPER.reproduce(Gfm(reference_data), PAPER.tables)


def test_every_figure_agrees(tables: Mapping[str, Mapping[str, Cell]]) -> None:
    compared = {
        name: [cell for cell in cells.values() if cell.published is not None]
        for name, cells in tables.items()
    }
    assert {name: len(cells) for name, cells in compared.items()} == {
        "averages": 7,
        "systems": 21,
        "agreement": 14,
        "scales": 5,
    }
    assert {cell.verdict for cells in compared.values() for cell in cells} == {Verdict.AGREES}
    assert not any(cell.printed for cells in compared.values() for cell in cells)


def test_zeros_that_are_counted_lower_means_and_make_scales_alike(
    tables: Mapping[str, Mapping[str, Cell]],
) -> None:
    def figure(table: str, name: str) -> float:
        return float(tables[table][name].ours or 0)

    assert figure("systems", "M all") - figure("systems", "M all with zeros") > 0.01
    assert figure("systems", "F all") == figure("systems", "F all with zeros"), "fluency has none"
    assert figure("scales", "G-M with zeros") - figure("scales", "G-M") > 0.03


@pytest.mark.parametrize(
    ("rows", "cause"),
    [
        ("", "the file has no rows"),
        (
            'a,b,"1,2,3,4","1,1,1,1,1","1,1,1,1,1",cnn,2.5,1,1',
            "2: grammer is not 5 ratings from 0 to 4: '1",
        ),
        ('a,b,"1,2,3,4,5","1,1,1,1,1","1,1,1,1,1",cnn,2.5,1,1', ":2: grammer is not 5 ratings"),
        ('a,b,"1,2,3,4,4","1,1,1,1,1","1,1,1,1,1","cnn,rnn",2.8,1,1', ":2: unknown systems .'rnn'."),
    ],
)
def test_a_faulty_file_is_named_with_its_line(tmp_path: Path, rows: str, cause: str) -> None:
    (tmp_path / "gfm").mkdir()
    (tmp_path / "gfm" / "tmu-gfm-dataset.csv").write_text(f"{HEADER}\n{rows}\n" if rows else f"{HEADER}\n")
    with pytest.raises(FormatError, match=cause):
        _ = Gfm(tmp_path).ratings


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="tmu-gfm-dataset"):
        _ = Gfm(tmp_path).rows
