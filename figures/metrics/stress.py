"""Scores of degenerate outputs, on a scale from the unchanged sentences to a person's corrections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from core.later import alt, pd
from figures.metrics.uncertain_numbers import Bounded
from metrics.meta_evaluation.stress import PERSON, WORDS, Degenerate

LOWEST, HIGHEST = -2.0, 2.0
"""Places beyond are drawn at these bounds."""

ROOM_AT_ENDS = 12
"""Pixels between the bounds and the ends of the axis, so that no point is cut."""

_BOUNDS_IN_WORDS = (
    f"abs(datum.value) < {HIGHEST} ? datum.label : (datum.value < 0 ? '≤ ' : '≥ ') + datum.label"
)

SHAPES = [
    *("circle", "square", "triangle-up", "triangle-left"),
    *("diamond", "triangle-right", "triangle-down"),
]
"""Of the person and the degenerate systems."""

WIDTH = 420

_ROW = 56
"""Height of a metric, in which each kind of outputs has a line of its own: no symbol covers another."""

_AROUND = 224
"""Height of the title, the axis and the legend, in pixels."""


NO_SCALE = "person ≤ unchanged"
"""What stands in the row of a metric that orders these two the wrong way."""


def stress_figure(
    scores: Sequence[tuple[str, Mapping[str, float | None]]],
    differences: Mapping[str, Mapping[str, Bounded]] = MappingProxyType({}),
    *,
    title: str,
) -> alt.LayerChart:
    """A row for each metric: 0 is the unchanged sentences, 1 the person; others right of 0 are at fault.

    Metrics that score the unchanged sentences as high as the person have no such scale; their row says so.

    Args:
        scores: the label of each metric and its score of each system.
        differences: by label and system, the interval of its difference from the unchanged sentences.
        title: of the chart.
    """
    drawn = _drawn(scores)
    rows = []
    for label, of_metric, low, high in drawn:
        for system in (PERSON, *Degenerate):
            value, interval = of_metric[system], differences.get(label, {}).get(system)
            if value is None or system == Degenerate.UNCHANGED:
                continue
            ends = (interval.low, interval.high) if interval else (None, None)
            around = [None if end is None else _within(end / (high - low)) for end in ends]
            rows.append((label, WORDS[system], _within((value - low) / (high - low)), *around))
    frame = pd.DataFrame(rows, columns=["metric", "outputs", "place", "low", "high"])
    x = alt.X(
        "place:Q",
        title="score: 0 as unchanged, 1 as a person",
        scale=alt.Scale(domain=[LOWEST, HIGHEST], nice=False, padding=ROOM_AT_ENDS),
        axis=alt.Axis(labelExpr=_BOUNDS_IN_WORDS, format="~g", values=[LOWEST, -1, 0, 1, HIGHEST]),
    )
    y = alt.Y(
        "metric:N",
        title=None,
        sort=None,
        scale=alt.Scale(domain=[label for label, _ in scores]),
        axis=alt.Axis(labelLimit=180, grid=True, tickBand="extent"),
    )
    base = alt.Chart(frame, width=WIDTH, height=alt.Step(_ROW, **{"for": "position"}))
    dots = base.mark_point(filled=False, size=36, strokeWidth=1.5).encode(
        x=x,
        y=y,
        yOffset=alt.YOffset("outputs:N", sort=None),
        shape=alt.Shape(
            "outputs:N",
            title=None,
            sort=None,
            scale=alt.Scale(range=SHAPES),
            legend=alt.Legend(orient="bottom", columns=1, labelLimit=400),
        ),
    )
    intervals = base.transform_filter("isValid(datum.low)").mark_rule(strokeWidth=1.5, opacity=0.5)
    intervals = intervals.encode(
        x=alt.X("low:Q"), x2="high:Q", y=y, yOffset=alt.YOffset("outputs:N", sort=None)
    )
    lines = [base.mark_rule(strokeDash=[4, 4], strokeWidth=1).encode(x=alt.XDatum(place)) for place in (0, 1)]
    without = without_scale(scores)
    reasons = alt.Chart(pd.DataFrame({"metric": without, "place": LOWEST, "text": NO_SCALE}))
    words = reasons.mark_text(align="left", dx=-8, fontSize=10).encode(x=x, y=y, text="text:N")
    return alt.LayerChart(
        layer=[*lines, dots, intervals, *([words] if without else [])], data=frame, title=title
    )


def _within(place: float) -> float:
    return min(max(place, LOWEST), HIGHEST)


def stress_height(scores: Sequence[tuple[str, Mapping[str, float | None]]]) -> int:
    """The height of the figure of these scores in pixels, whatever its width."""
    return _AROUND + _ROW * len(scores)


def without_scale(scores: Sequence[tuple[str, Mapping[str, float | None]]]) -> list[str]:
    """The labels of the metrics that score a person no higher than the unchanged sentences."""
    drawn = {label for label, *_ in _drawn(scores)}
    return [label for label, _ in scores if label not in drawn]


def _drawn(
    scores: Sequence[tuple[str, Mapping[str, float | None]]],
) -> list[tuple[str, Mapping[str, float | None], float, float]]:
    """The metrics that have a scale, with its ends: the unchanged sentences and the person."""
    return [
        (label, of_metric, low, high)
        for label, of_metric in scores
        for low, high in [(of_metric[Degenerate.UNCHANGED], of_metric[PERSON])]
        if low is not None and high is not None and high > low
    ]
