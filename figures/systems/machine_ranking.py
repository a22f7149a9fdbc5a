"""Systems by people with a machine, and by people alone: two dots for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.later import alt, pd
from core.results import Layout
from figures.drawing import PADDING, wrapped
from figures.systems.ranking import (
    NAME_CHARS,
    SPARE,
    WIDTH_OF_A_TICK,
    borders_of_clusters,
    even_score,
    longest_line,
    names_axis,
    text_column,
)
from ranking import Method
from ranking.machines import RankedScore

_SCORES: Mapping[Layout, int] = {"wide": 340, "narrow": 150}
_TEXT, _RANKS = 116, 50
"""Widths of the columns in pixels."""

_ROW = 40
"""Height of the row of a system in pixels, which has room for two lines of a name."""

_APART = 7
"""Pixels from the middle of a row up to the dot with the machine, and down to that of people alone."""

_GREY = "gray"


@dataclass(frozen=True, slots=True)
class DrawnSystem:
    """A system with its score by people and the machine, and by people alone."""

    name: str
    powered: RankedScore
    people: RankedScore


def machine_ranking_figure(
    systems: Sequence[DrawnSystem],
    *,
    method: Method,
    title: str,
    score_name: str,
    layout: Layout = "wide",
) -> alt.HConcatChart:
    """Systems, in the order given, with two dots in their intervals: filled with the machine, hollow without.

    Lines separate clusters of the ranking with the machine. The dashed line marks a system that is as good as
    the others on average. A phone has no room for scores in figures.
    """
    clusters = [None, *(each.powered.cluster for each in systems)]
    frame = pd.DataFrame(
        [
            {
                "system": "\n".join(wrapped(each.name, NAME_CHARS[layout])),
                "score": each.powered.score,
                "low": each.powered.low,
                "high": each.powered.high,
                "text": _in_figures(each.powered),
                "ranks": rank_text(each.powered),
                "people": each.people.score,
                "people_low": each.people.low,
                "people_high": each.people.high,
                "people_text": _in_figures(each.people),
                "people_ranks": rank_text(each.people),
                "begins": above not in (None, each.powered.cluster),
            }
            for each, above in zip(systems, clusters, strict=False)
        ]
    )
    step = alt.Step(max(_ROW, 10 + 14 * max(frame["system"].str.count("\n") + 1)))
    panels = [_forest(frame, f"{score_name}: ● with the machine, ○ people alone", method, layout, step)]
    if layout == "wide":
        panels += [
            text_column(frame, "text", "With the machine", _TEXT, height=step),
            text_column(frame, "ranks", "Ranks", _RANKS, height=step),
            text_column(frame, "people_text", "People alone", _TEXT, height=step, color=_GREY),
            text_column(frame, "people_ranks", "Ranks", _RANKS, height=step, color=_GREY),
        ]
    else:
        panels.append(text_column(frame, "ranks", "Ranks", _RANKS, height=step))
    sides = dict.fromkeys(("top", "right", "bottom"), PADDING)
    padding = {**sides, "left": round(PADDING + SPARE * longest_line(frame))}
    return alt.HConcatChart(hconcat=panels, title=title, spacing=12, padding=padding)


def rank_text(score: RankedScore) -> str:
    """The ranks that a system may have, such as "2–6" or "1"."""
    if score.rank_low == score.rank_high:
        return str(score.rank_low)
    return f"{score.rank_low}–{score.rank_high}"


def _in_figures(score: RankedScore) -> str:
    between = " to " if score.low < 0 else "–"
    return f"{score.score:.3f} ({score.low:.2f}{between}{score.high:.2f})"


def _forest(
    systems: pd.DataFrame, name: str, method: Method, layout: Layout, step: alt.Step
) -> alt.LayerChart:
    """Two dots in their intervals for each system."""
    width = _SCORES[layout]
    lines = wrapped(name, 24 if layout == "narrow" else 70)
    scale = alt.Scale(zero=False, nice=True, padding=8)
    axis = alt.Axis(tickCount=width // WIDTH_OF_A_TICK)
    y = names_axis(systems)
    base = alt.Chart(systems, width=width, height=step)

    def drawn(
        value: str, low: str, high: str, offset: int, color: dict[str, Any], *, is_filled: bool
    ) -> list[alt.Chart]:
        x = alt.X(f"{value}:Q", title=lines, scale=scale, axis=axis)
        bar = base.mark_rule(strokeWidth=5, strokeCap="round", opacity=0.3, yOffset=offset, **color)
        dot = base.mark_point(
            filled=is_filled, size=70, opacity=1, strokeWidth=0 if is_filled else 2, yOffset=offset, **color
        )
        return [bar.encode(x=alt.X(f"{low}:Q", title=lines), x2=f"{high}:Q", y=y), dot.encode(x=x, y=y)]

    layers = [
        base.mark_rule(strokeDash=[4, 4], opacity=0.6).encode(
            x=alt.XDatum(even_score(method), type="quantitative")
        ),
        *drawn("people", "people_low", "people_high", _APART, {"color": _GREY}, is_filled=False),
        *drawn("score", "low", "high", -_APART, {}, is_filled=True),
    ]
    return alt.LayerChart(layer=[*layers, borders_of_clusters(systems)], data=systems)
