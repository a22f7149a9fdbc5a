"""Which of two metrics agrees better with people: tests, their correction, and clusters."""

import numpy as np
import pytest
from scipy import stats
from scipy.stats import norm

from core.arrays import FloatArray
from metrics.meta_evaluation import (
    SwappedScores,
    bootstrap_tests,
    calibrated_accuracy_tests,
    clusters,
    item_pairs,
    ordered_as_people,
    p_values_of_metric,
    p_values_of_people,
    sign_flips,
    soft_accuracy,
    soft_accuracy_tests,
    tie_calibration,
    williams_tests,
)
from ranking import holm_correction

HUMAN = [
    61.9384,
    61.3861,
    60.373,
    58.4963,
    56.5355,
    52.3248,
    51.1139,
    47.8846,
    46.1035,
    42.2644,
    41.9155,
    18.7297,
]
AMBER = [0.2178, 0.2224, 0.2186, 0.2168, 0.2167, 0.2107, 0.1922, 0.2104, 0.1915, 0.1822, 0.1890, 0.1759]
BLEU = [0.3138, 0.3753, 0.3286, 0.3343, 0.3202, 0.2888, 0.2299, 0.2922, 0.2294, 0.2171, 0.2200, 0.2240]
"""Spanish-English systems of WMT12, as released with Graham and Baldwin 2014 as the example of the test."""


def made_up(noise: float, seed: int, sentences: int = 40) -> FloatArray:
    """Scores of three systems that follow the people of `PEOPLE` with noise."""
    return PEOPLE[:sentences] + np.random.default_rng(seed).normal(scale=noise, size=(sentences, 3))


PEOPLE = np.random.default_rng(1).normal(loc=[0.0, 0.5, 1.0], size=(40, 3))


@pytest.mark.parametrize(("degrees_lost", "p_value"), [(3, 0.012458770664), (2, 0.0114079074943561)])
def test_williams_on_the_released_example(degrees_lost: int, p_value: float) -> None:
    tests = williams_tests(
        np.array(HUMAN), np.array([AMBER, BLEU]), ["AMBER", "BLEU"], degrees_lost=degrees_lost
    )
    assert tests.p_values[0][1] == pytest.approx(p_value, abs=1e-12)
    assert tests.p_values[1][0] == pytest.approx(1 - p_value, abs=1e-12)
    assert tests.p_values[0][0] is None
    assert tests.holm[0][1] == pytest.approx(2 * p_value)


def test_williams_says_why_it_cannot_compare() -> None:
    tests = williams_tests(np.array(HUMAN), np.array([AMBER, AMBER]), ["one", "same"])
    assert tests.p_values == ((None, None), (None, None))
    assert "no variance" in tests.reasons["one"]["same"]
    assert tests.reasons["same"]["one"] == tests.reasons["one"]["same"]


def test_the_bootstrap_compares_the_lead_with_its_spread_in_the_replicates() -> None:
    rng = np.random.default_rng(3)
    one, other = rng.normal([0.5, 0.4], 0.1, size=(50, 2)).T
    undefined = np.append(one, np.nan), np.append(other, 0.4)
    tests = bootstrap_tests(
        {"first": (0.6, undefined[0]), "second": (0.4, undefined[1])}, ["first", "second"]
    )
    expected = norm.sf(0.2 / (1.11 * np.std(one - other, ddof=1)))
    assert tests.p_values[0][1] == pytest.approx(expected)
    assert tests.p_values[1][0] == pytest.approx(1 - expected)
    few = bootstrap_tests({"first": (0.6, one[:5]), "second": (0.4, other[:5])}, ["first", "second"])
    assert few.reasons["first"]["second"] == "fewer than 10 resamples have a value of both"
    without = bootstrap_tests({"first": (0.6, one)}, ["first", "second"], {"second": "all is error"})
    assert without.p_values == ((None, None), (None, None))
    assert without.reasons["second"]["first"] == "all is error"


def test_holm_corrects_all_tests_of_the_matrix() -> None:
    replicates = np.random.default_rng(1).normal(loc=[0.0, 1, 3], size=(99, 3))
    names = ["a", "b", "c"]
    tests = bootstrap_tests(
        {name: (values.mean(), values) for name, values in zip(names, replicates.T, strict=True)}, names
    )
    flat = [value for row in tests.p_values for value in row if value is not None]
    corrected = [value for row in tests.holm for value in row if value is not None]
    assert corrected == pytest.approx(holm_correction(flat).tolist())
    assert max(corrected) == 1


def soft_tests(*metrics: FloatArray, permutations: int = 400) -> tuple[tuple[float | None, ...], ...]:
    signs = sign_flips(40, 200, seed=1)
    names = [f"metric {place}" for place in range(len(metrics))]
    people = p_values_of_people(PEOPLE, signs)
    return soft_accuracy_tests(people, metrics, names, signs, permutations=permutations, seed=1).p_values


