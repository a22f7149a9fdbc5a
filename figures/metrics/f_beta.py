"""Correlation of F-beta with human scores over beta."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.later import alt, pd
from ranking import SweepPoint


def f_beta_figure(
    curves: Mapping[str, Sequence[SweepPoint]], *, title: str, marked: float
) -> alt.VConcatChart:
    """Correlations of F-beta with human scores over beta, a line per curve; a dashed rule at `marked`."""
    points = pd.DataFrame(
        [
            (curve, point.beta, point.spearman.value, point.pearson.value)
            for curve, sweep in curves.items()
            for point in sweep
        ],
        columns=["edits", "beta", "Spearman’s ρ", "Pearson’s r"],
    )
    base = alt.Chart(points, width=420, height=200)
    rule = base.mark_rule(strokeDash=[4, 4], strokeWidth=1).encode(x=alt.XDatum(marked, type="quantitative"))
    panels = [
        base.mark_line().encode(
            x=alt.X("beta:Q", title="β"),
            y=alt.Y(f"{coefficient}:Q", scale=alt.Scale(zero=False)),
            strokeDash=alt.StrokeDash("edits:N", title=None, sort=list(curves)),
        )
        for coefficient in ("Spearman’s ρ", "Pearson’s r")
    ]
    return alt.VConcatChart(vconcat=[alt.layer(panel, rule) for panel in panels], title=title)
