import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.design.positions import format_positions, parse_positions


@pytest.mark.parametrize(
    ("text", "positions"),
    [
        ("", []),
        (" \n ", []),
        ("7", [7]),
        ("0-3, 9", [0, 1, 2, 3, 9]),
        ("9 0-1\n5", [9, 0, 1, 5]),
        ("3 - 5,3–4", [3, 4, 5, 3, 4]),
        ("4-4,,", [4]),
    ],
)
def test_numbers_and_ranges_are_read_in_order(text: str, positions: list[int]) -> None:
    assert parse_positions(text, sentences=10, most=100) == positions


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("one", "“one” is neither a number"),
        ("1.5", "“1.5” is neither a number"),
        ("-1", "“-1” is neither a number"),
        ("1-2-3", "“1-2-3” is neither a number"),
        ("5-3", "write 3-5"),
        ("10", "beyond its last, 9"),
        ("0-999999999", "beyond its last, 9"),
        ("9" * 1000, "neither a number"),
        ("0-9, 0-9, 0", "list at most 20"),
    ],
)
def test_an_invalid_list_is_explained(text: str, advice: str) -> None:
    with pytest.raises(ValueError, match=advice):
        parse_positions(text, sentences=10, most=20)


@given(st.lists(st.integers(0, 50), max_size=40))
def test_a_list_reads_as_it_was_written(positions: list[int]) -> None:
    assert parse_positions(format_positions(positions), sentences=51, most=40) == positions


def test_runs_are_written_as_ranges() -> None:
    assert format_positions([0, 1, 2, 9, 8, 8, 9]) == "0-2, 9, 8, 8-9"
