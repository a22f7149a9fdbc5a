"""Where people's answers change a ranking most, given a machine; and what follow-ups there are worth."""

import numpy as np
import pandas as pd
import pytest

from ranking import Method
from ranking.machines import change_by_sentence
from tests.depth import DEEP
from tests.ranking.machines.follow_ups import World, followed, frame

METHODS = (Method.EXPECTED_WINS, Method.BRADLEY_TERRY)
WORLDS = {
    "sentences alike, asked once": World(few=0.0),
    "half with few outputs, asked once": World(),
    "hard and easy, few outputs, asked three times": World(luck=(0.2, 2.5), times=3),
}

ALL_DIFFER = np.arange(5)
RANKED = np.array([1, 2, 3, 4, 5])


def judged(name: str, outputs: list[list[int]], ranks: list[list[int]]) -> pd.DataFrame:
    return frame(name, np.arange(len(outputs)), np.array(outputs), np.array(ranks))


def test_sentences_with_more_to_compare_change_more() -> None:
    outputs = [[0, 0, 0, 0, 0], [0, 0, 0, 0, 1], [0, 0, 1, 1, 2], [0, 1, 2, 3, 4]]
    ranks = [[1] * 5, [1, 1, 1, 1, 2], [1, 1, 2, 2, 3], [1, 2, 3, 4, 5]]
    machine = judged("machine", outputs, ranks)
    nobody = machine.iloc[:0]
    changes = change_by_sentence(nobody, machine, weight=0.0)
    assert list(changes) == [0, 1, 2, 3]
    assert changes[0] == 0
    assert changes[1] < changes[2] < changes[3]
    assert np.mean(list(changes.values())) == pytest.approx(1)
    # Of two outputs, four systems move by one and one by four: 4 + 16. In a random order of five, the number
    # of wins less losses of each has the variance 8.
    assert (changes[1] / changes[3]) ** 2 == pytest.approx((4 + 16) / (5 * 8))
    assert change_by_sentence(nobody, nobody, weight=0.0) == {}


def test_where_people_contradict_the_machine_their_answers_say_more() -> None:
    """The machine ties on odd sentences, where people rank at random; elsewhere both say the same."""
    outputs = [[0, 1, 2, 3, 4]] * 80
    rng = np.random.default_rng(1)
    machine = judged("machine", outputs, [[1] * 5 if row % 2 else [1, 2, 3, 4, 5] for row in range(80)])
    told = [rng.permutation(5).tolist() if row % 2 else [1, 2, 3, 4, 5] for row in range(80)]
    people = judged("people", outputs[:40], told[:40])
    changes = change_by_sentence(people, machine, weight=0.8)
    assert {round(changes[row], 6) for row in range(1, 80, 2)} == {round(changes[79], 6)}
    assert changes[79] > 3 * changes[78]
    assert change_by_sentence(people, machine, weight=0.0)[78] == pytest.approx(1)


def test_a_machine_that_contradicts_itself_is_unsure() -> None:
    outputs = [[0, 1, 2, 3, 4]] * 60
    up, down = [1, 2, 3, 4, 5], [1, 2, 3, 5, 4]
    once = judged("once", outputs, [up] * 60)
    again = judged("again", outputs, [down if row % 2 else up for row in range(60)])
    machine = pd.concat([once, again], ignore_index=True)
    told = [[1, 2, 3, 4, 5] if row % 2 == 0 else rank for row, rank in enumerate([up, down] * 20)]
    people = judged("people", outputs[:40], told)
    changes = change_by_sentence(people, machine, weight=0.9)
    assert changes[59] > changes[58]


@pytest.mark.slow
def test_follow_ups_hold_in_a_few_campaigns() -> None:
    found = followed(World(sentences=200, asked=60), Method.EXPECTED_WINS, 6)
    assert found.active >= 0.75
    assert found.width < 1.2


@pytest.mark.deep
@pytest.mark.skipif(not DEEP, reason="500 campaigns each")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("world", WORLDS)
def test_intervals_hold_after_active_follow_ups(world: str, method: Method) -> None:
    found = followed(WORLDS[world], method, 500)
    assert 0.93 <= found.active <= 0.97
    assert 0.93 <= found.uniform <= 0.97
    assert found.width < 1.01
