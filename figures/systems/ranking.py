"""Systems with their scores, intervals and ranks: a forest plot."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from core.later import alt, pd
from core.results import Layout
from figures.drawing import PADDING, wrapped
from ranking import Method, Standing, Standings

NAME_CHARS: Mapping[Layout, int] = {"wide": 28, "narrow": 14}
"""Maximum length of a line of a name."""

_LINE, SPARE = 14, 1.1
"""Pixels: height of a line of a name, and room for wider characters for each of its characters.

A browser without the font of the figure uses another, and labels grow to the left.
"""

_SCORES: Mapping[Layout, int] = {"wide": 340, "narrow": 150}
_SCORE, _RANKS = 110, 50
"""Widths of the columns in pixels."""

WIDTH_OF_A_TICK = 56


def ranking_figure(
    standings: Standings,
    *,
    title: str,
    score_name: str,
    hollow: Collection[str] = (),
    layout: Layout = "wide",
) -> alt.HConcatChart:
    """Systems, best first, each with its score in its interval and its rank range; lines separate clusters.

    `hollow` names the systems with a hollow dot, such as the source. The dashed line marks a system that is
    as good as the others on average; mean scores have none. Long names of systems are broken into lines.
    A phone has no room for scores in figures.
    """
    digits = 2 if standings.method is Method.MEAN_SCORE else 3
    rows = [
        {
            "system": "\n".join(wrapped(standing.system, NAME_CHARS[layout])),
            "score": standing.score,
            "low": standing.score_low,
            "high": standing.score_high,
            "text": score_text(standing, digits),
            "ranks": ranks_text(standing),
            "hollow": standing.system in hollow,
            "begins": begins,
        }
        for standing, begins in zip(standings.systems, _cluster_begins(standings), strict=True)
        if standing.score is not None
    ]
    systems = pd.DataFrame(
        rows, columns=["system", "score", "low", "high", "text", "ranks", "hollow", "begins"]
    ).astype({"low": "float64", "high": "float64"})
    panels = [_forest(systems, score_name, even_score(standings.method), _SCORES[layout])]
    if layout == "wide":
        panels.append(text_column(systems, "text", "", _SCORE))
    if not standings.reason:
        panels.append(text_column(systems, "ranks", "Ranks", _RANKS))
    sides = dict.fromkeys(("top", "right", "bottom"), PADDING)
    padding = {**sides, "left": round(PADDING + SPARE * longest_line(systems))}
    return alt.HConcatChart(hconcat=panels, title=title, spacing=12, padding=padding)


def even_score(method: Method) -> float | None:
    """The score of a system that is as good as the others on average; None for mean scores."""
    match method:
        case Method.EXPECTED_WINS:
            return 0.5
        case Method.MEAN_SCORE:
            return None
        case _:
            return 0.0


def score_text(standing: Standing, digits: int) -> str:
    """The score with its interval, such as "0.628 (0.59–0.66)"; without an interval, the score alone."""
    score = f"{standing.score:.{digits}f}" if standing.score is not None else "–"
    if standing.score_low is None or standing.score_high is None:
        return score
    return f"{score} ({interval_text(standing, digits - 1)})"


def interval_text(standing: Standing, digits: int) -> str:
    """The interval of the score, such as "0.59–0.66" or "-0.12 to 0.31"; empty if there is none."""
    if standing.score_low is None or standing.score_high is None:
        return ""
    between = " to " if standing.score_low < 0 else "–"
    return f"{standing.score_low:.{digits}f}{between}{standing.score_high:.{digits}f}"


def ranks_text(standing: Standing) -> str:
    """The rank range, such as "2–6" or "1"; empty if there is none."""
    if standing.rank_low is None:
        return ""
    if standing.rank_low == standing.rank_high:
        return str(standing.rank_low)
    return f"{standing.rank_low}–{standing.rank_high}"


def _cluster_begins(standings: Standings) -> list[bool]:
    numbers = [standing.cluster for standing in standings.systems]
    return [
        above is not None and above != cluster
        for above, cluster in zip([None, *numbers], numbers, strict=False)
    ]


def _lines(systems: pd.DataFrame) -> int:
    """Length of the longest name in lines."""
    return max((name.count("\n") + 1 for name in systems["system"]), default=1)


def longest_line(systems: pd.DataFrame) -> int:
    """Width of the names, in characters."""
    return max((len(line) for name in systems["system"] for line in name.split("\n")), default=0)


def _step(systems: pd.DataFrame) -> alt.Step:
    """The height of a row, which has room for all lines of a name."""
    return alt.Step(10 + _LINE * _lines(systems))


def names_axis(systems: pd.DataFrame) -> alt.Y:
    """Names along the axis, each centred on its row for any number of lines."""
    lines = "split(datum.label, '\\n')"
    # The first line of a label is placed like a label of one line.
    offsets = [
        {"test": f"length({lines}) == {number}", "value": -_LINE / 2 * (number - 1)}
        for number in range(2, _lines(systems) + 1)
    ]
    axis = alt.Axis(labelExpr=lines, labelLimit=0, labelLineHeight=_LINE, ticks=False, domain=False)
    if offsets:
        axis["labelOffset"] = {"condition": offsets, "value": 0}
    return alt.Y("system:N", title=None, sort=None, axis=axis)


def _forest(systems: pd.DataFrame, name: str, even: float | None, width: int) -> alt.LayerChart:
    """A dot in its interval for each system."""
    scale = alt.Scale(zero=False, nice=True, padding=8)
    x = alt.X("score:Q", title=name, scale=scale, axis=alt.Axis(tickCount=width // WIDTH_OF_A_TICK))
    y = names_axis(systems)
    base = alt.Chart(systems, width=width, height=_step(systems))
    bars = base.mark_rule(strokeWidth=5, strokeCap="round", opacity=0.3).encode(
        x=alt.X("low:Q", title=name), x2="high:Q", y=y
    )
    dots = base.transform_filter("!datum.hollow").mark_point(filled=True, size=80, opacity=1)
    rings = base.transform_filter("datum.hollow").mark_point(filled=False, size=80, strokeWidth=2, opacity=1)
    layers = [bars.transform_filter("isValid(datum.low)"), dots.encode(x=x, y=y), rings.encode(x=x, y=y)]
    if even is not None:
        line = base.mark_rule(strokeDash=[4, 4], opacity=0.6)
        layers.insert(0, line.encode(x=alt.XDatum(even, type="quantitative")))
    return alt.LayerChart(layer=[*layers, borders_of_clusters(systems)], data=systems)


def text_column(
    systems: pd.DataFrame,
    field: str,
    title: str,
    width: int,
    *,
    height: alt.Step | None = None,
    color: str | None = None,
) -> alt.LayerChart:
    """A column of text beside the plot, in rows of this height."""
    y = alt.Y("system:N", sort=None, axis=None)
    base = alt.Chart(systems, width=width, height=height or _step(systems))
    text = base.mark_text(align="left", color=color or alt.Undefined).encode(
        x=alt.value(0), y=y, text=f"{field}:N"
    )
    headed = alt.Title(title, fontSize=12, anchor="start") if title else alt.Undefined
    return alt.LayerChart(layer=[text, borders_of_clusters(systems)], data=systems, title=headed)


def borders_of_clusters(systems: pd.DataFrame) -> alt.Chart:
    """A line above each system that begins a cluster."""
    lines = alt.Chart(systems).transform_filter("datum.begins").mark_rule(strokeWidth=1, opacity=0.5)
    borders: alt.Chart = lines.encode(y=alt.Y("system:N", sort=None, bandPosition=0))
    return borders
