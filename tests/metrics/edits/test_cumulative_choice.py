"""Choosing references rounds like Python."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from metrics.edits.cumulative_choice import _rounded
from tests.depth import examples


@settings(max_examples=examples(5000))
@example(0.00015)
@example(0.00025)
@example(0.03125)
@example(0.15625)
@given(st.one_of(st.integers(0, 20_000).map(lambda half: half / 20_000), st.floats(0, 1)))
def test_scores_are_rounded_as_python_rounds(score: float) -> None:
    assert _rounded(score) / 10_000 == round(score, 4)
