"""Frequencies of types of edits."""

from __future__ import annotations

from collections.abc import Mapping

from core.later import alt, pd
from figures.rows import ROW
from metrics.edits.errant_types import CATEGORIES

SHOWN = 10
"""Number of types in Figure 1 of GMEG."""

UNDESCRIBED = "OTHER"
"""Edits that match no rule, which that figure leaves out."""


def shown_types(categories: Mapping[str, int]) -> list[tuple[str, float]]:
    """The most frequent types with their shares of all edits."""
    total = sum(categories.values())
    ordered = by_frequency(categories)
    return [(name, number / total) for name, number in ordered if name != UNDESCRIBED][:SHOWN]


def by_frequency(categories: Mapping[str, int]) -> list[tuple[str, int]]:
    """Types with their numbers of edits, the most frequent first."""
    return sorted(categories.items(), key=lambda counted: (-counted[1], counted[0]))


BESIDE_NAMES = 160
"""Width in pixels that the longest names of types leave on a phone."""


def edit_types_figure(
    categories: Mapping[str, int], *, title: str, is_narrow: bool = False
) -> alt.LayerChart:
    """Shares of the most frequent types among all edits (Napoles et al. 2019, Figure 1).

    `categories` are edits by type; "OTHER" counts in the shares and has no bar.
    """
    shown = shown_types(categories)
    shares = pd.DataFrame(
        [(CATEGORIES.get(name, name), share) for name, share in shown], columns=["type", "share"]
    )
    y = alt.Y("type:N", title=None, sort=shares["type"].tolist())
    x = alt.X("share:Q", title="share of edits", axis=alt.Axis(format="%"))
    base = alt.Chart(shares, width=BESIDE_NAMES if is_narrow else 320, height=alt.Step(ROW))
    bars = base.mark_bar(height=12).encode(x=x, y=y)
    labels = base.mark_text(align="left", dx=4).encode(x=x, y=y, text=alt.Text("share:Q", format=".1%"))
    return alt.LayerChart(layer=[bars, labels], data=shares, title=title)
