"""Types of figures: charts of Altair, and their descriptions for Vega-Lite."""

from __future__ import annotations

from typing import Any, Union

from core.later import alt

Chart = Union[
    "alt.Chart",
    "alt.LayerChart",
    "alt.HConcatChart",
    "alt.VConcatChart",
    "alt.ConcatChart",
    "alt.FacetChart",
    "alt.RepeatChart",
]
"""A figure or a part of it, by Altair's types."""

Specification = dict[str, Any]
"""A figure, a part of it or a row of its data, as the JSON of Vega-Lite."""
