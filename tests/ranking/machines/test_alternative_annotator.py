"""The alternative annotator test: published figures, edge cases, and equality with the plain definition."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.labels import read_labels
from ranking.machines import (
    Contest,
    Contests,
    LabelAgreement,
    alternative_annotator_test,
    contests_over_labels,
    label_contests,
    winning_rates,
)
from tests.ranking.frames import few_examples

PEOPLE = {name: {str(item): item % (3 + place) for item in range(40)} for place, name in enumerate("abcd")}


def contests_of(data: Path, name: str, machine: str, agreement: LabelAgreement) -> Contests:
    folder = data / "machine-judges" / "alt-test" / name
    people = read_labels(folder / "human_annotations.json")
    return label_contests(people, read_labels(folder / "llm_annotations.json")[machine], agreement)


def test_the_people_whom_gpt_4o_beats_on_wax(reference_data: Path) -> None:
    contests = contests_of(reference_data, "wax", "gpt-4o", LabelAgreement.ACCURACY)
    result = alternative_annotator_test(contests, 0.1)
    assert [each.person for each in result.people if each.is_beaten] == ["6", "5", "7", "8"]
    of = {each.person: each for each in result.people}
    assert (of["4"].instances, of["4"].is_beaten) == (149, False)
    assert of["4"].p_value == pytest.approx(0.032412, abs=5e-7)
    assert of["4"].statistic == pytest.approx(-1.8603, abs=5e-5)
    assert (result.winning_rate, result.may_stand_in, result.answered_share) == (0.5, True, 1.0)


@pytest.mark.parametrize(
    ("name", "machine", "agreement", "beaten"),
    [
        ("wax", "gpt-4o", LabelAgreement.ACCURACY, [2, 3, 4, 5, 5, 6, 6]),
        ("wax", "llama-31", LabelAgreement.ACCURACY, [0, 0, 0, 0, 1, 3, 4]),
        ("10k_prompts", "gpt-4o", LabelAgreement.RMSE, [1, 6, 9, 9, 10, 11, 11]),
        ("10k_prompts", "gpt-4o-mini", LabelAgreement.RMSE, [5, 8, 9, 12, 12, 12, 12]),
    ],
)
def test_winning_rates_over_epsilon(
    reference_data: Path, name: str, machine: str, agreement: LabelAgreement, beaten: list[int]
) -> None:
    contests = contests_of(reference_data, name, machine, agreement)
    rates = winning_rates(contests, [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3])
    people = {"wax": 8, "10k_prompts": 13}[name]
    assert [round((rate or 0) * people) for rate in rates] == beaten


def test_too_few_people_and_too_few_instances_are_said_and_nothing_is_computed() -> None:
    machine = PEOPLE["a"]
    two = {name: PEOPLE[name] for name in "ab"}
    result = alternative_annotator_test(label_contests(two, machine), 0.1)
    assert result.reason == (
        "2 of 2 people share at least 30 instances with others and the machine; the test needs 3"
    )
    assert (result.winning_rate, result.advantage_probability, result.may_stand_in) == (None, None, None)
    short = dict(list(PEOPLE["d"].items())[:29])
    result = alternative_annotator_test(label_contests({**PEOPLE, "d": short}, machine), 0.1)
    assert (result.tested, result.people[3].reason) == (3, "29 instances, fewer than 30")
    alone = alternative_annotator_test(label_contests({"a": PEOPLE["a"]}, machine), 0.1)
    assert alone.reason == "no instance has answers of two people"
    stranger = alternative_annotator_test(label_contests(PEOPLE, {"elsewhere": 1}), 0.1)
    assert stranger.reason == "the machine answered none of the instances that two people answered"


def test_a_machine_that_answers_too_little_is_refused_unless_that_is_allowed() -> None:
    partly = dict(list(PEOPLE["a"].items())[:37])
    contests = label_contests(PEOPLE, partly)
    refused = alternative_annotator_test(contests, 0.1)
    assert refused.reason == "the machine answered 37 of 40 instances, fewer than 95%"
    allowed = alternative_annotator_test(contests, 0.1, allow_missing=True)
    assert (allowed.reason, allowed.answered_share) == (None, 37 / 40)


@pytest.mark.parametrize(
    ("machine_wins", "person_wins", "epsilon", "p_value"),
    [(True, True, 0.1, 0.0), (True, True, 0.0, 1.0), (False, True, 0.1, 1.0), (True, False, 0.0, 0.0)],
)
def test_contests_without_variance(
    machine_wins: bool,
    person_wins: bool,
    epsilon: float,
    p_value: float,
) -> None:
    number = np.arange(30)
    people = tuple(
        Contest(name, np.full(30, machine_wins), np.full(30, person_wins), number) for name in "abc"
    )
    result = alternative_annotator_test(Contests(people, 30, 30), epsilon)
    assert [each.p_value for each in result.people] == [p_value] * 3


def test_sentences_as_units_widen_the_test_of_repeated_instances() -> None:
    rng = np.random.default_rng(3)
    wins = rng.random(40) < 0.6
    once = Contest("a", wins, ~wins, np.arange(40))
    thrice = Contest("a", np.repeat(wins, 3), np.repeat(~wins, 3), np.repeat(np.arange(40), 3))
    [single, plain, clustered] = (
        alternative_annotator_test(Contests((contest,) * 3, 1, 1), 0.1, by_sentence=by_sentence).people[0]
        for contest, by_sentence in ((once, False), (thrice, False), (thrice, True))
    )
    assert clustered.p_value == single.p_value
    assert (plain.p_value or 0) < (single.p_value or 0)


def test_an_impossible_epsilon_and_labels_without_differences_are_refused() -> None:
    contests = label_contests(PEOPLE, PEOPLE["a"])
    with pytest.raises(ValueError, match=r"an epsilon of 1\.5 is impossible"):
        alternative_annotator_test(contests, 1.5)
    with pytest.raises(ValueError, match="'good' is not a number"):
        label_contests({"a": {"1": "good"}}, {"1": 1}, LabelAgreement.RMSE)


@few_examples
@given(
    people=st.dictionaries(
        st.sampled_from("abcd"),
        st.dictionaries(st.sampled_from("vwxyz"), st.integers(0, 3)),
        min_size=1,
    ),
    machine=st.dictionaries(st.sampled_from("vwxyz"), st.integers(0, 3)),
    agreement=st.sampled_from(LabelAgreement),
)
def test_contests_are_those_of_the_definition(
    people: Mapping[str, Mapping[str, int]], machine: Mapping[str, int], agreement: LabelAgreement
) -> None:
    def agrees(answer: int, others: list[int]) -> float:
        if agreement is LabelAgreement.ACCURACY:
            return sum(answer == other for other in others)
        return -sum((answer - other) ** 2 for other in others)

    contests = label_contests(people, machine, agreement)
    for contest in contests.people:
        wins = []
        for item, label in people[contest.person].items():
            others = [each[item] for name, each in people.items() if name != contest.person and item in each]
            if others and item in machine:
                ours, theirs = agrees(machine[item], others), agrees(label, others)
                wins.append((ours >= theirs, theirs >= ours))
        assert sorted(wins) == sorted(zip(contest.machine_wins, contest.person_wins, strict=True))


def test_scores_that_differ_by_rounding_errors_tie() -> None:
    judges = np.arange(3)
    contests = contests_over_labels(
        ("a", "b", "c"), judges, np.zeros(3, dtype=np.int64), np.array([0.1, 0.2, 0.2]), np.array([0.3]),
        LabelAgreement.RMSE,
    )  # fmt: skip
    assert contests.people[0].machine_wins.tolist() == contests.people[0].person_wins.tolist() == [True]
