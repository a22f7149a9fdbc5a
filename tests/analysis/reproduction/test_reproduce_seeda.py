"""SEEDA's judgments of whole sentences: scores of systems, agreement, and metrics against people."""

import shutil
from collections.abc import Callable, Mapping
from operator import attrgetter
from pathlib import Path

import pytest

from analysis.reproduction.cells import Cell, Verdict
from analysis.reproduction.public_data.seeda_data import SETS, Seeda
from analysis.reproduction.seeda import PAPER, token_edits
from formats import FormatError


@pytest.fixture(scope="module")
def tables(reference_data: Path) -> Mapping[str, Mapping[str, Cell]]:
    return PAPER.reproduce(Seeda(reference_data), PAPER.tables)


def test_every_figure_agrees(tables: Mapping[str, Mapping[str, Cell]]) -> None:
    compared = {
        name: [cell for cell in cells.values() if cell.published is not None]
        for name, cells in tables.items()
    }
    assert {name: len(cells) for name, cells in compared.items()} == {
        "agreement": 18,
        "rankings": 30,
        "systems": 28,
        "sentences": 18,
        "windows": 36,
    }
    assert {cell.verdict for cells in compared.values() for cell in cells} == {Verdict.AGREES}
    assert not any(cell.printed for cells in compared.values() for cell in cells)


def test_counting_edits_beats_gleu_on_sentences(tables: Mapping[str, Mapping[str, Cell]]) -> None:
    for name in SETS:
        edits, gleu = (tables["sentences"][f"{metric} {name} half"].ours for metric in ("edits", "GLEU"))
        assert isinstance(edits, float)
        assert isinstance(gleu, float)
        assert edits > gleu + 0.05


def test_the_rule_of_seeda_lies_off_the_middle_of_the_others(
    tables: Mapping[str, Mapping[str, Cell]],
) -> None:
    """It depends on names, so it is between counting all ties as errors and counting all of them as right."""
    cells = tables["sentences"]
    half, errors, seeda = (cells[f"characters base {rule}"].ours for rule in ("half", "errors", "seeda"))
    assert isinstance(half, float)
    assert isinstance(errors, float)
    assert isinstance(seeda, float)
    assert errors < seeda < 2 * half - errors
    assert seeda != pytest.approx(half, abs=1e-3)


def test_edits_are_of_tokens() -> None:
    assert token_edits("She go to school .", "She goes to the school .") == 2
    assert token_edits("", "") == 0


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        (
            "outputs/subset/T5.txt",
            lambda text: text.rstrip("\n") + "\nOne more .\n",
            "392 lines for 391 judged sentences",
        ),
        (
            "scores/human/EW_sent.txt",
            lambda text: text.replace("0.540", "high"),
            "a line should hold a number",
        ),
        ("scores/human/TS_sent.txt", lambda text: text.rstrip("\n") + "\n1.0\n", "16 scores for 15 systems"),
    ],
)
def test_a_faulty_file_is_named(
    name: str, change: Callable[[str], str], message: str, reference_data: Path, tmp_path: Path
) -> None:
    shutil.copytree(reference_data / "seeda", tmp_path / "seeda")
    path = tmp_path / "seeda" / name
    path.chmod(0o644)
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    read = attrgetter("judged_outputs", "human")
    with pytest.raises(FormatError, match=message) as caught:
        read(Seeda(tmp_path))
    assert str(path) in str(caught.value)
