"""Shares of unchanged outputs and of changed meaning."""

import pandas as pd

from ranking import system_changes
from tests.ranking.scorings import scored


def test_an_unchanged_output_is_that_of_the_source() -> None:
    frame = scored(("ann", 0, {"A INPUT": 1, "B": 2}), ("ben", 1, {"A": 1, "B": 2, "INPUT": 3}))
    frame["meaning_changed"] = pd.array([False, True, None, False, False], dtype="boolean")
    frame.loc[len(frame)] = {**frame.loc[1].to_dict(), "judgment": "again", "meaning_changed": False}
    first, second, source = system_changes(frame, "INPUT")
    assert (first.system, first.sentences, first.unchanged, first.flagged) == ("A", 2, 0.5, 0.0)
    assert (second.system, second.unchanged, second.flagged, second.flagged_by_most) == ("B", 0.0, 0.25, 0.0)
    assert (source.system, source.unchanged, source.reason) == ("INPUT", 1.0, None)


def test_unknown_changes_are_not_counted() -> None:
    frame = scored(("ann", 0, {"A": 1, "B": 2})).assign(meaning_changed=pd.array([None] * 2, dtype="boolean"))
    change = system_changes(frame, "INPUT")[0]
    assert (change.unchanged, change.flagged, change.flagged_by_most) == (None, None, None)
    assert change.reason == "INPUT is not among the systems; nobody was asked whether the meaning changed"
