from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.design.assignment import AssignmentPlan, judgments_wanted, plan_assignment, shown_order
from annotate.design.draws import keyed_seed

PLANS = st.fixed_dictionaries(
    {
        "items": st.integers(0, 60),
        "annotators_per_item": st.integers(1, 4),
        "shared_percent": st.integers(0, 100),
        "repeat_percent": st.integers(0, 100),
        "batch_size": st.integers(1, 25),
        "seed": st.integers(0, 2**32),
    }
)


def plan(**changes: object) -> AssignmentPlan:
    design = {
        "items": 100,
        "annotators_per_item": 2,
        "shared_percent": 20,
        "repeat_percent": 5,
        "batch_size": 20,
        "seed": 1,
    }
    return plan_assignment(**{**design, **changes})  # type: ignore[arg-type]  # as the function has them


def test_a_share_of_the_items_is_judged_by_several_and_the_rest_once() -> None:
    wanted = Counter(slot.item for slot in plan(annotators_per_item=3, shared_percent=20).slots)
    assert Counter(wanted.values()) == {3: 20, 1: 80}
    assert judgments_wanted(100, 3, 20) == 140
    assert judgments_wanted(100, 2, 20) == 120


def test_a_share_of_the_first_judgments_is_repeated_after_all_others() -> None:
    assignment = plan(repeat_percent=5)
    wanted = Counter(slot.item for slot in assignment.slots)
    assert len(assignment.repeats) == 5
    assert all(repeat.repetition == wanted[repeat.item] for repeat in assignment.repeats)


def test_items_with_a_single_output_are_not_repeated() -> None:
    assignment = plan(items=10, repeat_percent=100, single=[3, 4])
    assert [repeat.item for repeat in assignment.repeats] == [0, 1, 2, 5, 6, 7, 8, 9]


@pytest.mark.parametrize(
    ("design", "sizes"),
    [
        ({"items": 50, "shared_percent": 100}, [20] * 5),
        ({"items": 41, "shared_percent": 0}, [14, 13, 14]),
        ({"items": 41, "shared_percent": 5}, [14, 15, 14]),
        ({"items": 100, "shared_percent": 1}, [17, 17, 17, 16, 17, 17]),
        ({"items": 4, "shared_percent": 100}, [4, 4]),
        ({"items": 1, "shared_percent": 100, "annotators_per_item": 3}, [1, 1, 1]),
    ],
)
def test_batches_are_levelled(design: dict[str, int], sizes: list[int]) -> None:
    screens = Counter(slot.batch for slot in plan(**design).slots)
    assert [screens[batch] for batch in range(len(screens))] == sizes


def test_batches_are_balanced_by_their_screens() -> None:
    single = range(0, 100, 3)
    assignment = plan(items=100, single=single, shared_percent=0)
    screens = Counter(slot.batch for slot in assignment.slots if slot.item not in single)
    assert sorted(screens.values()) == [16, 16, 17, 17]
    assert plan(items=45, single=range(45), shared_percent=0).batches == 3


@given(PLANS)
def test_no_batch_is_much_shorter_than_another(design: dict[str, Any]) -> None:
    assignment = plan_assignment(**design)
    sizes = Counter(slot.batch for slot in assignment.slots).values()
    assert not sizes or max(sizes) - min(sizes) <= 2


def test_shares_are_rounded() -> None:
    assert len(plan(items=10, repeat_percent=25).repeats) == 2
    assert len(plan(items=10, repeat_percent=26).repeats) == 3


def test_nothing_wants_nothing() -> None:
    assert plan(items=0) == AssignmentPlan((), (), 0)


def test_a_seed_always_gives_the_same_plan() -> None:
    # Written down, since a campaign must stay repeatable when NumPy is upgraded.
    small = plan(items=5, shared_percent=40, repeat_percent=20)
    assert [slot.item for slot in small.slots] == [3, 0, 1, 4, 2, 0, 4]
    assert [repeat.item for repeat in small.repeats] == [1]


def test_another_seed_gives_another_plan() -> None:
    assert plan(seed=1) != plan(seed=2)


@given(PLANS)
def test_every_slot_is_wanted_once_and_lies_in_one_place(design: dict[str, Any]) -> None:
    assignment = plan_assignment(**design)
    repetitions: dict[int, list[int]] = {item: [] for item in range(design["items"])}
    for slot in assignment.slots:
        repetitions[slot.item].append(slot.repetition)
    for repeat in assignment.repeats:
        repetitions[repeat.item].append(repeat.repetition)
    assert all(sorted(numbers) == list(range(len(numbers))) for numbers in repetitions.values())
    assert len({(slot.batch, slot.position) for slot in assignment.slots}) == len(assignment.slots)


@given(PLANS)
def test_no_batch_holds_an_item_twice_or_too_much(design: dict[str, Any]) -> None:
    assignment = plan_assignment(**design)
    batches: dict[int, list[int]] = {}
    for slot in assignment.slots:
        batches.setdefault(slot.batch, []).append(slot.item)
        assert slot.position == len(batches[slot.batch]) - 1
    assert list(batches) == list(range(assignment.batches))
    for items in batches.values():
        assert len(items) == len(set(items)) <= design["batch_size"]


