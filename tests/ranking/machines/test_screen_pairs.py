"""Pairs of different outputs, a machine's answers about them, and contests over sentences."""

import sys
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ranking import agreement, unexpanded_pairs
from ranking.machines import (
    NO_ANSWER,
    PairComparisons,
    answers_of_machine,
    answers_of_values,
    beside_people,
    compared_sentences,
    contests_over_pairs,
    pair_contests,
    screen_pairs,
)
from tests.ranking.frames import SYSTEMS, few_examples, snapshot, snapshots

JUDGED = snapshot(
    ("anna", 0, "A > B C > D"),
    ("ben", 0, "A = B C > D"),
    ("anna", 0, "D > A"),
    ("ben", 2, "A > D"),
)


def test_pairs_of_one_output_are_left_out() -> None:
    pairs = screen_pairs(JUDGED)
    assert pairs.systems == ("A", "B", "C", "D")
    named = list(zip(pairs.first.tolist(), pairs.second.tolist(), pairs.outcome.tolist(), strict=True))
    assert named[:5] == [(0, 1, 1), (0, 2, 1), (0, 3, 1), (1, 3, 1), (2, 3, 1)]
    assert (1, 2) not in {pair[:2] for pair in named}
    assert pairs.of_outputs[:5].tolist() == [True, False, True, True, False]
    assert pairs.is_first.tolist() == [True] * 10 + [False, True]


@given(judged=snapshots(), most=st.integers(0, 60), seed=st.integers(0, 3))
def test_sentences_are_drawn_with_all_of_their_answers(judged: pd.DataFrame, most: int, seed: int) -> None:
    """As many as fit in a random order; one at least, and all where they fit."""
    answers = pd.Series(screen_pairs(judged).sentence).value_counts()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules[compared_sentences.__module__], "MOST_ANSWERS", most)
        drawn = compared_sentences(judged, seed=seed)
    if drawn is None:
        assert answers.sum() <= most
    else:
        assert answers.sum() > most
        assert len(drawn) >= 1
        assert answers.reindex(drawn, fill_value=0).sum() <= most or len(drawn) == 1
        assert set(drawn) < set(judged["sentence"]) or len(set(judged["sentence"])) == 1


def test_systems_can_be_chosen_and_then_stand_for_their_outputs() -> None:
    pairs = screen_pairs(JUDGED, systems=("A", "C", "E"))
    assert set(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)) == {(0, 1)}
    assert pairs.of_outputs.all()


def test_values_answer_by_their_order() -> None:
    pairs = screen_pairs(JUDGED)
    values = np.array([[3.0, 2.0, 2.0, 2.9], [1.0, np.nan, 0.0, 1.0]])
    said = answers_of_values(pairs, values, sentences=[0, 2], band=0.2)
    assert said.tolist() == [1, 1, 0, -1, -1, 1, 1, 0, -1, -1, 0, 0]
    assert answers_of_values(pairs, values)[-1] == NO_ANSWER


def test_a_machine_answers_what_it_judged_and_by_its_first_judgment() -> None:
    pairs = screen_pairs(JUDGED)
    machine = snapshot(("m", 0, "D > A"), ("m", 0, "A > D"), ("m", 2, "D = A"))
    said = answers_of_machine(pairs, screen_pairs(machine, systems=pairs.systems))
    asked = (pairs.first == 0) & (pairs.second == 3)
    assert said[asked].tolist() == [-1, -1, -1, 0]
    assert (said[~asked] == NO_ANSWER).all()
    with pytest.raises(ValueError, match="number different systems"):
        answers_of_machine(pairs, screen_pairs(machine))


@few_examples
@given(snapshots())
def test_pairs_of_outputs_are_those_of_agreement(judged: pd.DataFrame) -> None:
    pairs = screen_pairs(judged)
    assert int(pairs.of_outputs.sum()) == len(unexpanded_pairs(judged))
    beside = beside_people(pairs, np.full(len(pairs), NO_ANSWER, dtype=np.int8))
    assert beside.machine.value is None
    expected = agreement(judged).inter_pooled
    assert beside.people.n == expected.n
    assert beside.people.observed == pytest.approx(expected.observed)


