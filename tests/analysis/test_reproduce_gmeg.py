"""The released scores of GMEG from its sentence scores, and Table 6's shares of unchanged sentences."""

from pathlib import Path

import pytest

from analysis.reproduction.cells import Cell
from analysis.reproduction.gmeg import TABLES
from analysis.reproduction.gmeg_data import read_domain, read_segment_scores, reproduce_from
from formats import FormatError


@pytest.fixture(scope="module")
def tables(reference_data: Path) -> dict[str, dict[str, Cell]]:
    return reproduce_from(reference_data)


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """Two sentences of a domain whose texts are not public; the second has no scores."""
    (tmp_path / "tiny-segment-scores.csv").write_text("amu,source\n70.5,60\n,\n")
    (tmp_path / "tiny-corpus-scores.csv").write_text("system,score\namu,70.5\nsource,60\n")
    return tmp_path


def test_every_released_score_is_the_mean_of_its_sentences(tables: dict[str, dict[str, Cell]]) -> None:
    cells = tables["released scores"]
    assert len(cells) == 24
    assert {name: cell for name, cell in cells.items() if cell.ok is not True} == {}
    assert {cell.tolerance for cell in cells.values()} == {1e-9}


def test_empty_rows_are_left_out(tables: dict[str, dict[str, Cell]]) -> None:
    notes = {name.split()[0]: cell.note for name, cell in tables["released scores"].items()}
    assert notes == {
        "fce": "mean of 962 sentences",
        "wiki": "mean of 980 sentences",
        "yahoo": "mean of 971 sentences",
    }


def test_shares_of_unchanged_sentences_stand_beside_the_papers(tables: dict[str, dict[str, Cell]]) -> None:
    """Another half of the sentences would be needed; two points are what a share of 1,000 may be off."""
    cells = tables[TABLES[1]]
    assert len(cells) == 27
    for name, cell in cells.items():
        assert cell.ok is None
        if name.startswith("yahoo"):
            assert (cell.ours, cell.note) == (None, "the texts of this domain are not public")
        else:
            assert cell.ours == pytest.approx(cell.published, abs=2)
    assert cells["fce amu"].ours == pytest.approx(100 * 588 / 968)
    assert cells["wiki source+error"].ours == pytest.approx(100 * 1 / 992)


def test_a_domain_without_texts_has_its_scores(release: Path) -> None:
    domain = read_domain(release, "tiny")
    assert not domain.has_texts
    assert domain.snapshot["score"].tolist() == [70.5, 60]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("1\n", ":2: 1 cells, but 2 systems in the header"),
        ("1,2\n3,\n", ":3: a score is not a number"),
        ("1,nan\n", ":2: a score is not finite"),
    ],
)
def test_a_faulty_row_is_refused_by_line(release: Path, rows: str, message: str) -> None:
    path = release / "tiny-segment-scores.csv"
    path.write_text(f"amu,source\n{rows}")
    with pytest.raises(FormatError, match=message):
        read_segment_scores(path)


@pytest.fixture
def release_with_texts(release: Path) -> Path:
    """The same with one sentence that nobody changed."""
    names = ["amu", "lstm", "lstm-r", "marian", "nus", "transformer", "source", "source+error"]
    (release / "tiny").mkdir()
    for name in names + [f"ref{number}" for number in range(4)]:
        (release / "tiny" / name).write_text("One .\n")
    return release


def test_texts_and_scores_must_be_as_many(release_with_texts: Path) -> None:
    with pytest.raises(FormatError, match="2 rows, but 1 sentences"):
        read_domain(release_with_texts, "tiny")


def test_the_same_text_cannot_have_two_scores(release_with_texts: Path) -> None:
    (release_with_texts / "tiny-segment-scores.csv").write_text("amu,source\n70.5,60\n")
    with pytest.raises(FormatError, match=r"amu .* have the same text but different scores"):
        read_domain(release_with_texts, "tiny")