@given(PLANS)
def test_as_many_are_wanted_as_were_asked_for(design: dict[str, Any]) -> None:
    assignment = plan_assignment(**design)
    items, others = design["items"], design["annotators_per_item"] - 1
    assert len(assignment.slots) == items + others * round(items * design["shared_percent"] / 100)
    assert len(assignment.repeats) == round(items * design["repeat_percent"] / 100)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"items": -1}, "items is -1, but must be at least 0"),
        ({"annotators_per_item": 0}, "annotators_per_item is 0, but must be at least 1"),
        ({"shared_percent": 101}, "shared_percent is 101, but must be 0 to 100"),
        ({"repeat_percent": -1}, "repeat_percent is -1, but must be 0 to 100"),
        ({"batch_size": 0}, "batch_size is 0, but must be at least 1"),
    ],
)
def test_refuses_impossible_designs(changes: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        plan(**changes)


class TestShownOrder:
    """The order in which somebody sees the outputs of an item."""

    def test_is_the_same_whenever_the_page_is_opened(self) -> None:
        assert shown_order(5, seed=[1, 2, 3]) == shown_order(5, seed=[1, 2, 3])

    @pytest.mark.parametrize("of_item", [lambda item: [1, item, 7], partial(keyed_seed, "ab", "screen")])
    def test_puts_every_output_in_every_place_alike(self, of_item: Callable[[int], int]) -> None:
        # 2,000 orders of 4: a standard deviation is 0.0097, the tolerance four of them.
        orders = np.array([shown_order(4, seed=of_item(item)) for item in range(2000)])
        for place in range(4):
            shares = np.bincount(orders[:, place], minlength=4) / 2000
            assert shares.tolist() == pytest.approx([0.25] * 4, abs=0.039)

    @given(st.integers(0, 9), st.integers(0, 2**256))
    def test_shows_every_output_once(self, outputs: int, seed: int) -> None:
        assert sorted(shown_order(outputs, seed=seed)) == list(range(outputs))


@st.composite
def runs_and_domains(draw: st.DrawFn) -> tuple[list[list[int]], list[str]]:
    """Runs of up to four items, each of one of three domains."""
    runs: list[list[int]] = []
    domains: list[str] = []
    for size in draw(st.lists(st.integers(1, 4), max_size=20)):
        runs.append(list(range(len(domains), len(domains) + size)))
        domains += [draw(st.sampled_from(["", "news", "essays"]))] * size
    return runs, domains


@given(runs_and_domains(), PLANS)
def test_runs_stay_together_and_batches_hold_one_domain(
    drawn: tuple[list[list[int]], list[str]], design: dict[str, Any]
) -> None:
    runs, domains = drawn
    assignment = plan_assignment(**{**design, "items": len(domains)}, runs=runs, domains=domains)
    places = {(slot.repetition, slot.item): (slot.batch, slot.position) for slot in assignment.slots}
    assert len(places) == len(assignment.slots)
    assert {item for repetition, item in places if repetition == 0} == set(range(len(domains)))
    for repetition in range(design["annotators_per_item"]):
        for run in runs:
            given = sorted(places[repetition, item] for item in run if (repetition, item) in places)
            assert len(given) in (0, len(run))
            if given and len(run) <= design["batch_size"]:
                batch, first = given[0]
                assert given == [(batch, first + step) for step in range(len(run))]
    by_batch = {
        batch: {domains[slot.item] for slot in assignment.slots if slot.batch == batch}
        for batch in range(assignment.batches)
    }
    assert all(len(held) == 1 for held in by_batch.values())
    sizes = Counter(slot.batch for slot in assignment.slots)
    assert max(sizes.values(), default=0) <= design["batch_size"]
    assert sorted(sizes) == list(range(assignment.batches))


def test_a_run_that_no_batch_holds_goes_on_in_the_next() -> None:
    assignment = plan(items=7, annotators_per_item=1, batch_size=3, runs=[list(range(7))], repeat_percent=0)
    places = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (2, 0), (2, 1)]
    assert [(slot.batch, slot.position) for slot in assignment.slots] == places


@pytest.mark.parametrize("seed", range(10))
def test_runs_of_one_and_two_screens_fill_batches_of_two(seed: int) -> None:
    runs = [run for first in range(0, 24, 3) for run in ([first], [first + 1, first + 2])]
    found = plan(items=24, annotators_per_item=1, batch_size=2, runs=runs, repeat_percent=0, seed=seed)
    assert found.batches == 12


@pytest.mark.parametrize("seed", range(10))
def test_runs_leave_no_batch_of_one_screen_beside_one_of_eight(seed: int) -> None:
    firsts = list(accumulate([3, 2, 1, 1, 3, 2, 3, 1, 3, 3, 1], initial=0))
    runs = [list(range(first, end)) for first, end in pairwise(firsts)]
    found = plan(items=23, annotators_per_item=1, batch_size=8, runs=runs, repeat_percent=0, seed=seed)
    sizes = Counter(slot.batch for slot in found.slots).values()
    assert len(sizes) <= 4
    assert max(sizes) - min(sizes) <= 3


def test_domains_come_mixed() -> None:
    domains = ["news"] * 50 + ["essays"] * 50
    assignment = plan(domains=domains, batch_size=5, annotators_per_item=1)
    in_order = [domains[slot.item] for slot in assignment.slots if slot.position == 0]
    assert in_order not in (sorted(in_order), sorted(in_order, reverse=True))