def test_swapped_scores_of_soft_accuracy_follow_the_definition() -> None:
    """PERM-BOTH stated plainly: swap, take both soft accuracies again, compare the differences."""
    one, other = made_up(0.3, 2), made_up(3.0, 3)
    signs = sign_flips(40, 200, seed=1)
    people = p_values_of_people(PEOPLE, signs)

    def lead(first: FloatArray, second: FloatArray) -> float:
        accuracies = [soft_accuracy(people, p_values_of_metric(each, signs)) for each in (first, second)]
        return (accuracies[0] or 0) - (accuracies[1] or 0)

    first, second = stats.zscore(one, axis=None), stats.zscore(other, axis=None)
    differences = []
    for chunk in range(8):
        rng = np.random.default_rng(np.random.SeedSequence(1, spawn_key=(chunk,)))
        for swap in rng.integers(2, size=(50, 40, 3), dtype=np.int8).astype(bool):
            differences.append(lead(np.where(swap, second, first), np.where(swap, first, second)))
    expected = np.mean(np.array(differences) >= lead(first, second) - 1e-12)
    assert soft_tests(one, other)[0][1] == pytest.approx(expected)


def test_a_much_better_metric_beats_a_worse_one_and_not_the_other_way_round() -> None:
    table = soft_tests(PEOPLE * 1.0, -PEOPLE)
    better, worse = table[0][1], table[1][0]
    assert better is not None
    assert worse is not None
    assert better < 0.05 < 0.9 < worse


def test_replicates_of_swaps_do_not_depend_on_how_many_follow() -> None:
    """The first 100 of 150 are those of 100; so counts of 150 are at least those of 100."""
    one, other = made_up(0.3, 2), made_up(0.4, 3)
    few, many = (soft_tests(one, other, permutations=number)[0][1] or 0 for number in (100, 150))
    assert 0 <= round(many * 150) - round(few * 100) <= 50


def test_permutations_counted_in_parts_are_those_counted_at_once() -> None:
    """With a metric that misses sentences, by any number of threads, and in any order of the parts."""
    partly = made_up(0.4, 4)
    partly[5:9, 1] = np.nan
    signs = sign_flips(40, 200, seed=1)
    people = p_values_of_people(PEOPLE, signs)
    scores, names = [made_up(0.3, 2), made_up(0.9, 3), partly], ["a", "b", "c"]
    whole = soft_accuracy_tests(people, scores, names, signs, permutations=120, seed=1)
    swapped = SwappedScores(people, scores, names, signs, threads=2)
    parts = [swapped.counts(permutations, 1) for permutations in (range(100, 120), range(50), range(50, 100))]
    assert swapped.tests(sum(parts, start=np.zeros_like(parts[0])), 120) == whole
    alone = soft_accuracy_tests(people, scores[1:], names[1:], signs, permutations=120, seed=1)
    assert alone.p_values[0][1] == whole.p_values[1][2]


def test_a_metric_of_one_score_cannot_be_swapped() -> None:
    signs = sign_flips(40, 100, seed=1)
    tests = soft_accuracy_tests(
        p_values_of_people(PEOPLE, signs),
        [np.ones((40, 3)), PEOPLE, np.full((40, 3), np.nan)],
        ["constant", "people", "unscored"],
        signs,
        permutations=50,
        seed=1,
    )
    assert tests.reasons["constant"]["people"] == "one of the two metrics gives every output the same score"
    assert tests.reasons["people"]["unscored"].startswith("no sentence has scores of all systems")
    assert {value for row in tests.p_values for value in row} == {None}


def test_calibrated_accuracies_are_tested_by_swapping_outcomes() -> None:
    """Within Monte Carlo error of SciPy's test of paired samples, on the differences of pairs."""
    metrics = [made_up(0.5, 2), made_up(1.0, 3)]
    pairs = item_pairs(PEOPLE, np.ones((40, 3), dtype=bool))
    ordered = [ordered_as_people(pairs, each, tie_calibration(pairs, each).epsilon or 0) for each in metrics]
    tests = calibrated_accuracy_tests(pairs, ordered, ["one", "other"], permutations=2000, seed=1)
    ahead = (ordered[0].astype(float) - ordered[1]) * pairs.weight
    expected = stats.permutation_test(
        (ahead[ahead != 0],),
        np.sum,
        permutation_type="samples",
        alternative="greater",
        n_resamples=20_000,
        rng=np.random.default_rng(1),
    ).pvalue
    error = np.sqrt(expected * (1 - expected) / 2000)
    assert abs((tests.p_values[0][1] or 0) - expected) < 4 * error
    assert expected < 0.2


def test_a_cluster_ends_where_one_of_its_metrics_beats_the_next() -> None:
    """b is not beaten by a; c is beaten by a, begins a cluster, and d is not beaten by c."""
    p_values = [
        [None, 0.3, 0.01, 0.01],
        [0.7, None, 0.2, 0.01],
        [0.99, 0.8, None, 0.4],
        [0.99, 0.99, 0.6, None],
    ]
    assert clusters([0.9, 0.8, 0.7, 0.6], p_values) == (1, 1, 2, 2)
    shuffled = [3, 1, 0, 2]
    table = [[p_values[row][column] for column in shuffled] for row in shuffled]
    assert clusters([0.6, 0.8, 0.9, 0.7], table) == (2, 1, 1, 2)
    assert clusters([0.9, 0.8], [[None, None], [None, None]]) == (1, 1)
    assert clusters([], []) == ()
