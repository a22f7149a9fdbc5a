"""Scores of systems in each domain: a panel for each, with the systems in one order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.later import alt, pd
from core.results import Layout
from figures.drawing import wrapped
from figures.systems.ranking import NAME_CHARS
from ranking import Standing

PANELS_BESIDE: Mapping[Layout, int] = {"wide": 3, "narrow": 1}
WIDTHS: Mapping[Layout, int] = {"wide": 190, "narrow": 150}


def by_domain_figure(
    domains: Mapping[str, Sequence[Standing]],
    systems: Sequence[str],
    *,
    title: str,
    score_name: str,
    layout: Layout = "wide",
) -> alt.VConcatChart:
    """Each system with its score and interval, in a panel for each domain, on one scale.

    Args:
        domains: the standings of each domain, in the order of the panels.
        systems: all systems in the order of the rows, which is that of all panels.
        title: of the chart.
        score_name: along the axis.
        layout: a phone has the panels below each other.
    """
    rows = [
        (domain, _name(row.system, layout), row.score, row.score_low, row.score_high)
        for domain, standings in domains.items()
        for row in standings
        if row.score is not None
    ]
    frame = pd.DataFrame(rows, columns=["domain", "system", "score", "low", "high"])
    ends = frame[["score", "low", "high"]].to_numpy(dtype=float)
    scale = alt.Scale(domain=[float(np.nanmin(ends)), float(np.nanmax(ends))], zero=False, nice=True)
    names = [_name(system, layout) for system in systems]
    beside = PANELS_BESIDE[layout]
    panels = [
        _panel(
            frame[frame["domain"] == domain],
            names,
            domain=domain,
            score_name=score_name,
            scale=scale,
            has_names=place % beside == 0,
            width=WIDTHS[layout],
        )
        for place, domain in enumerate(domains)
    ]
    lines = [panels[first : first + beside] for first in range(0, len(panels), beside)]
    return alt.VConcatChart(
        vconcat=[alt.HConcatChart(hconcat=line, spacing=16) for line in lines], title=title
    )


def _name(system: str, layout: Layout) -> str:
    return "\n".join(wrapped(system, NAME_CHARS[layout]))


def _panel(
    frame: pd.DataFrame,
    names: Sequence[str],
    *,
    domain: str,
    score_name: str,
    scale: alt.Scale,
    has_names: bool,
    width: int,
) -> alt.LayerChart:
    labels = alt.Axis(labelExpr="split(datum.label, '\\n')") if has_names else None
    y = alt.Y("system:N", title=None, sort=list(names), scale=alt.Scale(domain=list(names)), axis=labels)
    base = alt.Chart(frame, width=width, height=alt.Step(22))
    x = alt.X("score:Q", title=score_name, scale=scale)
    layers = [base.mark_point(filled=True, size=50, opacity=1).encode(y=y, x=x)]
    if frame["low"].notna().any():
        low = alt.X("low:Q", title=score_name, scale=scale)
        layers.insert(0, base.mark_rule(strokeWidth=2).encode(y=y, x=low, x2="high:Q"))
    return alt.LayerChart(layer=layers, title=domain)
