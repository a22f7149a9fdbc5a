"""The values at the foot of a column of dots."""

import re

import pytest

from annotate.templatetags.marks import axis
from core.marks import scale_of


@pytest.mark.parametrize(
    ("values", "kept"),
    [
        ([0.2, 0.6], ["0.2", "0.6"]),
        ([-0.12, 0.31], ["0", "0.3"]),
        ([-0.31, 0.12], ["-0.3", "0"]),
        ([0.0, 0.9], ["0", "0.8"]),
    ],
)
def test_a_narrow_axis_keeps_0_where_dots_are_on_both_sides(values: list[float], kept: list[str]) -> None:
    drawn = str(axis(scale_of(values)))
    assert re.findall('class="kept">([^<]+)<', drawn) == kept
    assert len(re.findall("<text", drawn)) > len(kept)
