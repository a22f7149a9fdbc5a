"""Figures as wide as a column or a page of a paper, with type that keeps its size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf
from typing import Literal

from figures.chart_types import Specification
from figures.paper_heights import Size, as_tall_as_a_page
from figures.text_lines import width_of

PaperWidth = Literal["column", "page"]

MILLIMETRES: Mapping[PaperWidth, float] = {"column": 77, "page": 160}
"""Of a column and of a page in the style of ACL; most other papers with two columns are wider."""

_POINTS_A_PIXEL = 2 / 3
"""Size in print: type of 12 pixels has 8 points."""

TALLEST = 240
"""Height of a page of a paper, in millimetres."""

POINTS_A_MILLIMETRE = 72 / 25.4

_LEAST_TYPE = 10.5
"""Smallest type in pixels; 7 points in print."""

_USUAL_TYPE = 12

_NAMES_AT_MOST = 0.5
"""Part of the width that names of rows take at most."""

_FLATTEST = {"column": 0.75, "page": 0.5}
"""Height of a panel at most, by its width."""

_NARROWEST_PANEL, _NARROWEST_CELL = 60, 13
"""In pixels. Such a cell has room for a number that is turned."""

_WIDEST, _ROUNDS = 6.0, 8
"""The most that a panel is widened, and how often a width is tried."""

_CLOSE = 3
"""Pixels by which a figure may be narrower than wanted."""

_SPARE = 3
"""Room beside a number in its cell, in pixels."""


def pixels_of(width: PaperWidth) -> float:
    """The width of a figure before it is printed."""
    return MILLIMETRES[width] * POINTS_A_MILLIMETRE / _POINTS_A_PIXEL


def fitted(
    figure: Specification, width: PaperWidth, measured: Callable[[Specification], Size]
) -> Specification:
    """The figure with panels and cells of such a size that all of it is as wide as wanted and fits a page.

    Numbers that have no room in their cells are turned. A figure whose names leave too little room is wider.

    Args:
        figure: with panels in pixels or steps.
        width: what it is for.
        measured: the size of a figure with everything around its panels.
    """
    most = Size(pixels_of(width), TALLEST * POINTS_A_MILLIMETRE / _POINTS_A_PIXEL)

    def fit(arranged: Specification) -> Specification:
        return _as_wide_as(arranged, width, lambda tried: measured(tried).width)

    return as_tall_as_a_page(figure, most, fit, measured)


def _as_wide_as(
    figure: Specification, width: PaperWidth, measured: Callable[[Specification], float]
) -> Specification:
    wanted = pixels_of(width)

    def scaled(factor: float) -> Specification:
        return _scaled(figure, factor, width, figure.get("datasets", {}))

    best, factor = scaled(0), 1.0
    below, above = (0.0, measured(best)), (_WIDEST, inf)
    for _ in range(_ROUNDS):
        tried = scaled(factor)
        found = measured(tried)
        if found > wanted:
            above = (factor, found)
        else:
            best, below = tried, (factor, found)
        if wanted - _CLOSE < below[1]:
            break
        # Widths grow at least linearly, so that a line between two points leads to one that is not too wide.
        slope = (above[1] - below[1]) / (above[0] - below[0]) if above[1] < inf else below[1] / (factor or 1)
        factor = min(below[0] + (wanted - _CLOSE / 2 - below[1]) / slope, above[0])
    return best


def _scaled(part: Specification, factor: float, width: PaperWidth, datasets: Specification) -> Specification:
    """A figure or a part of it, with panels and cells of this width compared to the usual one."""
    scaled = dict(part)
    for parts in ("hconcat", "vconcat"):
        if parts in scaled:
            scaled[parts] = [_scaled(panel, factor, width, datasets) for panel in scaled[parts]]
    marks = [_for_paper(layer, pixels_of(width)) for layer in scaled.get("layer", ())]
    if marks:
        scaled["layer"] = marks
    elif "mark" in scaled:
        scaled = _for_paper(scaled, pixels_of(width))
        marks = [scaled]
    usual = scaled.get("width")
    if isinstance(usual, dict):
        step = max(_NARROWEST_CELL, usual["step"] * factor)
        scaled["width"] = {"step": step}
        return _with_room_in_cells(scaled, step, datasets)
    if isinstance(usual, int) and any("field" in mark.get("encoding", {}).get("x", {}) for mark in marks):
        scaled["width"] = max(_NARROWEST_PANEL, round(usual * factor))
        if isinstance(height := scaled.get("height"), int):
            scaled["height"] = min(height, round(_FLATTEST[width] * scaled["width"]))
    return scaled


def _for_paper(layer: Specification, wanted: float) -> Specification:
    """A layer with names of rows that leave room for the panel, and type that is legible in print."""
    fitting = dict(layer)
    if "encoding" in layer:
        encoding = dict(layer["encoding"])
        y = encoding.get("y", {})
        if y.get("type") == "nominal" and (axis := y.get("axis", {})) is not None:
            most = _NAMES_AT_MOST * wanted
            limits = {name: min(axis[name], most) for name in ("labelLimit", "minExtent") if axis.get(name)}
            encoding["y"] = {**y, "axis": {**axis, **limits}}
        fitting["encoding"] = encoding
    mark = layer.get("mark")
    if isinstance(mark, dict) and "fontSize" in mark:
        fitting["mark"] = {**mark, "fontSize": max(mark["fontSize"], _LEAST_TYPE)}
    return fitting


def _with_room_in_cells(panel: Specification, step: float, datasets: Specification) -> Specification:
    """The panel with numbers and names of columns turned upright if they are wider than a cell."""
    rows = datasets.get(panel.get("data", {}).get("name"), [])
    layers, tallest = [], 0.0
    for layer in panel.get("layer", ()):
        longest = _longest(rows, layer["encoding"].get("text", {}))
        if longest > step - _SPARE:
            layer = {**layer, "mark": {**layer["mark"], "angle": 270, "fontSize": _LEAST_TYPE}}
            tallest = max(tallest, longest)
        layers.append({**layer, "encoding": _with_turned_names(layer["encoding"], rows, step)})
    if layers:
        panel["layer"] = layers
    height = panel.get("height")
    if isinstance(height, dict):
        panel["height"] = {"step": max(height["step"], tallest + _SPARE)}
    return panel


def _longest(rows: Sequence[Specification], text: Specification) -> float:
    """Width of the longest text of a channel, in pixels."""
    return max(map(_width, _texts(rows, text)), default=0.0)


def _width(text: str) -> float:
    return width_of(text, _LEAST_TYPE)


def _texts(rows: Sequence[Specification], text: Specification) -> Iterator[str]:
    for row in rows:
        value = row.get(text.get("field", ""))
        if value is not None:
            yield f"{value:{text['format']}}" if "format" in text else str(value)


def _with_turned_names(encoding: Specification, rows: Sequence[Specification], step: float) -> Specification:
    """The encoding with names of columns upright if they are wider than these or lean."""
    x = encoding.get("x", {})
    axis = x.get("axis") or {}
    longest = width_of(
        max(map(str, (row.get(x.get("field")) for row in rows)), key=len, default=""), _USUAL_TYPE
    )
    if not axis or (axis.get("labelAngle") == 0 and longest <= step):
        return dict(encoding)
    return {**encoding, "x": {**x, "axis": {**axis, "labelAngle": -90}}}
