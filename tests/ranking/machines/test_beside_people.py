"""A machine beside people: agreement, accuracy, systems, preferences, consistency and baselines."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.reproduction.public_data.gjg15_data import Gjg15
from core.arrays import FloatArray
from ranking import Coefficient, agreement, alpha_over_pairs, count_pairs, expected_wins
from ranking.machines import (
    BASELINES,
    DISTANCES,
    ScreenPairs,
    answers_of_machine,
    answers_of_values,
    baseline_values,
    beside_people,
    cluster_distances,
    consistency,
    contests_over_answers,
    contests_over_scores,
    contests_over_verdicts,
    output_edits,
    output_verdicts,
    own_family,
    pair_accuracies,
    position_preference,
    preferences,
    screen_pairs,
    system_level,
)
from tests.ranking.frames import snapshot
from tests.ranking.machines.campaigns import Campaign, campaign

SOURCES = ("He go home .", "Fine .")
OUTPUTS = {
    "A": ("He goes home .", "Fine ."),
    "B": ("He go home .", "Fine ."),
    "C": ("He is going home now .", "It is fine ."),
}


@pytest.fixture(scope="module")
def gjg15(reference_data: Path) -> tuple[ScreenPairs, dict[str, FloatArray]]:
    data = Gjg15(reference_data)
    pairs = screen_pairs(data.snapshot)
    sources = data.references.sources
    outputs = {system: data.outputs.get(system, sources) for system in pairs.systems}
    return pairs, baseline_values(sources, outputs)


def test_people_among_themselves_are_those_of_agreement(
    gjg15: tuple[ScreenPairs, dict[str, FloatArray]], reference_data: Path
) -> None:
    pairs, values = gjg15
    beside = beside_people(pairs, answers_of_values(pairs, values["longest"]))
    judged = Gjg15(reference_data).snapshot
    expected = agreement(judged)
    assert beside.people == expected.inter_pooled
    assert {each.person: each.with_people for each in beside.each} == expected.rest
    assert beside.alpha.value == pytest.approx(alpha_over_pairs(judged).value)
    assert beside.machine.n == sum(each.with_machine.n for each in beside.each) == pairs.of_outputs.sum()
    assert beside.machine.value is not None
    assert beside.machine.value < 0.05


@pytest.mark.parametrize(("judge", "accuracy"), [("most edits", 0.5029), ("longest", 0.5554)])
def test_accuracy_of_judges_without_a_model(
    gjg15: tuple[ScreenPairs, dict[str, FloatArray]], judge: str, accuracy: float
) -> None:
    """Figures of an independent program."""
    pairs, values = gjg15
    [found] = pair_accuracies(pairs, answers_of_values(pairs, values[judge]))
    assert (found.decided.n, round(found.decided.value or 0, 4)) == (49_981, accuracy)
    assert found.people.value is not None
    assert found.machine.high is not None
    assert found.people.value > found.machine.high


def test_a_machine_that_repeats_one_of_two_people() -> None:
    people, _ = campaign(Campaign(asked=60, judges=2), 1)
    people["annotator"] = np.where(people.groupby(["sentence", "output"]).cumcount(), "ben", "anna")
    pairs = screen_pairs(people)
    anna = screen_pairs(people[people["annotator"] == "anna"], systems=pairs.systems)
    answers = answers_of_machine(pairs, anna)
    beside = beside_people(pairs, answers)
    assert [each.with_machine.value for each in beside.each] == pytest.approx([1, beside.people.value])
    [accuracy] = pair_accuracies(pairs, answers)
    assert accuracy.people.value is not None
    assert accuracy.machine.value == pytest.approx((1 + accuracy.people.value) / 2)
    assert accuracy.people_decided.n == accuracy.decided.n == np.count_nonzero(pairs.outcome)
    assert (accuracy.people_half_ties.value or 0) < (accuracy.people_decided.value or 0) < 1


def test_accuracy_by_the_distance_of_clusters() -> None:
    people, machine = campaign(Campaign(), 1)
    pairs = screen_pairs(people)
    answers = answers_of_machine(pairs, screen_pairs(machine))
    distance = cluster_distances(pairs, {"A": 1, "B": 1, "C": 2, "D": 3})
    found = pair_accuracies(pairs, answers, distance, DISTANCES)
    assert [each.group for each in found] == list(DISTANCES)
    assert sum(each.machine.n for each in found) == len(pairs)
    assert distance[(pairs.first == 0) & (pairs.second == 1)].tolist() == [0] * people["judgment"].nunique()
    assert set(distance[pairs.second == 4].tolist()) == {2}


def test_rankings_of_systems_side_by_side() -> None:
    people, machine = campaign(Campaign(), 1)
    pairs = screen_pairs(people)
    found = system_level(pairs, answers_of_machine(pairs, screen_pairs(machine)), replicates=200, seed=1)
    own = {each.system: each.score for each in expected_wins(count_pairs(people)).scores}
    assert {each.system: each.people for each in found.systems} == pytest.approx(own)
    assert (found.correlations[Coefficient.PEARSON].value or 0) > 0.9
    assert all(each.low <= each.rank_difference <= each.high for each in found.systems)
    assert found.soft_accuracy is not None
    assert 0.8 < found.soft_accuracy < 1
    same = system_level(pairs, pairs.outcome, replicates=50)
    assert same.soft_accuracy == 1
    assert {each.rank_difference for each in same.systems} == {0}
    nothing = system_level(pairs, np.zeros(len(pairs), dtype=np.int8))
    assert (nothing.systems, nothing.reason) == ((), "the two decided about fewer than two systems")


def test_preferences_of_people_and_machine_in_the_same_pairs() -> None:
    people = snapshot(("anna", 0, "A > B > C"), ("anna", 1, "A B > C"), ("ben", 0, "A > B = C"))
    pairs = screen_pairs(people)
    values = baseline_values(SOURCES, OUTPUTS)
    features = {"length": values["longest"], "own": own_family(pairs.systems, ["C"], 2)}
    length, own = preferences(pairs, answers_of_values(pairs, values["longest"]), features)
    assert (length.machine.value, length.machine.n) == (1, 8)
    assert (length.people.value, length.people.n) == (2 / 7, 7)
    assert length.difference.value == pytest.approx(5 / 7)
    assert (own.machine.value, own.people.value) == (1, 0)


def test_position_and_consistency() -> None:
    judged = snapshot(("m", 0, "A > B"), ("m", 0, "B > A"), ("m", 0, "A > B"), ("m", 1, "A > B"))
    position = np.array([1, 2, 1, 2, 1, 2, 2, 1], dtype=np.float64)
    pairs = screen_pairs(judged)
    # The rows of each judgment are those of its outputs from the best down.
    assert position_preference(pairs, position).value == 3 / 4
    found = consistency(pairs, position)
    assert (found.same_order.value, found.same_order.n) == (1, 1)
    assert (found.other_order.value, found.other_order.n) == (0, 2)
    assert consistency(pairs).unknown_order.n == 3


def test_values_of_baselines() -> None:
    values = baseline_values(SOURCES, OUTPUTS, seed=3)
    assert tuple(values) == BASELINES
    assert output_edits(SOURCES, OUTPUTS).tolist() == [[1, 0, 3], [0, 0, 3]]
    assert values["source-likes"].tolist() == (-values["most edits"]).tolist()
    assert values["longest"][1].tolist() == [6, 6, 12]
    assert values["random"][1, 0] == values["random"][1, 1] != values["random"][1, 2]
    assert values["random"].tolist() == baseline_values(SOURCES, OUTPUTS, seed=3)["random"].tolist()


def test_contests_over_scores_and_verdicts_of_outputs() -> None:
    rows = [
        (judge, number, output, score, verdict)
        for number in range(3)
        for judge, output, score, verdict in (
            ("anna", "x", 10.0, "yes"),
            ("ben", "x", 20.0, "no"),
            ("cleo", "x", 40.0 + number, "no"),
        )
    ]
    people = pd.DataFrame(rows, columns=["annotator", "sentence", "output", "score", "verdict"])
    people["judgment"] = [f"{row}" for row in range(len(rows))]
    people["systems"] = pd.Series([("A",)] * len(rows), dtype=object)
    machine = people[people["annotator"] == "ben"].assign(annotator="m", judgment=["m0", "m1", "m2"])
    scores = contests_over_scores(people, machine)
    assert [each.machine_wins.all() for each in scores.people] == [True, True, True]
    assert [each.person_wins.any() for each in scores.people] == [False, True, False]
    verdicts = contests_over_verdicts(people, machine)
    assert [each.person_wins.any() for each in verdicts.people] == [False, True, True]
    assert verdicts.people[0].sentence.tolist() == [0, 1, 2]
    units, answers = output_verdicts(people, machine)
    again = contests_over_answers(units, answers["m"])
    assert (again.instances, again.answered) == (verdicts.instances, verdicts.answered) == (3, 3)
    for one, other in zip(again.people, verdicts.people, strict=True):
        assert one.machine_wins.tolist() == other.machine_wins.tolist()
        assert one.person_wins.tolist() == other.person_wins.tolist()
    varied = contests_over_scores(people, people[people["annotator"] == "cleo"], z_scores=True)
    assert (varied.instances, [each.person for each in varied.people]) == (0, ["cleo"])
