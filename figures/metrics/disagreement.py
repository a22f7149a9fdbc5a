"""Disagreement of a metric with people by sentence."""

from __future__ import annotations

from collections.abc import Sequence

from core.later import alt, pd


def disagreement_figure(
    distribution: Sequence[int], agreed: int, mean: float | None, *, title: str
) -> alt.LayerChart:
    """A bar for each range of disagreement, a hollow one for the sentences without any, and the mean dashed.

    Args:
        distribution: number of sentences in each of the equal ranges of (0, 1].
        agreed: number of sentences in which the metric orders all pairs as people do.
        mean: over all sentences; None if there are none.
        title: of the chart.
    """
    width = 1 / len(distribution)
    bars = [(place * width, (place + 1) * width, number) for place, number in enumerate(distribution)]
    frame = pd.DataFrame([(-2 * width, -width, agreed), *bars], columns=["begin", "end", "sentences"])
    frame["none"] = frame["begin"] < 0
    frame["floor"] = 0
    x = alt.X(
        "begin:Q",
        title="disagreement",
        scale=alt.Scale(domain=[-2 * width, 1], nice=False),
        axis=alt.Axis(
            values=[-1.5 * width, 0, 0.2, 0.4, 0.6, 0.8, 1],
            labelExpr="datum.value < 0 ? 'none' : format(datum.value, '.1f')",
        ),
    )
    y = alt.Y("sentences:Q", title="sentences", axis=alt.Axis(tickMinStep=1, tickCount=5))
    base = alt.Chart(frame, width=420, height=160)
    filled = base.transform_filter("!datum.none").mark_bar(opacity=0.5)
    hollow = base.transform_filter("datum.none").mark_bar(filled=False, strokeWidth=1.5)
    layers = [marks.encode(x=x, x2="end:Q", y=y, y2="floor:Q") for marks in (filled, hollow)]
    if mean is not None:
        at = alt.Chart(pd.DataFrame([(mean, f"mean {mean:.2f}")], columns=["mean", "shown"])).encode(
            x="mean:Q"
        )
        layers.append(at.mark_rule(strokeDash=[4, 4]))
        layers.append(at.mark_text(align="left", dx=4, dy=6).encode(y=alt.value(0), text="shown:N"))
    return alt.LayerChart(layer=layers, data=frame, title=title)
