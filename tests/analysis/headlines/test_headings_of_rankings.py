"""Headings of rankings, for few and many systems."""

from types import SimpleNamespace as Made

import pytest

from analysis.analyses.base import analyses
from analysis.analyses.systems.ranking_headline import not_counted
from core.names import Naming
from core.results import Computed
from core.wording import beginning
from ranking import Standings
from tests.analysis.headlines.headings import MANY, heading, ranked

ROLES = {"SRC": "source", "REF": "reference", "REF2": "reference", "A": "system"}


@pytest.mark.parametrize(
    ("standings", "expected"),
    [
        (ranked(), "No system can be ranked yet"),
        (ranked("A"), "A is the only system with a score"),
        (ranked("A", "B"), "A is ranked above B"),
        (ranked("A B"), "A and B cannot be told apart"),
        (ranked("A B SRC C"), "None of the three systems can be told apart"),
        (ranked("A", "B C SRC D", "E"), "A is ranked first; B, C and D cannot be told apart"),
        (
            ranked("A", "B C SRC D E", "F"),
            "A is ranked first; four of the other five systems cannot be told apart",
        ),
        (ranked("A", "B C SRC D"), "A is ranked first; the other three systems cannot be told apart"),
        (ranked("A", "B", "C"), "A is ranked first; the other two systems can also be told apart"),
        (ranked("A B", "C D", "E F"), "A and B share first place; the other four systems form two clusters"),
        (ranked("A B C D", "E"), "four of the five systems share first place"),
        (ranked("A", "SRC", "B"), "A is ranked first"),
        (ranked("REF", "A B", "SRC"), "A and B share the highest place below REF"),
        (ranked("REF", "REF2", "A", "B"), "A is ranked highest below REF and REF2"),
        (
            ranked("REF", "A", "B C"),
            "A is ranked highest below REF; the other two systems cannot be told apart",
        ),
        (
            ranked("A", "B:2-3 C:2-4 D:4-5 E:4-5", "F"),
            "A is ranked first; four of the other five systems form one cluster",
        ),
        (ranked("A", "B:2-3 C:3-4 D:4-4"), "A is ranked first; the other three systems form one cluster"),
        (
            ranked("A:1-2 B:2-3 C:3-3", "D"),
            "only A’s rank range includes first place; three systems form the first cluster",
        ),
        (
            ranked("A:1-2 B:1-3 C:3-3"),
            "only A and B have rank ranges that include first place",
        ),
        (
            ranked("A:1-4 B:1-4 C:1-5 D:1-5 E:5-6 SRC:5-6", "F G"),
            "only four of the seven systems have rank ranges that include first place; "
            "the two systems below the first cluster cannot be told apart",
        ),
        (
            ranked("REF", "A:2-3 B:3-4 C:3-4"),
            "only A’s rank range includes the highest place below REF",
        ),
        (ranked("A SRC", "B"), "A shares the first cluster with SRC"),
        (ranked("REF:1-2 A:2-3 B:2-3", "C"), "A and B share the first cluster with REF"),
        (ranked("REF", "SRC", reason="there is only one sentence"), "REF has the highest score"),
        (ranked(*MANY[:15]), "S1 is ranked first; the other 14 systems can all be told apart"),
        (ranked(*MANY), "S1 is ranked first; the other 39 systems can all be told apart"),
        (ranked(" ".join(MANY)), "None of the 40 systems can be told apart"),
        (ranked(" ".join(MANY[:15])), "None of the 15 systems can be told apart"),
        (
            ranked(*map(" ".join, (MANY[:2], MANY[2:15]))),
            "S1 and S2 share first place; the other 13 systems cannot be told apart",
        ),
        (
            ranked(*map(" ".join, (MANY[:12], MANY[12:15]))),
            "twelve of the 15 systems share first place; the other three systems cannot be told apart",
        ),
        (
            ranked(*map(" ".join, (MANY[:1], MANY[1:20], MANY[20:30], MANY[30:]))),
            "S1 is ranked first; the other 39 systems form three clusters",
        ),
        (ranked("REF", "SRC", "REF2", "A B"), "A and B share the highest place below REF, SRC and REF2"),
        (ranked("A", "SRC B REF", "C"), "A is ranked first; the other two systems can also be told apart"),
        (ranked("A B SRC"), "A and B cannot be told apart"),
        (ranked("A:1-2 SRC:1-3 B:2-4 C:3-4"), "only A’s rank range includes first place"),
        (
            ranked("A:1-2 B:2-4 SRC:2-4 C:3-4", "D"),
            "only A’s rank range includes first place; three systems and SRC form the first cluster",
        ),
        (ranked("REF REF2 SRC", "A"), "A is ranked highest below REF, REF2 and SRC"),
        (ranked("REF", "SRC", "REF2"), "REF is ranked first"),
        (ranked("REF SRC REF2"), "REF, SRC and REF2 share first place"),
    ],
)
def test_a_ranking(standings: Standings, expected: str) -> None:
    result, naming = Made(standings=standings), Naming("", {}, ROLES, {})
    said = analyses()["ranking"].headline
    assert said is not None
    assert said(Computed(None, result), naming) == beginning(expected)


@pytest.mark.parametrize(
    ("standings", "expected"),
    [
        (ranked("A", "B"), ""),
        (ranked("A", "SRC", "B"), "SRC (the unchanged text) is ranked like a system but not counted as one."),
        (
            ranked("REF SRC", "A", "REF2"),
            "The reference (a reference), SRC (the unchanged text) and REF2 (a reference) are ranked like "
            "systems but not counted as such.",
        ),
    ],
)
def test_what_a_ranking_counts_as_systems(standings: Standings, expected: str) -> None:
    assert not_counted(standings, ROLES, {"REF": "The reference"}) == expected


def test_systems_are_called_by_their_labels() -> None:
    assert heading("ranking", Made(standings=ranked("A", "B"))) == "Alder is ranked above B"
