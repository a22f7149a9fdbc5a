"""The tables of GJG15 from its judgments, held against values of an independent computation with more
digits."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import pytest

from analysis.reproduction.cells import Cell
from analysis.reproduction.gjg15 import reproduce
from annotate.snapshots import frame_of_file
from ranking import agreement

KAPPAS = """
    1-1 .4241 390  | 1-2 .2638 2093 | 1-3 .3013 2522 | 1-4 .3746 500  | 1-5 .3374 975  | 1-6 .2593 715
    1-7 .3073 74   | 1-8 .2398 1601 | 2-2 .2968 171  | 2-3 .2524 3153 | 2-4 .2838 406  | 2-5 .2283 885
    2-6 .2002 502  | 2-7 .0954 66   | 2-8 .2012 2094 | 3-3 .5019 334  | 3-4 .3510 499  | 3-5 .4411 1037
    3-6 .3410 675  | 3-7 .4645 98   | 3-8 .2582 2165 | 4-4 .3399 66   | 4-5 .3431 2000 | 4-6 .3049 1843
    4-7 .2029 669  | 4-8 .2579 347  | 5-5 .5991 238  | 5-6 .3592 3164 | 5-7 .3368 707  | 5-8 .3217 749
    6-6 .4383 318  | 6-7 .3544 713  | 6-8 .2472 342  | 7-8 .6972 39   | 8-8 .4751 114
