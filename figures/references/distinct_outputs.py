"""Number of sentences by number of distinct outputs."""

from __future__ import annotations

from collections.abc import Mapping

from core.later import alt, pd


def distinct_outputs_figure(histogram: Mapping[int, int], *, title: str) -> alt.LayerChart:
    """Number of sentences by their number of distinct outputs (GJG15, Figure 1)."""
    counts = pd.DataFrame(list(histogram.items()), columns=["distinct outputs", "sentences"])
    x = alt.X("distinct outputs:O", title="distinct outputs", axis=alt.Axis(labelAngle=0))
    y = alt.Y("sentences:Q", title="sentences")
    base = alt.Chart(counts, width=alt.Step(32), height=180)
    bars = base.mark_bar().encode(x=x, y=y)
    labels = base.mark_text(dy=-7).encode(x=x, y=y, text="sentences:Q")
    return alt.LayerChart(layer=[bars, labels], data=counts, title=title)
