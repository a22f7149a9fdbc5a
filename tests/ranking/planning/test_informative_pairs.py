"""Planning of further judgments."""

import numpy as np
import pytest
import trueskill
from hypothesis import given
from hypothesis import strategies as st

from core.arrays import FloatArray
from ranking import Skill, judgments_until_separation, match_quality, next_pair
from tests.ranking.frames import few_examples

SCORES = st.lists(st.floats(0, 1), min_size=4, max_size=4)
SKILLS = st.builds(Skill, mu=st.floats(-2, 2), sigma=st.floats(0.1, 2))


def replicates(mean: float, spread: float) -> FloatArray:
    """Four replicates with that mean and standard deviation."""
    scores: FloatArray = mean + spread * np.sqrt(3 / 4) * np.array([1, -1, 1, -1])
    return scores


def test_the_spread_shrinks_with_the_square_root() -> None:
    """A difference of one standard deviation must grow to 1.96: to 3.84 times the judgments."""
    projection = judgments_until_separation(replicates(0.6, 0.1), replicates(0.5, 0.0), 1000)
    assert projection.more == 2842
    assert (projection.judgments, projection.confidence, projection.reason) == (1000, 0.95, None)


def test_more_confidence_takes_more_judgments() -> None:
    first, second = replicates(0.6, 0.1), replicates(0.5, 0.0)
    assert judgments_until_separation(first, second, 1000, confidence=0.99).more == 5635


def test_systems_that_are_apart_need_no_more() -> None:
    assert judgments_until_separation(replicates(0.6, 0.01), replicates(0.5, 0.01), 100).more == 0
    assert judgments_until_separation([0.6, 0.6], [0.5, 0.5], 100).more == 0


def test_what_one_replicate_shares_with_another_does_not_count() -> None:
    """Scores of one replicate come from the same judgments."""
    together = replicates(0.6, 0.3)
    assert judgments_until_separation(together, together - 0.1, 100).more == 0


def test_equal_systems_never_separate() -> None:
    for first, second in (([0.5, 0.5], [0.5, 0.5]), ([0.4, 0.6], [0.6, 0.4])):
        projection = judgments_until_separation(first, second, 100)
        assert (projection.more, projection.reason) == (None, "the two systems score the same")


def test_replicates_without_a_score_are_left_out() -> None:
    first, second = [0.6, float("nan"), 0.5, 0.7], [0.5, 0.5, 0.5, float("inf")]
    assert judgments_until_separation(first, second, 9) == judgments_until_separation(
        [0.6, 0.5], [0.5, 0.5], 9
    )


def test_a_single_unit_resampled_is_always_itself_and_tells_nothing() -> None:
    projected = judgments_until_separation([0.6] * 10, [0.4] * 10, judgments=1)
    assert (projected.more, projected.reason) == (None, "a single judgment resampled alone has no spread")


def test_one_replicate_has_no_spread() -> None:
    assert judgments_until_separation([0.6], [0.5], 100).reason == "a spread needs at least two replicates"


@few_examples
@given(SCORES, SCORES)
def test_either_system_may_stand_first(first: list[float], second: list[float]) -> None:
    assert judgments_until_separation(first, second, 100) == judgments_until_separation(second, first, 100)


@few_examples
@given(SKILLS, SKILLS, st.floats(0.1, 2))
def test_match_quality_is_that_of_the_package(first: Skill, second: Skill, beta: float) -> None:
    ratings = [(trueskill.Rating(skill.mu, skill.sigma),) for skill in (first, second)]
    expected = trueskill.TrueSkill(beta=beta).quality(ratings)
    assert match_quality(first, second, beta) == pytest.approx(expected)


def test_the_least_certain_system_meets_its_most_even_opponent() -> None:
    skills = {"A": Skill(0.0, 0.1), "B": Skill(0.9, 0.1), "C": Skill(1.0, 0.3), "D": Skill(2.0, 0.1)}
    assert next_pair(skills, beta=1.0) == ("C", "B")


def test_of_equal_systems_the_first_two_meet() -> None:
    assert next_pair({name: Skill(0.0, 0.5) for name in "ABC"}, beta=1.0) == ("A", "B")
    assert next_pair({"A": Skill(0.0, 0.5), "B": Skill(1e9, 0.5)}, beta=1.0) == ("A", "B")


def test_one_system_has_no_pair() -> None:
    with pytest.raises(ValueError, match="a pair needs two systems, not 1"):
        next_pair({"A": Skill(0.0, 0.5)}, beta=1.0)
