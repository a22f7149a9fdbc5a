"""The heading of a ranking says its result."""

import numpy as np
import pytest

from analysis.pages.ranking_headline import headline
from ranking import Method, Standing, Standings, Unit


def ranked(*clusters: str, reason: str | None = None) -> Standings:
    """Systems in clusters, such as "A B"; each has a lower score than the one before."""
    names = [(name, number) for number, members in enumerate(clusters, start=1) for name in members.split()]
    systems = tuple(
        Standing(name, 1 - place / 100, None, None, None, None, None, None if reason else cluster, None)
        for place, (name, cluster) in enumerate(names)
    )
    return Standings(Method.EXPECTED_WINS, Unit.SENTENCE, 1000, 0.95, systems, (), np.empty((0, 0)), reason)


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
        (ranked("REF", "SRC", reason="there is only one sentence"), "REF has the highest score"),
    ],
)
def test_the_result_in_a_sentence(standings: Standings, expected: str) -> None:
    assert headline(standings, ROLES, {}) == expected[0].upper() + expected[1:]


def test_systems_are_called_by_their_labels() -> None:
    assert headline(ranked("A", "B"), {}, {"A": "Model α"}) == "Model α is ranked above B"
