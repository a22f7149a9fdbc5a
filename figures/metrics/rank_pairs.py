"""Accuracy of a metric on pairs of outputs by the ranks that people gave."""

from __future__ import annotations

from core.later import alt, pd
from metrics.meta_evaluation import MetricByRanks

FAINTEST, STRONGEST = 0.04, 0.5
"""Shades of a cell, from an accuracy of 0 to one of 1: text stays readable on all of them."""

NARROWEST = 420
"""A chart has room for its title."""


def rank_pairs_figure(metric: MetricByRanks, *, title: str) -> alt.LayerChart:
    """A cell for each pair of ranks, with the accuracy and the number of pairs: the higher, the darker."""
    frame = pd.DataFrame(
        [
            (cell.better, cell.worse, cell.share.accuracy.value, cell.share.pairs)
            for cell in metric.cells
            if cell.share.accuracy.value is not None
        ],
        columns=["better", "worse", "accuracy", "pairs"],
    )
    frame["shown"] = [f"{value:.2f}" for value in frame["accuracy"]]
    frame["counted"] = [f"{pairs:,}" for pairs in frame["pairs"]]
    y = alt.Y("better:O", title="rank of the better output", axis=alt.Axis(labelAngle=0))
    x = alt.X("worse:O", title="rank of the worse one", axis=alt.Axis(orient="top", labelAngle=0))
    scale = alt.Scale(domain=[0, 1], range=[FAINTEST, STRONGEST])
    base = alt.Chart(frame, width=max(NARROWEST, 56 * frame["worse"].nunique()), height=alt.Step(44))
    shades = base.mark_rect().encode(x=x, y=y, opacity=alt.Opacity("accuracy:Q", scale=scale, legend=None))
    values = base.mark_text(fontSize=13, dy=-5).encode(x=x, y=y, text="shown:N")
    numbers = base.mark_text(fontSize=10, dy=10, opacity=0.8).encode(x=x, y=y, text="counted:N")
    return alt.LayerChart(layer=[shades, values, numbers], data=frame, title=title)
