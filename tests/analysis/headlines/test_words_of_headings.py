"""Words of which headings are made, for few and many."""

from collections.abc import Sequence

import pytest

from core.wording import beginning, briefly, in_words, some_of
from tests.analysis.headlines.headings import MANY


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (MANY[:1], "S1 leads"),
        (MANY[:2], "S1 and S2 lead"),
        (MANY[:3], "S1, S2 and S3 lead"),
        (MANY[:4], "S1, S2 and 2 others lead"),
        (MANY[:15], "S1, S2 and 13 others lead"),
        (MANY, "S1, S2 and 38 others lead"),
    ],
)
def test_a_long_list_names_the_first_two(names: Sequence[str], expected: str) -> None:
    assert briefly(names, "leads", "lead") == expected


@pytest.mark.parametrize(
    ("number", "total", "expected"),
    [
        (0, 1, "no pair is settled"),
        (1, 1, "the only pair is settled"),
        (0, 2, "neither pair is settled"),
        (1, 2, "1 of 2 pairs is settled"),
        (2, 2, "both pairs are settled"),
        (0, 14, "none of 14 pairs is settled"),
        (13, 14, "13 of 14 pairs are settled"),
        (14, 14, "all 14 pairs are settled"),
        (1500, 2000, "1,500 of 2,000 pairs are settled"),
    ],
)
def test_a_part_has_its_verb(number: int, total: int, expected: str) -> None:
    assert some_of(number, total, "pair", does="is settled", do="are settled") == expected


def test_small_numbers_are_words() -> None:
    assert [in_words(number) for number in (0, 1, 12, 13, 1000)] == ["no", "one", "twelve", "13", "1,000"]
    assert beginning("all of GPT") == "All of GPT"
