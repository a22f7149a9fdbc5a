"""What a snapshot must be, and how a frame that is none is refused."""

import pandas as pd
import pytest

from ranking import RANKING_COLUMNS, SNAPSHOT_COLUMNS, SnapshotError, ranked_outputs, without_systems
from tests.ranking.frames import frame, snapshot


def row(**changes: object) -> dict[str, object]:
    return {
        "judgment": "1",
        "annotator": "anna",
        "sentence": 7,
        "output": "x",
        "systems": ("A",),
        "rank": 1,
    } | changes


def test_only_rows_with_a_rank_are_rankings() -> None:
    outputs = ranked_outputs(snapshot(("anna", 0, "A B > C"), ("ben", 1, "")))
    assert outputs["output"].tolist() == ["A+B", "C"]
    assert outputs["rank"].tolist() == [1, 2]


def test_a_judge_without_rankings_is_still_known() -> None:
    outputs = ranked_outputs(snapshot(("cleo", 0, "A > B"), ("ben", 1, "")))
    assert outputs["annotator"].cat.categories.tolist() == ["ben", "cleo"]


def test_what_rankings_need_is_part_of_the_whole_snapshot() -> None:
    assert set(RANKING_COLUMNS) < set(SNAPSHOT_COLUMNS)


def test_missing_columns_are_named() -> None:
    with pytest.raises(SnapshotError, match="lacks the columns: sentence, rank"):
        ranked_outputs(snapshot(("anna", 0, "A > B")).drop(columns=["rank", "sentence"]))


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([row(), row(output="y")], "a system stands twice in one judgment.*'systems': 'A'"),
        ([row(systems=("A", "B", "A"))], "a system stands twice"),
        ([row(), row(systems=("B",))], "an output stands twice"),
        ([row(systems=())], "no system"),
        ([row(systems="A B")], "tuple of names.*'A B'"),
        ([row(systems=["A", "B"])], "tuple of names"),
        ([row(systems=None, output=None, rank=None)], "tuple of names.*None"),
        ([row(output=None)], "no output"),
        ([row(annotator=None)], "no annotator"),
        ([row(judgment=None)], "no judgment"),
        ([row(), row(output="y", systems=("B",), annotator="ben")], "more than one annotator"),
        ([row(), row(output="y", systems=("B",), sentence=8)], "more than one sentence"),
    ],
)
def test_a_frame_that_is_no_snapshot_is_refused(rows: list[dict[str, object]], fault: str) -> None:
    with pytest.raises(SnapshotError, match=fault):
        ranked_outputs(frame(rows))


@pytest.mark.parametrize("ranks", [[1.0, 1.5], ["first", "second"]])
def test_ranks_that_are_no_integers_are_refused(ranks: list[object]) -> None:
    judgments = snapshot(("anna", 0, "A > B")).assign(rank=pd.Series(ranks))
    with pytest.raises(SnapshotError, match="ranks must be integers"):
        ranked_outputs(judgments)


def test_whole_ranks_may_come_as_floats() -> None:
    judgments = snapshot(("anna", 0, "A > B"), ("ben", 0, "")).astype({"rank": "float64"})
    assert ranked_outputs(judgments)["rank"].tolist() == [1, 2]


def test_systems_can_be_left_out() -> None:
    """An output keeps its other systems; without any it goes, and a judgment without outputs with it."""
    judged = snapshot(("anna", 0, "A B > C"), ("anna", 1, "C"), ("ben", 1, ""))
    left = without_systems(judged, ["C", "A"])
    assert left["systems"].tolist() == [("B",), ()]
    assert left["annotator"].tolist() == ["anna", "ben"]
    assert without_systems(judged, []).equals(judged)


def test_only_systems_that_are_there_can_be_left_out() -> None:
    with pytest.raises(SnapshotError, match="there is no system X, Y; there are A, B"):
        without_systems(snapshot(("anna", 0, "A > B")), ["Y", "A", "X"])
