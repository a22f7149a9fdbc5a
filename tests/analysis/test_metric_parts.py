"""P-values between metrics: how they look on pages and on paper."""

import pytest

from analysis.analyses.metric_parts import Significance
from core.names import Naming

NAMING = Naming("", {}, {}, {})


@pytest.mark.parametrize(
    ("p_values", "text", "css", "paper"),
    [
        ((0.2, 1.0), ".200", "number", "0.200"),
        ((0.03, 0.09), ".030 ✓", "number shade-3", "0.030"),
        ((0.0, 0.0), "<.01 ✓✓", "number shade-3", "$<$0.001"),
    ],
)
def test_significance_is_shaded_and_marked(
    p_values: tuple[float, float], text: str, css: str, paper: str
) -> None:
    column = Significance("", "p", smallest=0.01)
    assert column.text(p_values, NAMING) == text
    assert column.css_of(p_values) == css
    assert column.paper(p_values, NAMING) == paper
