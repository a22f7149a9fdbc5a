"""The heading of a ranking says its result; where the plot in the rows of its table draws scores."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.analyses.ranking_headline import headline
from analysis.pages.forest_plot import Axis, axis_of
from ranking import Method, Standing, Standings, Unit


def ranked(*clusters: str, reason: str | None = None) -> Standings:
    """Systems in clusters, such as "A B"; each has a lower score than the one before.

    The rank range of a system is that of its cluster, or its own, such as in "A:1-2 B:2-3 C:2-3".
    """
    systems: list[Standing] = []
    for cluster, members in enumerate(map(str.split, clusters), start=1):
        best, worst = len(systems) + 1, len(systems) + len(members)
        for name, _, stated in (member.partition(":") for member in members):
            low, high = map(int, stated.split("-")) if stated else (best, worst)
            standing = Standing(name, 1 - len(systems) / 100, None, None, None, low, high, cluster, None)
            unranked = replace(standing, rank_low=None, rank_high=None, cluster=None)
            systems.append(unranked if reason else standing)
    return Standings(
        Method.EXPECTED_WINS, Unit.SENTENCE, 1000, 0.95, tuple(systems), (), np.empty((0, 0)), reason
    )


ROLES = {"SRC": "source", "REF": "reference", "A": "system"}


@pytest.mark.parametrize(
    ("standings", "expected"),
    [
        (ranked(), "No system can be ranked yet"),
        (ranked("A"), "A is the only system with a score"),
        (ranked("A", "B"), "A is ranked above B"),
        (ranked("A B"), "A and B cannot be told apart"),
        (ranked("A B SRC C"), "None of the three systems can be told apart"),
        (ranked("A", "B C SRC D", "E"), "A is ranked first; B, C and D cannot be told apart"),
        (ranked("A", "B C SRC D E", "F"), "A is ranked first; four systems cannot be told apart"),
        (ranked("A", "B C SRC D"), "A is ranked first; the other three cannot be told apart"),
        (ranked("A", "B", "C"), "A is ranked first; the other two can all be told apart"),
        (ranked("A B", "C D", "E F"), "A and B are together ranked first; the other four form two clusters"),
        (ranked("A B C D", "E"), "four systems are together ranked first"),
        (ranked("A", "SRC", "B"), "A is ranked first"),
        (ranked("REF", "A B", "SRC"), "A and B are together ranked highest below REF"),
        (ranked("REF", "A", "B C"), "A is ranked highest below REF; the other two cannot be told apart"),
        (ranked("A", "B:2-3 C:2-4 D:4-5 E:4-5", "F"), "A is ranked first; four systems form one cluster"),
        (ranked("A", "B:2-3 C:3-4 D:4-4"), "A is ranked first; the other three form one cluster"),
        (
            ranked("A:1-2 B:2-3 C:3-3", "D"),
            "of the three systems in the first cluster, only A can be ranked first",
        ),
        (
            ranked("A:1-2 B:1-3 C:3-3"),
            "of the three systems in the only cluster, A and B can be ranked first",
        ),
        (
            ranked("A:1-4 B:1-4 C:1-5 D:1-5 E:5-6 SRC:5-6", "F G"),
            "of the five systems in the first cluster, four can be ranked first; "
            "the other two cannot be told apart",
        ),
        (
            ranked("REF", "A:2-3 B:3-4 C:3-4"),
            "of the three systems in the first cluster below REF, only A can be ranked highest",
        ),
        (ranked("A SRC", "B"), "A shares the first cluster with SRC"),
        (ranked("REF:1-2 A:2-3 B:2-3", "C"), "A and B share the first cluster with REF"),
        (ranked("REF", "SRC", reason="there is only one sentence"), "REF has the highest score"),
    ],
)
def test_the_result_in_a_sentence(standings: Standings, expected: str) -> None:
    assert headline(standings, ROLES, {}) == expected[0].upper() + expected[1:]


def test_systems_are_called_by_their_labels() -> None:
    assert headline(ranked("A", "B"), {}, {"A": "Model α"}) == "Model α is ranked above B"


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        ([0.26, 0.66, 0.5], ["0.2", "0.3", "0.4", "0.5", "0.6", "0.7"]),
        ([41.2, 88.0], ["40", "50", "60", "70", "80", "90"]),
        ([-1.2, 0.9], ["-1.5", "-1.0", "-0.5", "0.0", "0.5", "1.0"]),
        ([0.5, 0.5], ["0.5", "0.6"]),
        ([], ["0.0", "0.2"]),
    ],
)
def test_ticks_are_round_and_around_the_values(values: list[float], labels: list[str]) -> None:
    assert [tick.label for tick in Axis(values).ticks] == labels


@given(st.lists(st.floats(-1000, 1000), min_size=1))
def test_every_value_is_on_the_axis(values: list[float]) -> None:
    axis = Axis(values)
    assert len(axis.ticks) >= 2
    for value in values:
        assert 0 <= float(axis.place(value)) <= 100


def test_without_an_interval_there_is_a_dot_alone() -> None:
    alone = Standing("A", 0.4, None, None, None, None, None, None, "no interval")
    unknown = Standing("B", None, None, None, None, None, None, None, "never compared")
    axis = axis_of([alone, unknown], 0.5)
    mark = axis.mark(alone)
    assert mark is not None
    assert (mark.low, mark.high) == ("", "")
    assert axis.mark(unknown) is None
