import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.formulas import guarded, unguarded


@given(text=st.none() | st.text())
def test_the_guard_can_be_taken_off(text: str | None) -> None:
    assert unguarded(guarded(text)) == text


@given(beginning=st.sampled_from("=+-@\t\r\n＝＋－＠"), text=st.text())
def test_nothing_that_a_spreadsheet_runs_comes_through(beginning: str, text: str) -> None:
    assert guarded(beginning + text) == f"'{beginning}{text}"


@pytest.mark.parametrize(
    ("text", "cell"), [("anna", "anna"), ("1=1", "1=1"), ("'tis", "''tis"), ("", "'"), (None, "")]
)
def test_what_is_harmless_stays_and_no_text_differs_from_an_empty_one(text: str | None, cell: str) -> None:
    assert guarded(text) == cell
