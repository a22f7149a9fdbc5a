"""Requirements of a snapshot, and errors for other frames."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking import RANKING_COLUMNS, SNAPSHOT_COLUMNS, SnapshotError, ranked_outputs, without_systems
from ranking.agreement.kappa import agreement
from ranking.agreement.krippendorff import alpha_over_pairs, alpha_over_ranks
from ranking.annotators.annotator_counts import annotator_counts
from ranking.judgments.grouped_pairs import Unit, group_pairs
from ranking.judgments.pairs import count_pairs, output_pairs, unexpanded_pairs
from tests.ranking.frames import few_examples, frame, snapshot, snapshots


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


def test_columns_of_rankings_are_columns_of_the_snapshot() -> None:
    assert set(RANKING_COLUMNS) < set(SNAPSHOT_COLUMNS)


def test_missing_columns_are_named() -> None:
    with pytest.raises(SnapshotError, match="lacks the columns: sentence, rank"):
        ranked_outputs(snapshot(("anna", 0, "A > B")).drop(columns=["rank", "sentence"]))


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([row(), row(output="y")], "a system occurs twice in one judgment.*'systems': 'A'"),
        ([row(systems=("A", "B", "A"))], "a system occurs twice"),
        ([row(), row(systems=("B",))], "an output occurs twice"),
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


def as_categories(judged: pd.DataFrame, *, spare: list[str]) -> pd.DataFrame:
    """The strings as categories in the reverse order of the alphabet, more than occur."""
    return judged.assign(
        **{
            column: pd.Categorical(judged[column], sorted({*judged[column].dropna(), *spare}, reverse=True))
            for column in ("judgment", "annotator", "output")
        }
    )


@few_examples
@given(judged=snapshots(), spare=st.lists(st.sampled_from(["aaa", "ben", "zoe", "judgment 99"]), max_size=3))
def test_categories_change_no_number(judged: pd.DataFrame, spare: list[str]) -> None:
    """A frame from the database holds categories; after a filter some of them occur no more."""
    coded = as_categories(judged, spare=spare)
    assert agreement(coded) == agreement(judged)
    assert annotator_counts(coded) == annotator_counts(judged)
    assert alpha_over_pairs(coded) == alpha_over_pairs(judged)
    assert alpha_over_ranks(coded) == alpha_over_ranks(judged)
    assert count_pairs(coded).wins.tolist() == count_pairs(judged).wins.tolist()
    for unit in Unit:
        assert group_pairs(coded, unit).codes.tolist() == group_pairs(judged, unit).codes.tolist()


@few_examples
@given(judged=snapshots())
def test_pairs_as_numbers_are_those_of_the_frame(judged: pd.DataFrame) -> None:
    pairs, frame_of_pairs = output_pairs(judged), unexpanded_pairs(judged)
    assert [pairs.annotators[number] for number in pairs.annotator] == frame_of_pairs["annotator"].tolist()
    assert pairs.outcome.tolist() == frame_of_pairs["outcome"].tolist()
    of_outputs = frame_of_pairs.groupby(["sentence", "first", "second"], sort=False).ngroup()
    assert pairs.pair.tolist() == of_outputs.tolist()