"""
EXPECTED_WINS = {
    "AMU": 0.62837,
    "RAC": 0.56601,
    "CAMB": 0.56066,
    "CUUI": 0.54970,
    "POST": 0.53899,
    "UFC": 0.51350,
    "PKU": 0.50641,
    "UMC": 0.49453,
    "IITB": 0.48508,
    "SJTU": 0.46342,
    "INPUT": 0.45637,
    "NTHU": 0.43710,
    "IPN": 0.29986,
}


@pytest.fixture(scope="module")
def gjg15_snapshot(reference_data: Path) -> pd.DataFrame:
    return frame_of_file(reference_data / "gjg15" / "judgments.xml")


@pytest.fixture(scope="module")
def gjg15_shapes(reference_data: Path) -> list[tuple[int, ...]]:
    """The multiplicities of the distinct outputs of each sentence, over the 13 systems."""
    systems = [
        [line.strip() for line in path.read_text(encoding="utf-8").removesuffix("\n").split("\n")]
        for path in sorted((reference_data / "conll14" / "outputs").iterdir())
    ]
    return [tuple(Counter(texts).values()) for texts in zip(*systems, strict=True)]


@pytest.fixture(scope="module")
def tables(
    gjg15_snapshot: pd.DataFrame, gjg15_shapes: Sequence[tuple[int, ...]]
) -> dict[str, dict[str, Cell]]:
    return reproduce(gjg15_snapshot, gjg15_shapes)


def ours(table: dict[str, Cell]) -> dict[str, object]:
    return {name: cell.ours for name, cell in table.items()}


def test_every_cell_agrees_with_the_print(tables: dict[str, dict[str, Cell]]) -> None:
    cells = {f"{key}: {name}": cell for key, table in tables.items() for name, cell in table.items()}
    assert {name: cell for name, cell in cells.items() if not cell.ok} == {}


def test_no_cell_is_missing(tables: dict[str, dict[str, Cell]]) -> None:
    assert {key: len(table) for key, table in tables.items()} == {
        "1": 45,
        "2": 38,
        "3b": 13,
        "3d": 312,
        "sampling": 40,
    }


def test_table_1_counts_every_judge(tables: dict[str, dict[str, Cell]]) -> None:
    table = ours(tables["1"])
    assert table["Judge 7 rankings"] == 70
    assert table["Judge 7 unexpanded pairs"] == 646
    assert table["Judge 7 unexpanded ties"] == 145
    assert table["Total rankings"] == 2319
    assert table["Total expanded pairs"] == 109098
    assert table["Total expanded ties"] == 59117


def test_table_2_has_the_weighted_kappas(tables: dict[str, dict[str, Cell]]) -> None:
    assert tables["2"]["inter"].ours == pytest.approx(0.2927, abs=5e-5)
    assert tables["2"]["intra"].ours == pytest.approx(0.4552, abs=5e-5)


def test_pooled_kappas_are_the_other_ones(gjg15_snapshot: pd.DataFrame) -> None:
    judges = agreement(gjg15_snapshot)
    assert judges.inter_pooled.value == pytest.approx(0.2990, abs=5e-5)
    assert judges.inter_pooled.observed == pytest.approx(0.5385, abs=5e-5)
    assert judges.inter_pooled.expected == pytest.approx(0.3416, abs=5e-5)
    assert judges.inter_pooled.n == 30633
    assert judges.intra_pooled.value == pytest.approx(0.4676, abs=5e-5)
    assert judges.intra_pooled.n == 1631


def test_table_2b_has_every_two_judges(
    gjg15_snapshot: pd.DataFrame, tables: dict[str, dict[str, Cell]]
) -> None:
    judges = agreement(gjg15_snapshot)
    known = [entry.split() for entry in KAPPAS.replace("\n", "|").split("|") if entry.strip()]
    for pair, kappa, comparisons in known:
        first, second = (f"annotator0{judge}" for judge in pair.split("-"))
        assert tables["2"][pair].ours == pytest.approx(float(kappa), abs=5e-5)
        assert judges.between(first, second).n == int(comparisons)
    assert len(judges.pairs) == len(known) == 35
    assert judges.between("annotator07", "annotator07").n == 0


def test_table_2_shows_what_hides_behind_its_stars(tables: dict[str, dict[str, Cell]]) -> None:
    """The paper prints * for fewer than 50 comparisons."""
    assert (tables["2"]["7-7"].published, tables["2"]["7-7"].ours) == ("*", None)
    assert tables["2"]["7-8"].published == "*"
    assert tables["2"]["7-8"].note.startswith("39 comparisons")


def test_table_3b_has_the_scores_in_order(tables: dict[str, dict[str, Cell]]) -> None:
    assert ours(tables["3b"]) == {
        system: pytest.approx(score, abs=5e-6) for system, score in EXPECTED_WINS.items()
    }
    assert list(tables["3b"]) == list(EXPECTED_WINS)


def test_table_3d_has_a_value_and_a_mark_for_each_two_systems(tables: dict[str, dict[str, Cell]]) -> None:
    """A cell is how often the system of its column beat the one of its row."""
    table = ours(tables["3d"])
    for row in EXPECTED_WINS:
        for column in EXPECTED_WINS:
            if row != column:
                value, turned = table[f"{row}/{column} value"], table[f"{column}/{row} value"]
                assert isinstance(value, float)
                assert isinstance(turned, float)
                assert value + turned == pytest.approx(1)
                assert table[f"{row}/{column} mark"] == table[f"{column}/{row} mark"]
    assert (table["AMU/RAC mark"], table["AMU/CAMB mark"], table["AMU/CUUI mark"]) == ("‡", "⋆", "†")
    assert table["RAC/CAMB mark"] == ""


def test_sampling_probabilities_are_exact(tables: dict[str, dict[str, Cell]]) -> None:
    table = ours(tables["sampling"])
    assert table["sum of p'"] == pytest.approx(366.652355731964, abs=1e-12)
    assert table["largest p / smallest p"] == 7.8
    assert (table["(1,12) C"], table["(1,12) p'"]) == (25 / 2, 16 / 115)
    assert (table["(1^8,5) C"], table["(1,1,1,1,2,7) p'"]) == (1607 / 219, 320 / 1221)
    assert (table["(1,3,2,6,1) C"], table["(1,3,2,6,1) p'"]) == (181 / 21, 441 / 1448)


def test_only_one_sampling_figure_is_in_the_paper(tables: dict[str, dict[str, Cell]]) -> None:
    """The others say where they are from."""
    assert [name for name, cell in tables["sampling"].items() if not cell.note] == ["mean distinct outputs"]


def test_judgments_of_others_do_not_agree(
    gjg15_snapshot: pd.DataFrame, gjg15_shapes: Sequence[tuple[int, ...]]
) -> None:
    without_judge_3 = gjg15_snapshot[gjg15_snapshot["annotator"] != "annotator03"]
    table = reproduce(without_judge_3, gjg15_shapes)["1"]
    assert table["Judge 3 rankings"].ours is None
    assert table["Judge 3 rankings"].ok is False
    assert table["Judge 2 rankings"].ok is True
    assert table["Total rankings"].ok is False