@few_examples
@given(snapshots(), snapshots())
def test_contests_are_those_of_the_definition(judged: pd.DataFrame, machine: pd.DataFrame) -> None:
    """Sentence by sentence and person by person, with dictionaries."""
    pairs = screen_pairs(judged, systems=SYSTEMS)
    said = answers_of_machine(pairs, screen_pairs(machine, systems=SYSTEMS))
    answers: dict[tuple[int, int], dict[tuple[int, int], tuple[int, int]]] = {}
    for row in np.flatnonzero(pairs.is_first):
        visit = answers.setdefault((int(pairs.annotator[row]), int(pairs.sentence[row])), {})
        visit[int(pairs.first[row]), int(pairs.second[row])] = int(pairs.outcome[row]), int(said[row])
    expected: dict[str, list[tuple[int, bool, bool]]] = {name: [] for name in pairs.annotators}
    for (person, sentence), own in answers.items():
        leads = []
        for (other, of), theirs in answers.items():
            shared = [pair for pair in own if pair in theirs and own[pair][1] != NO_ANSWER]
            if other != person and of == sentence and shared:
                agreed = [own[pair][0] == theirs[pair][0] for pair in shared]
                by_machine = [own[pair][1] == theirs[pair][0] for pair in shared]
                leads.append((sum(by_machine) - sum(agreed)) / len(shared))
        if leads:
            lead = round(sum(leads), 9)
            expected[pairs.annotators[person]].append((sentence, lead >= 0, lead <= 0))
    found = contests_over_pairs(pairs, said)
    for contest in found.people:
        wins = zip(
            contest.sentence.tolist(),
            contest.machine_wins.tolist(),
            contest.person_wins.tolist(),
            strict=True,
        )
        assert sorted(wins) == sorted(expected[contest.person])


def test_sentences_are_compared_in_parts_with_the_same_result(monkeypatch: pytest.MonkeyPatch) -> None:
    people = [("anna", "A > B C > D"), ("ben", "A = B C > D"), ("cleo", "D > C B = A"), ("dan", "B > A")]
    judged = [(name, sentence, ranks) for sentence in range(6) for name, ranks in people[: 1 + sentence % 4]]
    pairs = screen_pairs(snapshot(*judged))
    said = answers_of_values(pairs, np.arange(24.0).reshape(6, 4) % 5)
    whole = contests_over_pairs(pairs, said)
    monkeypatch.setattr(pair_contests, "CELLS_AT_ONCE", 1)
    parts: list[None] = []
    comparisons = PairComparisons(pairs, lambda: parts.append(None))
    assert len(parts) == 6
    in_parts = comparisons.contests(said)
    assert (in_parts.instances, in_parts.answered) == (whole.instances, whole.answered) == (4, 4)
    for one, other in zip(in_parts.people, whole.people, strict=True):
        np.testing.assert_array_equal(one.sentence, other.sentence)
        np.testing.assert_array_equal(one.machine_wins, other.machine_wins)
        np.testing.assert_array_equal(one.person_wins, other.person_wins)


def test_half_ties_help_a_judge_who_never_ties() -> None:
    people = snapshot(*((name, number, "A = B") for number in range(2) for name in ("anna", "ben")))
    pairs = screen_pairs(people)
    always = np.ones(len(pairs), dtype=np.int8)
    decided = snapshot(*((name, 0, "A > B") for name in ("anna", "ben")))
    ties = np.zeros(len(screen_pairs(decided)), dtype=np.int8)
    for half_ties in (False, True):
        assert not contests_over_pairs(pairs, always, half_ties=half_ties).people[0].machine_wins.any()
        assert (
            not contests_over_pairs(screen_pairs(decided), ties, half_ties=half_ties)
            .people[0]
            .machine_wins.any()
        )


def test_every_pair_of_systems_is_there_once_a_judgment() -> None:
    pairs = screen_pairs(snapshot(("anna", 0, "A > B > C > D > E")))
    named = list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True))
    assert named == list(combinations(range(5), 2))


def test_a_machine_answers_each_pair_by_its_first_answer_about_it() -> None:
    """It may judge a sentence several times with other outputs."""
    machine = snapshot(("m", 0, "A > B"), ("m", 0, "D > A = B"), ("m", 0, "B > A"))
    pairs = screen_pairs(snapshot(("anna", 0, "A > B > C > D")))
    answers = answers_of_machine(pairs, screen_pairs(machine, systems=pairs.systems))
    asked = zip(pairs.first.tolist(), pairs.second.tolist(), answers.tolist(), strict=True)
    assert {(first, second): answer for first, second, answer in asked} == {
        (0, 1): 1,
        (0, 2): NO_ANSWER,
        (0, 3): -1,
        (1, 2): NO_ANSWER,
        (1, 3): -1,
        (2, 3): NO_ANSWER,
    }
