"""Tests that take turns."""

from types import SimpleNamespace
from typing import cast

import pytest

from tests.rotation import PARTS, ROOT, ROTATING, whose_turn_it_is

ITEMS = [
    cast(pytest.Item, SimpleNamespace(nodeid=f"{path}::{number}", path=ROOT / path))
    for path in (
        "analysis/reproduction/test_tables.py",
        "figures/test_a.py",
        "jobs/test_faults.py",
    )
    for number in range(7)
]


def test_each_has_its_turn_once_and_others_always_run() -> None:
    turns = [[item.nodeid for item in whose_turn_it_is(ITEMS, part)] for part in range(PARTS)]
    for item in ITEMS:
        rotates = "jobs" not in item.nodeid
        assert sum(item.nodeid in names for names in turns) == (1 if rotates else PARTS), item.nodeid
    sizes = [len(names) for names in turns]
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("path", ROTATING)
def test_what_takes_turns_is_there(path: str) -> None:
    assert (ROOT / path).exists()
