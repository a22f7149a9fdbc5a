"""What has changed from one version of a leaderboard to the next, in sentences."""

from typing import Any

import pytest

from analysis.publishing.version_changes import NOTHING, NUMBERED, Version, changes


def version(
    *clusters: str, judgments: str = "1,200", rule: str = "rule:3", named: bool = True, **parameters: str
) -> Version:
    """A version with the systems of each cluster in order."""
    content: dict[str, Any] = {
        "ranking": {
            "clusters": [
                [{"system": system, "cluster": number} for system in cluster.split()]
                for number, cluster in enumerate(clusters, start=1)
            ]
        },
        "facts": [["Screens judged", judgments], ["Annotators", "8"]],
        "signatures": [["the ranking", f"ew|unit:sentence|{rule}|snapshot:{judgments}"]],
    }
    return Version(content, {"method": "", **parameters}, named)


BEFORE = version("A B", "C D")


@pytest.mark.parametrize(
    ("after", "sentences"),
    [
        (BEFORE, ["The order is the same."]),
        (version("A B", "C D E"), ["E joined.", "The order among the systems of both versions is the same."]),
        (
            version("A B", "D"),
            ["C is no longer ranked.", "The order among the systems of both versions is the same."],
        ),
        (version("B A", "C D"), ["Moved to another place: B from 2 to 1 and A from 1 to 2."]),
        (version("A B C D"), ["The order is the same.", "There is 1 cluster instead of two."]),
        (
            version("A B", "C D", judgments="1,500"),
            ["The order is the same.", "300 more judgments: 1,500 instead of 1,200."],
        ),
        (
            version("A B", "C D", judgments="1,199"),
            ["The order is the same.", "1 fewer judgment: 1,199 instead of 1,200."],
        ),
        (
            version("A B", "C D", method="bt"),
            ["The order is the same.", "Other settings: method bt instead of the default."],
        ),
        (
            version("A B", "C D", rule="rule:4"),
            ["The order is the same.", "It was computed by a newer rule of Assay."],
        ),
    ],
)
def test_each_kind_of_change_has_its_sentence(after: Version, sentences: list[str]) -> None:
    assert changes(BEFORE, after) == sentences


def test_systems_without_names_are_not_compared() -> None:
    numbered = version("1 2", "3 4", named=False)
    assert changes(numbered, version("2 1", "3 5", named=False)) == [NUMBERED]
    assert NOTHING not in changes(numbered, numbered)


def test_many_systems_are_counted() -> None:
    names = [f"s{number}" for number in range(20)]
    before, after = version(" ".join(names)), version(" ".join(reversed(names)))
    assert changes(before, after) == ["20 systems moved to another place."]
    assert changes(version("A"), version(" ".join(["A", *names])))[0] == "20 systems joined."
