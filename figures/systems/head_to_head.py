"""Systems against each other, in pairs, as a heat map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.later import alt, pd
from ranking import HeadToHead

LEVEL = 0.05
"""Significance level of the mark, after Holm's correction."""

MARK = "*"
"""After a share that differs from one half at this level."""


def head_to_head_figure(
    head_to_head: HeadToHead,
    order: Sequence[str],
    *,
    labels: Mapping[str, str],
    title: str,
) -> alt.LayerChart:
    """A matrix of how often, in percent, the system of the row beat that of the column, ties left out.

    The further from one half, the darker: more wins in the accent, more losses in grey. Shares that do not
    differ significantly from one half have neither shade nor mark.
    """
    rows = [
        (
            labels.get(row, row),
            labels.get(column, column),
            f"{100 * versus.share:.0f}{MARK if is_significant(versus.holm_p_value) else ''}",
            2 * abs(versus.share - 0.5) if is_significant(versus.holm_p_value) else 0.0,
            versus.share > 0.5,
        )
        for row in order
        for column in order
        if (versus := head_to_head.comparisons.get((row, column))) and versus.share is not None
    ]
    cells = pd.DataFrame(rows, columns=["row", "column", "text", "shade", "won"])
    shown = [labels.get(system, system) for system in order]
    x = alt.X("column:N", title=None, sort=shown, axis=alt.Axis(orient="top", labelAngle=-40))
    y = alt.Y("row:N", title=None, sort=shown)
    base = alt.Chart(cells, width=alt.Step(40), height=alt.Step(28))
    opacity = alt.Opacity("shade:Q", scale=alt.Scale(domain=[0, 1], range=[0, 0.6]), legend=None)
    won = base.transform_filter("datum.won").mark_rect().encode(x=x, y=y, opacity=opacity)
    lost = base.transform_filter("!datum.won").mark_rect(color="gray").encode(x=x, y=y, opacity=opacity)
    texts = base.mark_text().encode(x=x, y=y, text="text:N")
    return alt.LayerChart(layer=[won, lost, texts], data=cells, title=title)


def is_significant(p_value: float | None) -> bool:
    """Whether the corrected p-value gets the mark."""
    return p_value is not None and p_value <= LEVEL
