"""Figures in the widths of cards and phones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.later import alt
from figures.chart_types import Chart

NARROW = 230
"""Width of the panels of a narrow figure, in pixels: with the names of its rows it fits a phone."""

FULL = 1120
"""Width of a figure that fills a card, in pixels."""

_AXES = 50
"""Room for the numbers of the axis of each panel, or the names of its rows, in pixels."""

_WIDEST_CELL = 110
"""Width of a cell of a figure that fills a card, in pixels."""

_TALLER = 1.4
"""How much taller a figure becomes at most when it is widened, so that its lines do not become flat."""


def narrowed(chart: Chart) -> Chart:
    """The figure for a phone: panels below each other unless they fit, none wider than `NARROW`."""
    if isinstance(chart, alt.HConcatChart | alt.VConcatChart):
        is_row = isinstance(chart, alt.HConcatChart)
        if is_row and _fits(chart.hconcat):
            return chart
        panels = [_as_wide_as_a_phone(panel) for panel in chart.hconcat] if is_row else chart.vconcat
        return _below(chart, [narrowed(panel) for panel in panels])
    is_wide = isinstance(chart.width, int) and chart.width > NARROW
    return _as_wide_as_a_phone(chart) if is_wide else chart


def _fits(panels: Sequence[Chart]) -> bool:
    """Whether the panels have room beside each other on a phone."""
    widths = [panel.width for panel in panels]
    return all(isinstance(width, int) for width in widths) and sum(widths) <= NARROW


def _as_wide_as_a_phone(panel: Chart) -> Chart:
    return panel.properties(width=NARROW) if isinstance(panel.width, int) else panel


def filling(chart: Chart) -> Chart:
    """The figure as wide as a card: panels of a row share the width, and keep their proportions."""
    if isinstance(chart, alt.VConcatChart):
        rows = [panel for panel in chart.vconcat if isinstance(panel, alt.HConcatChart)]
        # Panels of a shorter row are as wide as those above them.
        across = max((len(row.hconcat) for row in rows), default=0)
        return _below(chart, [_filling_panel(panel, across) for panel in chart.vconcat])
    if isinstance(chart, alt.HConcatChart):
        return _filling_row(chart, len(chart.hconcat))
    if isinstance(chart.width, alt.Step) and (columns := _columns_of_cells(chart)):
        chart = chart.properties(width=min(columns * _WIDEST_CELL, FULL))
        return chart if columns * _WIDEST_CELL < FULL else filling(chart)
    if isinstance(chart.width, int) or isinstance(chart.height, int):  # Other figures have cells of one size.
        exactly = alt.AutoSizeParams(type="fit-x", contains="padding")
        return _enlarged(chart, FULL).properties(width=FULL, autosize=exactly)
    return chart


def _filling_row(row: Chart, across: int) -> Chart:
    """A row whose panels share the width as if there were so many of them."""
    widths = [panel.width for panel in row.hconcat]
    if not all(isinstance(width, int) for width in widths):
        return row
    factor = max((FULL - _AXES * across) / (sum(widths) * across / len(widths)), 1)
    return _beside(row, [_enlarged(panel, round(panel.width * factor)) for panel in row.hconcat])


def _columns_of_cells(chart: Chart) -> int:
    """The number of columns of a figure of cells that have numbers in them; 0 for others."""
    if not isinstance(chart, alt.LayerChart):
        return 0
    texts = [layer for layer in chart.layer if isinstance(layer.mark, alt.MarkDef)]
    orders = [layer.encoding.x["sort"] for layer in texts if isinstance(layer.encoding.x, alt.X)]
    return max((len(order) for order in orders if isinstance(order, list)), default=0)


def _filling_panel(panel: Chart, across: int) -> Chart:
    """A panel of a figure that fills a card. Only a figure as a whole can be fitted to an exact width."""
    if isinstance(panel, alt.HConcatChart):
        return _filling_row(panel, across)
    if isinstance(panel, alt.VConcatChart):
        return filling(panel)
    return _enlarged(panel, FULL - _AXES) if isinstance(panel.width, int) else panel


def _enlarged(panel: Chart, width: int) -> Chart:
    height = panel.height
    if isinstance(height, int):
        taller = width / panel.width if isinstance(panel.width, int) else _TALLER
        height = round(height * min(taller, _TALLER))
    return panel.properties(width=width, height=height)


def _below(chart: Chart, panels: Sequence[Chart]) -> Chart:
    """The panels below each other, with everything else that the figure has."""
    return alt.VConcatChart(vconcat=list(panels), **_kept(chart))


def _beside(chart: Chart, panels: Sequence[Chart]) -> Chart:
    """The panels beside each other, with everything else that the figure has."""
    return alt.HConcatChart(hconcat=list(panels), **_kept(chart))


def _kept(chart: Chart) -> dict[str, Any]:
    return {name: chart[name] for name in ("data", "title", "spacing", "resolve", "datasets")}
