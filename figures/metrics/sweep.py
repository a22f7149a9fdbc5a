"""Agreement of a metric with people over the values of a parameter, as in Figure 3 of GJG15."""

from __future__ import annotations

from collections.abc import Sequence

from core.later import alt, pd
from metrics.meta_evaluation import BestValue, Estimate


def sweep_figure(
    values: Sequence[float],
    curve: Sequence[Estimate],
    best: BestValue,
    *,
    name: str,
    coefficient: str,
    default: float,
    title: str,
) -> alt.LayerChart:
    """A line with a band of intervals, its highest point, and the default value.

    Args:
        values: of the parameter, ascending.
        curve: the correlation at each value; the line is broken where there is none.
        best: where it is highest.
        name: of the parameter, along the axis.
        coefficient: what the correlation is called, along the other axis.
        default: the value of the scores that are shown elsewhere, as a dashed line.
        title: of the chart.
    """
    frame = pd.DataFrame(
        [(value, each.value, each.low, each.high) for value, each in zip(values, curve, strict=True)],
        columns=["parameter", "value", "low", "high"],
    ).astype(float)
    x = alt.X("parameter:Q", title=name, scale=alt.Scale(zero=False, nice=False))
    scale = alt.Scale(zero=False)
    base = alt.Chart(frame, width=420, height=200)
    layers = [base.mark_line().encode(x=x, y=alt.Y("value:Q", title=coefficient, scale=scale))]
    if frame["low"].notna().any():
        band = alt.Y("low:Q", title=coefficient, scale=scale)
        layers.insert(0, base.mark_area(opacity=0.15).encode(x=x, y=band, y2="high:Q"))
    if values[0] <= default <= values[-1]:
        rule = alt.Chart(pd.DataFrame([(default,)], columns=["parameter"]))
        layers.append(rule.mark_rule(strokeDash=[4, 4], strokeWidth=1).encode(x=x))
    if best.value is not None and best.correlation.value is not None:
        shown = f"{best.correlation.value:.2f} at {best.value:g}"
        row = (best.value, best.correlation.value, shown)
        peak = alt.Chart(pd.DataFrame([row], columns=["parameter", "value", "shown"]))
        at = alt.Y("value:Q", title=coefficient, scale=scale)
        is_right = best.value > (values[0] + values[-1]) / 2
        label = peak.mark_text(align="right" if is_right else "left", dx=-8 if is_right else 8, dy=-8)
        layers.append(peak.mark_point(filled=True, size=60, opacity=1).encode(x=x, y=at))
        layers.append(label.encode(x=x, y=at, text="shown:N"))
    return alt.LayerChart(layer=layers, title=title)
