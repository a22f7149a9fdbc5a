"""Resampling of pairs, judgments, sentences and judges."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.arrays import IntArray
from ranking import Unit, count_pairs, group_pairs, resampled_counts
from ranking.uncertainty.resampling import REPLICATES_PER_CHUNK
from tests.ranking.frames import few_examples, snapshot, snapshots

JUDGED = snapshot(
    ("anna", 0, "A > B > C"),
    ("anna", 1, "A = B"),
    ("ben", 1, "B > A"),
    ("ben", 2, "A C > B"),
    ("cleo", 2, "A"),
)


def drawn(judged: pd.DataFrame, unit: Unit, replicates: range, seed: int = 1) -> IntArray:
    return np.concatenate(list(resampled_counts(group_pairs(judged, unit), replicates, seed)))


@pytest.mark.parametrize(
    ("unit", "sizes"),
    [
        (Unit.PAIR, [1] * 8),
        (Unit.JUDGMENT, [3, 1, 1, 3]),
        (Unit.SENTENCE, [3, 2, 3]),
        (Unit.ANNOTATOR, [4, 4]),
    ],
)
def test_pairs_are_grouped_by_the_resampled_unit(unit: Unit, sizes: list[int]) -> None:
    """Cleo's judgment has no pair and makes no group."""
    assert np.diff(group_pairs(JUDGED, unit).starts).tolist() == sizes


@pytest.mark.parametrize("unit", Unit)
def test_any_split_gives_the_same_replicates(unit: Unit) -> None:
    whole = drawn(JUDGED, unit, range(REPLICATES_PER_CHUNK * 3))
    cut = REPLICATES_PER_CHUNK + 7
    parts = [
        drawn(JUDGED, unit, part) for part in (range(cut), range(cut, cut + 1), range(cut + 1, len(whole)))
    ]
    assert np.array_equal(np.concatenate(parts), whole)
    assert not np.array_equal(drawn(JUDGED, unit, range(len(whole)), seed=2), whole)


def test_each_replicate_has_as_many_pairs_as_the_data() -> None:
    assert set(drawn(JUDGED, Unit.PAIR, range(20)).sum(axis=(1, 2, 3))) == {8}


def test_judgments_are_drawn_whole() -> None:
    """A = C comes only from Ben's ranking of sentence 2, and brings A > B and C > B with it."""
    counts = drawn(JUDGED, Unit.JUDGMENT, range(200))
    tied, c_over_b = counts[:, 1, 0, 2], counts[:, 0, 2, 1]
    assert np.array_equal(tied, c_over_b)
    assert set(tied) >= {0, 1, 2}


@pytest.mark.parametrize("unit", Unit)
def test_on_average_nothing_changes(unit: Unit) -> None:
    """Of 4000 replicates: a count of 1 in two groups has a standard deviation of .7, its mean one of .011."""
    counts = count_pairs(JUDGED)
    mean = drawn(JUDGED, unit, range(4000)).mean(axis=0)
    assert np.allclose(mean[0], counts.wins, atol=0.05)
    assert np.allclose(mean[1], np.triu(counts.ties), atol=0.05)


@pytest.mark.parametrize("unit", Unit)
def test_without_pairs_there_is_nothing_to_draw(unit: Unit) -> None:
    assert drawn(snapshot(("anna", 0, "A")), unit, range(3)).tolist() == [[[[0]], [[0]]]] * 3
    assert drawn(snapshot(), unit, range(3)).shape == (3, 2, 0, 0)


@few_examples
@given(snapshots(), st.sampled_from(Unit))
def test_grouped_pairs_count_as_the_snapshot_does(judged: pd.DataFrame, unit: Unit) -> None:
    counts, grouped = count_pairs(judged), group_pairs(judged, unit).counts
    assert np.array_equal(grouped.wins, counts.wins)
    assert np.array_equal(grouped.ties, counts.ties)
    assert grouped.systems == counts.systems
