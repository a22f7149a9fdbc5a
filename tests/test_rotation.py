"""Tests that take turns."""

from types import SimpleNamespace
from typing import cast

import pytest

from tests.rotation import ON_EACH_DATABASE, PARTS, ROOT, ROTATING, whose_turn_it_is


def item(path: str, number: int, *made_once: str, commits: bool = False, **parameters: object) -> pytest.Item:
    """A test that uses these fixtures of its module."""
    marker = SimpleNamespace(kwargs={"transaction": commits})
    fixtures = {name: [SimpleNamespace(baseid="tests", scope="module")] for name in made_once}
    fixtures |= {"db": [SimpleNamespace(baseid="", scope="module")]}
    return cast(
        pytest.Item,
        SimpleNamespace(
            nodeid=f"{path}::{number}",
            path=ROOT / path,
            get_closest_marker=lambda name: marker,
            callspec=SimpleNamespace(params=parameters),
            _fixtureinfo=SimpleNamespace(name2fixturedefs=fixtures),
        ),
    )


ALONE = [
    item(path, number, commits="threads" in path)
    for path in (
        "analysis/reproduction/test_tables.py",
        "figures/test_a.py",
        "jobs/test_faults.py",
        "core/test_a.py",
        "core/test_threads.py",
    )
    for number in range(7)
]


@pytest.mark.parametrize(
    ("second", "always"), [(False, ("jobs", "core")), (True, ("jobs", "core/test_threads"))]
)
def test_each_has_its_turn_once_and_others_always_run(second: bool, always: tuple[str, ...]) -> None:
    turns = [
        [each.nodeid for each in whose_turn_it_is(ALONE, part, on_a_second_database=second)]
        for part in range(PARTS)
    ]
    for each in ALONE:
        times = PARTS if each.nodeid.startswith(always) else 1
        assert sum(each.nodeid in names for names in turns) == times, each.nodeid
    sizes = [len(names) for names in turns]
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("cases", [1, 2])
def test_what_a_module_makes_once_is_made_for_one_commit(cases: int) -> None:
    tests = [item("figures/test_b.py", number, "made", made=number % cases) for number in range(4)]
    turns = [{each.nodeid for each in whose_turn_it_is([*ALONE, *tests], part)} for part in range(PARTS)]
    for case in range(cases):
        together = {each.nodeid for each in tests[case::cases]}
        assert [together & turn for turn in turns if together & turn] == [together]


@pytest.mark.parametrize("path", [*ROTATING, *ON_EACH_DATABASE])
def test_what_takes_turns_is_there(path: str) -> None:
    assert (ROOT / path).exists()
