"""Positions of scores in the plot within the rows of a ranking's table."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.pages.forest_plot import Axis, axis_of
from ranking import Standing


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
