"""Agreement of judges with people, beside that of people among themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.later import alt, pd
from core.results import Layout
from figures.drawing import PADDING, wrapped

_WIDTHS: Mapping[Layout, int] = {"wide": 420, "narrow": 176}
_NAME_CHARS: Mapping[Layout, int] = {"wide": 40, "narrow": 16}
_COLUMN: Mapping[Layout, int] = {"wide": 76, "narrow": 50}
"""Width of a column of text in pixels."""

_LINE = 14
"""Height of a line of a name in pixels."""


@dataclass(frozen=True, slots=True)
class DrawnJudge:
    """A judge in the figure.

    Attributes:
        name: its name.
        group: judges of a group stand together; lines separate groups.
        value: share of agreement with people.
        low: lower end of its interval; None if there is none.
        high: upper end.
        is_hollow: whether its dot is hollow.
        verdict: how many annotators it is as good as, or a dash.
    """

    name: str
    group: str
    value: float
    low: float | None
    high: float | None
    is_hollow: bool
    verdict: str


@dataclass(frozen=True, slots=True)
class Ceiling:
    """Agreement of people among themselves, with its interval, if there is one."""

    value: float
    low: float | None
    high: float | None


def machine_judges_figure(
    judges: Sequence[DrawnJudge],
    ceiling: Ceiling | None,
    *,
    title: str,
    name: str,
    layout: Layout = "wide",
) -> alt.HConcatChart:
    """A row for each judge: a dot with its interval; a band for people among themselves, as the ceiling."""
    rows = [
        {
            "judge": "\n".join(wrapped(each.name, _NAME_CHARS[layout])),
            "value": each.value,
            "low": each.low,
            "high": each.high,
            "text": f"{each.value:.3f}",
            "verdict": each.verdict,
            "hollow": each.is_hollow,
            "begins": above is not None and above != each.group,
        }
        for each, above in zip(judges, [None, *(each.group for each in judges)], strict=False)
    ]
    frame = pd.DataFrame(rows).astype({"low": "float64", "high": "float64"})
    panels = [_plot(frame, ceiling, name, _WIDTHS[layout])]
    if layout == "wide":
        panels.append(_column(frame, "text", "Agreement", _COLUMN[layout]))
    panels.append(_column(frame, "verdict", "As good as", _COLUMN[layout]))
    longest = max(len(line) for name in frame["judge"] for line in name.split("\n"))
    padding = {**dict.fromkeys(("top", "right", "bottom"), PADDING), "left": round(PADDING + longest)}
    return alt.HConcatChart(hconcat=panels, title=title, spacing=14, padding=padding)


def _step(frame: pd.DataFrame) -> alt.Step:
    lines = max(name.count("\n") + 1 for name in frame["judge"])
    return alt.Step(10 + _LINE * lines)


def _plot(frame: pd.DataFrame, ceiling: Ceiling | None, name: str, width: int) -> alt.LayerChart:
    scale = alt.Scale(zero=False, nice=True, padding=10)
    axis = alt.Axis(
        labelExpr="split(datum.label, '\\n')",
        labelLimit=0,
        labelLineHeight=_LINE,
        labelBaseline="middle",
        ticks=False,
        domain=False,
    )
    y = alt.Y("judge:N", title=None, sort=None, axis=axis)
    base = alt.Chart(frame, width=width, height=_step(frame))
    bars = base.transform_filter("isValid(datum.low)").mark_rule(
        strokeWidth=5, strokeCap="round", opacity=0.3
    )
    x = alt.X("value:Q", title=name, scale=scale, axis=alt.Axis(tickCount=width // 56))
    dots = base.transform_filter("!datum.hollow").mark_point(filled=True, size=80, opacity=1)
    rings = base.transform_filter("datum.hollow").mark_point(filled=False, size=80, strokeWidth=2, opacity=1)
    layers = [
        *_ceiling(ceiling),
        bars.encode(x=alt.X("low:Q", title=name, scale=scale), x2="high:Q", y=y),
        dots.encode(x=x, y=y),
        rings.encode(x=x, y=y),
        _borders(frame),
    ]
    return alt.LayerChart(layer=layers, data=frame)


def _ceiling(ceiling: Ceiling | None) -> list[alt.Chart]:
    """The band of people among themselves, their value, and what it is."""
    if ceiling is None:
        return []
    at = pd.DataFrame(
        [{"value": ceiling.value, "low": ceiling.low, "high": ceiling.high, "label": "people"}]
    ).astype({"low": "float64", "high": "float64"})
    base = alt.Chart(at)
    band = base.transform_filter("isValid(datum.low)").mark_rect(opacity=0.18)
    line = base.mark_rule(strokeDash=[4, 4], opacity=0.8)
    label = base.mark_text(baseline="bottom", dy=-4, fontSize=12)
    return [
        band.encode(x="low:Q", x2="high:Q"),
        line.encode(x="value:Q"),
        label.encode(x="value:Q", y=alt.value(0), text="label:N"),
    ]


def _column(frame: pd.DataFrame, field: str, title: str, width: int) -> alt.LayerChart:
    """A column of text beside the plot."""
    y = alt.Y("judge:N", sort=None, axis=None)
    base = alt.Chart(frame, width=width, height=_step(frame))
    text = base.mark_text(align="left").encode(x=alt.value(0), y=y, text=f"{field}:N")
    headed = alt.Title(title, fontSize=12, anchor="start")
    return alt.LayerChart(layer=[text, _borders(frame)], data=frame, title=headed)


def _borders(frame: pd.DataFrame) -> alt.Chart:
    """A line above each judge that begins a group."""
    lines = alt.Chart(frame).transform_filter("datum.begins").mark_rule(strokeWidth=1, opacity=0.5)
    borders: alt.Chart = lines.encode(y=alt.Y("judge:N", sort=None, bandPosition=0))
    return borders
