"""Oracle re-ranking against random references, and the incentive not to correct."""

import numpy as np
import pytest

from metrics.meta_evaluation.coverage.incentive import incentive, least_coverage
from metrics.meta_evaluation.coverage.reranking import oracle_choices

# One sentence, three candidates, two references: the first reference prefers candidate 1, the second 2.
SCORES = np.array([[[0.5, 0.5], [0.9, 0.1], [0.2, 0.7]]])


def test_all_references_leave_nothing_to_chance() -> None:
    assert oracle_choices(SCORES, 2, draws=5).tolist() == [[1]] * 5


def test_one_reference_is_drawn_at_random() -> None:
    choices = oracle_choices(np.repeat(SCORES, 400, axis=0), 1, draws=10, seed=1)
    assert set(choices.flat) == {1, 2}
    assert (choices == 1).mean() == pytest.approx(0.5, abs=0.03)
    np.testing.assert_array_equal(
        choices[:3], oracle_choices(np.repeat(SCORES, 400, axis=0), 1, draws=3, seed=1)
    )


def test_equal_scores_choose_the_first_candidate_and_missing_ones_are_never_chosen() -> None:
    scores = np.array([[[0.3], [0.3]], [[np.nan], [0.0]]])
    assert oracle_choices(scores, 1, draws=1).tolist() == [[0, 1]]


@pytest.mark.parametrize("references", [0, 3])
def test_more_references_than_there_are(references: int) -> None:
    with pytest.raises(ValueError, match=f"{references} of 2 references"):
        oracle_choices(SCORES, references)


def test_correcting_pays_only_where_it_is_covered() -> None:
    assert incentive(0.9, 0.8, 0.5).to_correct
    assert not incentive(0.9, 0.8, 0.1).to_correct
    assert incentive(0.9, 0.8, 0.5).correcting == pytest.approx(0.4)
    assert incentive(0.9, 0.8, 0.5, penalty=2).correcting == pytest.approx(0.4 - 0.6 * 2)
    assert not incentive(0.9, 0.8, 0.5, penalty=2).to_correct


@pytest.mark.parametrize(("detected", "correct", "penalty"), [(0.9, 0.6, 0), (0.8, 0.9, 0.5), (1, 0.5, 0)])
def test_from_the_least_coverage_correcting_pays(detected: float, correct: float, penalty: float) -> None:
    least = least_coverage(detected, correct, penalty=penalty)
    assert least is not None
    assert incentive(detected, correct, least + 0.01, penalty=penalty).to_correct
    if least > 0.01:
        assert not incentive(detected, correct, least - 0.01, penalty=penalty).to_correct


def test_no_coverage_is_enough() -> None:
    assert least_coverage(0.2, 0.5) is None
    assert least_coverage(0.9, 0) is None


def test_probabilities_are_checked() -> None:
    with pytest.raises(ValueError, match="covered is a probability"):
        incentive(0.5, 0.5, 1.5)
    with pytest.raises(ValueError, match="not negative"):
        incentive(0.5, 0.5, 0.5, penalty=-1)
