"""Positions of dots and intervals in a table."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.marks import EDGE, scale_of
from tests.depth import examples

finite = st.floats(-1e6, 1e6).map(lambda value: round(value, 3))


def test_a_scale_reaches_from_the_lowest_to_the_highest_value() -> None:
    scale = scale_of([0.62, 0.3, 0.45])
    assert scale is not None
    assert (scale.low, scale.high) == (0.3, 0.62)
    assert scale.lines == (0.3, 0.4, 0.5, 0.6)
    assert scale.place(0.3) == pytest.approx(100 * EDGE)
    assert scale.place(0.62) == pytest.approx(100 * (1 - EDGE))
    assert scale.place(0.46) == pytest.approx(50)


def test_a_scale_ends_at_lines_that_are_near() -> None:
    shares = scale_of([0.0, 0.04, 0.19])
    assert shares is not None
    assert (shares.low, shares.high, shares.lines) == (0.0, 0.2, (0.0, 0.05, 0.1, 0.15, 0.2))
    words = scale_of([0.03, 3.39])
    assert words is not None
    assert (words.low, words.high, words.lines) == (0.0, 3.39, (0.0, 1.0, 2.0, 3.0))


def test_without_a_finite_value_there_is_none() -> None:
    assert scale_of([]) is None
    assert scale_of([float("nan"), float("inf")]) is None


def test_one_value_stands_in_the_middle() -> None:
    scale = scale_of([7.0])
    assert scale is not None
    assert scale.place(7.0) == 50


@given(st.lists(finite, min_size=1, max_size=20))
@settings(max_examples=examples(100))
def test_every_value_lies_within_and_lines_are_few(values: list[float]) -> None:
    scale = scale_of(values)
    assert scale is not None
    assert all(100 * EDGE - 0.01 <= scale.place(value) <= 100 * (1 - EDGE) + 0.01 for value in values)
    assert 3 <= len(scale.lines) <= 9
    assert all(scale.low - 1e-9 <= line <= scale.high + 1e-9 for line in scale.lines)
