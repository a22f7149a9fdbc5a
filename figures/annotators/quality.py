"""Signs of careless work: a dot for each annotator, and the limit beyond which it flags them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from core.later import alt, pd
from core.results import Layout

WIDTH, ROW = 150, 22
"""Width of a panel and height of a row in pixels."""

TITLE, AROUND = 40, 66
"""Heights of the title of the figure, and of what is above and below the rows of a panel, in pixels."""

WIDTH_OF_A_TICK = 45

SMALLEST = 0.1
"""Smaller values stand here where the scale is logarithmic."""


@dataclass(frozen=True, slots=True)
class DrawnSign:
    """A dot: the annotator, their figure, the ends of its interval if known, and whether it flags them.

    Attributes:
        text: the figure in words, which stands beside a dot that flags.
    """

    annotator: str
    value: float
    low: float | None
    high: float | None
    text: str
    is_flagged: bool


@dataclass(frozen=True, slots=True)
class SignPanel:
    """The dots of one sign.

    Attributes:
        title: lines above the axis.
        limit: the last value that passes; None if nobody can be flagged.
        is_least: whether lower values are beyond the limit, or higher ones.
        domain: ends of a linear scale of shares; None for a logarithmic one.
        signs: the dots.
    """

    title: Sequence[str]
    limit: float | None
    is_least: bool
    domain: tuple[float, float] | None
    signs: Sequence[DrawnSign]

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of the scale: those given, or powers of ten."""
        if self.domain is not None:
            return self.domain
        values = [each.value for each in self.signs] + [self.limit or 1.0]
        powers = [log10(max(value, SMALLEST)) for value in values]
        low = floor(min(powers))
        return 10.0**low, 10.0 ** max(ceil(max(powers)), low + 1)


def quality_height(panels: int, annotators: int, layout: Layout) -> int:
    """Height of the figure on a wide screen or a phone, in pixels."""
    rows = ROW * annotators
    return TITLE + (panels * (rows + AROUND) if layout == "narrow" else rows + AROUND)


def quality_figure(
    panels: Sequence[SignPanel], *, order: Sequence[str], title: str, layout: Layout = "wide"
) -> alt.HConcatChart:
    """A panel for each sign with a row for each annotator; what is beyond the limit is tinted.

    Dots that flag are triangles in the colour of faults with their values. Panels below each other
    all have the names.

    Args:
        panels: from left to right.
        order: annotators from top to bottom.
        title: of the figure.
        layout: for a desktop, or for a phone or a column of a paper.
    """
    drawn = [
        _panel(panel, order, named=layout == "narrow" or not place) for place, panel in enumerate(panels)
    ]
    return alt.HConcatChart(hconcat=drawn, title=title, spacing=14)


def _panel(panel: SignPanel, order: Sequence[str], *, named: bool) -> alt.LayerChart:
    low, high = panel.ends
    frame = pd.DataFrame(
        [
            (
                each.annotator,
                max(each.value, low),
                each.low,
                each.high,
                each.text,
                -1 if each.is_flagged else 1,
            )
            for each in panel.signs
        ],
        columns=["annotator", "value", "low", "high", "text", "meaning"],
    ).astype({"low": float, "high": float})
    is_share = panel.domain is not None
    scale = alt.Scale(domain=[low, high], type="linear" if is_share else "log", nice=False)
    axis = alt.Axis(
        orient="top",
        format="%" if is_share else ",.1~f",
        **({"tickCount": WIDTH // WIDTH_OF_A_TICK} if is_share else {"values": _powers(low, high)}),
    )
    x = alt.X("value:Q", title=list(panel.title), scale=scale, axis=axis)
    y = alt.Y(
        "annotator:N",
        title=None,
        sort=list(order),
        scale=alt.Scale(domain=list(order)),
        axis=alt.Axis(labelLimit=160, ticks=False) if named else alt.Axis(labels=False, ticks=False),
    )
    meanings = alt.Scale(domain=[-1, 0, 1], range="diverging", interpolate="rgb")
    colour = alt.Color("meaning:Q", scale=meanings, legend=None)
    base = alt.Chart(frame, width=WIDTH, height=alt.Step(ROW))
    intervals = base.transform_filter("isValid(datum.low)").mark_rule(strokeWidth=2, opacity=0.5)
    passing = base.transform_filter("datum.meaning > 0").mark_point(filled=True, size=60, opacity=1)
    flagged = base.transform_filter("datum.meaning < 0")
    triangles = flagged.mark_point(filled=True, size=90, opacity=1, shape="triangle-up")
    is_right = (panel.limit or low) < high and not panel.is_least
    texts = flagged.mark_text(align="right" if is_right else "left", dx=-9 if is_right else 9)
    layers = [
        intervals.encode(x=alt.X("low:Q", title=list(panel.title), scale=scale, axis=axis), x2="high:Q", y=y),
        passing.encode(x=x, y=y, color=colour),
        triangles.encode(x=x, y=y, color=colour),
        texts.encode(x=x, y=y, text="text:N"),
    ]
    if panel.limit is not None:
        ends = (low, panel.limit) if panel.is_least else (panel.limit, high)
        beyond = pd.DataFrame([(*ends, panel.limit, -1)], columns=["begin", "end", "limit", "meaning"])
        part = alt.Chart(beyond)
        layers = [
            part.mark_rect(opacity=0.08).encode(x=alt.X("begin:Q", scale=scale), x2="end:Q", color=colour),
            part.mark_rule(strokeDash=[4, 4]).encode(x=alt.X("limit:Q", scale=scale), color=colour),
            *layers,
        ]
    return alt.LayerChart(layer=layers, data=frame)


def _powers(low: float, high: float) -> list[float]:
    """The powers of ten from one end of a scale to the other."""
    return [10.0**power for power in range(round(log10(low)), round(log10(high)) + 1)]
