"""The heading of a ranking says its result."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.analyses.ranking_headline import headline
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
