"""Scores of replicates whose groups are drawn elsewhere."""

from collections.abc import Callable

import numpy as np
import pytest

from core.arrays import FloatArray
from ranking import (
    GroupedPairs,
    Method,
    ResamplingError,
    Unit,
    bradley_terry_replicates,
    expected_wins_replicates,
    group_pairs,
    scores_of_draws,
    trueskill_replicates,
)
from ranking.uncertainty.resampling import REPLICATES_PER_CHUNK
from tests.ranking.frames import snapshot

Replicates = Callable[[GroupedPairs, range, int], FloatArray]

JUDGED = snapshot(
    ("anna", 0, "A > B > C"),
    ("ben", 0, "B > A = C"),
    ("anna", 1, "C > A > B"),
    ("ben", 2, "A B > C"),
    ("anna", 3, "B > C > A"),
)
PAIRS = group_pairs(JUDGED, Unit.SENTENCE)


@pytest.mark.parametrize(
    ("method", "replicates"),
    [
        (Method.EXPECTED_WINS, expected_wins_replicates),
        (Method.BRADLEY_TERRY, bradley_terry_replicates),
        (Method.TRUESKILL, trueskill_replicates),
    ],
)
def test_draws_are_scored_as_the_bootstrap_scores_its_own(method: Method, replicates: Replicates) -> None:
    """With the draws that the bootstrap makes of the same seed."""
    rng = np.random.default_rng(np.random.SeedSequence(7, spawn_key=(0,)))
    draws = np.array([rng.integers(4, size=4) for _ in range(REPLICATES_PER_CHUNK)])
    drawn = scores_of_draws(method, PAIRS)(draws)
    np.testing.assert_allclose(drawn, replicates(PAIRS, range(REPLICATES_PER_CHUNK), 7))


def test_a_system_that_was_never_compared_has_no_score() -> None:
    pairs = group_pairs(snapshot(("anna", 0, "A > B"), ("anna", 1, "C")), Unit.SENTENCE)
    for method in (Method.EXPECTED_WINS, Method.TRUESKILL, Method.BRADLEY_TERRY):
        assert np.isnan(scores_of_draws(method, pairs)(np.zeros((1, 1), dtype=np.int64))[0, 2])


def test_means_are_not_of_pairs() -> None:
    with pytest.raises(ResamplingError, match="mean scores are of ratings"):
        scores_of_draws(Method.MEAN_SCORE, PAIRS)
