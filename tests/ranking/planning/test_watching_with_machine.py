"""Differences that a machine corrects: lambda looks back only, intervals hold at all looks and end sooner."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import pytest

from ranking import Method, Watched, judgments_until_settled, watch
from tests.depth import DEEP
from tests.ranking.machines.campaigns import MACHINES, SYSTEMS, Campaign, campaign, true_scores

METHODS = (Method.EXPECTED_WINS, Method.BRADLEY_TERRY)
DESIGNS = {
    "a sample": Campaign(),
    "two judges of each": Campaign(asked=60, judges=2),
    "unequal sampling": Campaign(is_sample=False),
}
LARGE = Campaign(sentences=1500, asked=300)


@dataclass(frozen=True)
class Simulated:
    """Over campaigns: the share in which all intervals of all looks hold, and what a machine changes.

    `width` is that of intervals over that of people alone; `earlier` and `later` are shares of pairs of
    neighbours that settle so with the machine.
    """

    held: float
    held_by_people: float
    width: float
    weight: float
    earlier: float
    later: float


def holds(watched: Watched, method: Method) -> bool:
    truth = dict(zip(SYSTEMS, true_scores(method), strict=True))
    return not any(
        np.any(
            np.abs(pair.difference - (truth[pair.above] - truth[pair.below]))
            > pair.standard_error * watched.anytime
        )
        for pair in watched.pairs
    )


def settled(watched: Watched) -> dict[frozenset[str], float]:
    return {frozenset((pair.above, pair.below)): pair.settled_at or np.inf for pair in watched.pairs}


def simulated(design: Campaign, method: Method, campaigns: int, looks: int = 20) -> Simulated:
    rows, times = [], []
    for seed in range(campaigns):
        people, machine = campaign(design, seed)
        planned = design.asked * design.judges
        alone = watch(people, method, looks=looks, planned=planned)
        both = watch(people, method, looks=looks, planned=planned, machine=machine)
        errors = [np.mean([pair.standard_error[-1] for pair in each.pairs]) for each in (both, alone)]
        weight = np.mean([pair.weight for pair in both.pairs])
        rows.append((holds(both, method), holds(alone, method), errors[0] / errors[1], weight))
        with_machine = settled(both)
        times += [(with_machine[pair], time) for pair, time in settled(alone).items()]
    held, held_by_people, width, weights = np.mean(np.array(rows, dtype=np.float64), axis=0).tolist()
    sooner, later = (float(np.mean([sign * a < sign * b for a, b in times])) for sign in (1, -1))
    return Simulated(held, held_by_people, width, weights, sooner, later)


def pair_of(people: pd.DataFrame, machine: pd.DataFrame | None, looks: int, method: Method) -> Watched:
    return watch(people, method, looks=looks, planned=100, pair=("A", "C"), machine=machine)


@pytest.mark.parametrize("method", METHODS)
def test_looks_so_far_do_not_depend_on_what_follows(method: Method) -> None:
    """So the lambda of a sentence depends on nothing that came after its first judgment."""
    people, machine = campaign(Campaign(asked=120), 3)
    number = people["judgment"].nunique() // 20 * 20
    names = people["judgment"].unique()
    whole = pair_of(people[people["judgment"].isin(names[:number])], machine, 20, method)
    half = pair_of(people[people["judgment"].isin(names[: number // 2])], machine, 10, method)
    assert whole.pairs[0].weight > 0
    np.testing.assert_allclose(half.pairs[0].difference, whole.pairs[0].difference[:10])
    np.testing.assert_allclose(half.pairs[0].standard_error, whole.pairs[0].standard_error[:10])


@pytest.mark.parametrize("method", METHODS)
def test_a_good_machine_narrows_intervals_and_a_harmful_one_does_nothing(method: Method) -> None:
    people, good = campaign(Campaign(asked=200), 1)
    alone, both = (pair_of(people, machine, 20, method).pairs[0] for machine in (None, good))
    assert (alone.weight, alone.lasting_error) == (0, 0)
    assert both.weight > 0.1
    assert 0 < both.lasting_error < both.standard_error[-1] < alone.standard_error[-1]
    people, harmful = campaign(Campaign(machine="harmful"), 1)
    alone, both = (pair_of(people, machine, 20, method).pairs[0] for machine in (None, harmful))
    assert (both.weight, both.lasting_error) == (0, 0)
    np.testing.assert_allclose(both.difference, alone.difference)
    np.testing.assert_allclose(both.standard_error, alone.standard_error)


def test_a_machine_that_is_a_person_is_worth_its_sentences() -> None:
    """Answers of the same people about 600 sentences: the standard error comes close to that of 600."""
    everybody, _ = campaign(Campaign(sentences=600, asked=600), 2)
    people = everybody[everybody["judgment"].isin(everybody["judgment"].unique()[:150])]
    some, all_of_them = (watch(each, pair=("A", "C"), planned=150).pairs[0] for each in (people, everybody))
    both = watch(people, pair=("A", "C"), planned=150, machine=everybody, looks=50).pairs[0]
    assert both.weight > 0.8
    assert all_of_them.standard_error[-1] < both.standard_error[-1] < 0.75 * some.standard_error[-1]
    assert abs(both.difference[-1] - all_of_them.difference[-1]) < abs(
        some.difference[-1] - all_of_them.difference[-1]
    )


def test_a_machine_that_saw_nothing_of_it_changes_nothing() -> None:
    people, machine = campaign(Campaign(), 1)
    alone = watch(people).pairs
    elsewhere = watch(people, machine=machine.assign(sentence=machine["sentence"] + 10_000)).pairs
    renamed = [(f"{name}'",) for (name,) in machine["systems"]]
    named = machine.assign(systems=pd.Series(renamed, index=machine.index))
    strange = watch(people, machine=named).pairs
    for pair, first, second in zip(alone, elsewhere, strange, strict=True):
        for other in (first, second):
            assert (other.above, other.below, other.weight) == (pair.above, pair.below, 0)
            np.testing.assert_allclose(other.standard_error, pair.standard_error)
    few = people[people["judgment"].isin(people["judgment"].unique()[:5])]
    assert np.isnan(watch(few, machine=machine).pairs[0].standard_error).all()
    assert watch(people.iloc[:0], machine=machine).pairs == ()


def test_further_judgments_do_not_mend_the_error_of_the_machine() -> None:
    people, machine = campaign(Campaign(), 1)
    watched = watch(people, machine=machine, planned=100)
    pair = next(each for each in watched.pairs if each.settled_at is None)
    alone = replace(pair, lasting_error=0.0)
    lasting = replace(pair, lasting_error=0.9 * float(pair.standard_error[-1]))
    assert (judgments_until_settled(watched, lasting).low or np.inf) >= (
        judgments_until_settled(watched, alone).low or np.inf
    )


@pytest.mark.slow
@pytest.mark.parametrize("machine", MACHINES)
def test_intervals_hold_at_all_looks_of_a_few_campaigns(machine: str) -> None:
    found = simulated(Campaign(machine=machine, is_sample=machine != "useless"), METHODS[0], 10, looks=10)
    assert found.held >= 0.9
    assert (found.width < 0.99) == (machine == "good")
    assert (found.weight > 0.1) == (machine == "good")


@pytest.mark.deep
@pytest.mark.skipif(not DEEP, reason="500 campaigns each")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("design", DESIGNS)
def test_intervals_hold_at_all_looks_in_95_of_100_campaigns(
    design: str, machine: str, method: Method, record_property: Callable[[str, object], None]
) -> None:
    found = simulated(replace(DESIGNS[design], machine=machine), method, 500)
    record_property("found", str(found))
    assert found.held >= 0.95
    assert found.width < 1.01
    assert found.weight < 0.05 or machine == "good"


@pytest.mark.deep
@pytest.mark.skipif(not DEEP, reason="500 campaigns each")
@pytest.mark.parametrize("machine", MACHINES)
def test_a_good_machine_settles_pairs_earlier(
    machine: str, record_property: Callable[[str, object], None]
) -> None:
    found = simulated(replace(LARGE, machine=machine), METHODS[0], 500, looks=30)
    record_property("found", str(found))
    assert found.held >= 0.95
    if machine == "good":
        assert found.earlier > 1.5 * found.later
    else:
        assert abs(found.earlier - found.later) < 0.02
