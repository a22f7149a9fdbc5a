"""Agreement of each pair of annotators."""

from __future__ import annotations

from collections.abc import Mapping

from core.later import alt, pd
from ranking import Agreement


def agreement_figure(agreement: Agreement, *, labels: Mapping[str, str], title: str) -> alt.LayerChart:
    """Kappas of each pair of annotators, and of each with themselves on the diagonal.

    Cells with few comparisons are pale.

    `labels` are the names of the annotators, in order.
    """
    places = {judge: place for place, judge in enumerate(labels)}
    rows = [
        (
            *(labels[judge] for judge in sorted((pair.first, pair.second), key=places.__getitem__)),
            pair.kappa.value,
            pair.kappa.n >= agreement.min_comparisons,
        )
        for pair in agreement.pairs
        if pair.kappa.value is not None
    ]
    kappas = pd.DataFrame(rows, columns=["first", "second", "kappa", "enough"])
    order = list(labels.values())
    x = alt.X("second:N", title=None, sort=order, axis=alt.Axis(orient="top", labelAngle=-40))
    y = alt.Y("first:N", title=None, sort=order)
    base = alt.Chart(kappas, width=alt.Step(56), height=alt.Step(28))
    shades = base.mark_rect().encode(
        x=x,
        y=y,
        opacity=alt.Opacity(
            "kappa:Q", scale=alt.Scale(domain=[0, 1], range=[0, 0.6], clamp=True), legend=None
        ),
    )
    labels = base.mark_text().encode(
        x=x,
        y=y,
        text=alt.Text("kappa:Q", format=".2f"),
        opacity=alt.condition("datum.enough", alt.value(1), alt.value(0.55)),
    )
    return alt.LayerChart(layer=[shades, labels], data=kappas, title=title)
