"""Figures no taller than the page of a paper: lower rows, and more panels beside each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from figures.chart_types import Specification

_CLOSEST_ROWS, _SMALL_TYPE = 11, 10.5
"""Height of a row, and size of the names in rows that are closer than usual, in pixels."""

_LOWEST = 0.65
"""Part of its height that a panel without rows keeps."""

_CONTENT = 0.5
"""Part of its usual width that a panel keeps beside others."""

_NARROWEST = 60
"""Width of a panel in pixels."""


_SPARE = 8
"""Pixels of height that stay free, because those of panels are whole."""


class Size(NamedTuple):
    """Width and height in pixels."""

    width: float
    height: float


def as_tall_as_a_page(
    figure: Specification,
    most: Size,
    fit: Callable[[Specification], Specification],
    measured: Callable[[Specification], Size],
) -> Specification:
    """The figure as wide as wanted and, if its rows and panels allow it, no taller than wanted.

    Rows come closer first. Then panels of equal kind stand beside each other, as many as have room.

    Args:
        figure: with panels in pixels or steps.
        most: the size that is wanted.
        fit: gives a figure the wanted width.
        measured: the size of a figure with everything around its panels.
    """
    tallest = most.height - _SPARE
    fitting = fit(figure)
    usual = measured(fitting).height
    if usual <= tallest:
        return fitting
    lowest = _lowered(fitting, 0)
    least = measured(lowest).height
    panels = list(_panels(figure))
    rows, across = _rows_of(figure), 1
    while least > tallest:
        # Each row of panels is as high as the others.
        across = next(
            (
                each
                for each in range(across + 1, len(panels))
                if least * -(-len(panels) // each) / rows <= tallest
            ),
            0,
        )
        if not across:
            return lowest
        fitting = _with_heights_of(panels, fit(_arranged(figure, panels, across)))
        size = measured(fitting)
        if size.width > most.width or not all(map(_is_legible, _panels(fitting), panels)):
            return lowest
        lowest, rows, usual = _lowered(fitting, 0), -(-len(panels) // across), size.height
        least = measured(lowest).height
    share = 1.0 if usual <= tallest else (tallest - least) / (usual - least)
    return _lowered(fitting, share)


def _rows_of(figure: Specification) -> int:
    """The number of rows of panels."""
    if "vconcat" in figure:
        return sum(map(_rows_of, figure["vconcat"]))
    return max(map(_rows_of, figure.get("hconcat", ())), default=1)


def _panels(figure: Specification, inherited: Mapping[str, object] | None = None) -> Iterator[Specification]:
    """The panels in the order in which they are read, each with the data that its row has in common."""
    common = {**(inherited or {}), **{name: figure[name] for name in ("data",) if name in figure}}
    parts = figure.get("vconcat") or figure.get("hconcat")
    if parts is None:
        yield {**common, **figure}
    else:
        for part in parts:
            yield from _panels(part, common)


def _is_legible(panel: Specification, usual: Specification) -> bool:
    width, wanted = panel.get("width"), usual.get("width")
    if not isinstance(width, int | float) or not isinstance(wanted, int | float):
        return False
    return width >= max(_NARROWEST, _CONTENT * wanted)


def _arranged(figure: Specification, panels: list[Specification], across: int) -> Specification:
    """The figure with so many panels in each row, the first with names of systems if not all have them."""
    named, beside = panels[0], panels[1]
    rows = []
    for begin in range(0, len(panels), across):
        row = panels[begin : begin + across]
        shown = [_with_axis_of(named if not place else beside, panel) for place, panel in enumerate(row)]
        rows.append({"hconcat": shown, "spacing": 12})
    kept = {name: part for name, part in figure.items() if name not in ("vconcat", "hconcat")}
    return {**kept, "vconcat": rows, "spacing": 10}


def _with_heights_of(panels: list[Specification], arranged: Specification) -> Specification:
    """The arranged figure with panels as high as they usually are, whatever their width."""
    usual = iter(panels)
    rows = [
        {**row, "hconcat": [{**panel, "height": next(usual)["height"]} for panel in row["hconcat"]]}
        for row in arranged["vconcat"]
    ]
    return {**arranged, "vconcat": rows}


def _with_axis_of(model: Specification, panel: Specification) -> Specification:
    """The panel with names of its rows, or without, as the model has them, and a smaller title below it."""
    axis = next(
        (y["axis"] for layer in model.get("layer", ()) if "axis" in (y := layer["encoding"].get("y", {}))),
        ...,
    )
    layers = []
    for layer in panel.get("layer", ()):
        encoding = dict(layer["encoding"])
        if axis is not ... and "axis" in encoding.get("y", {}):
            encoding["y"] = {**encoding["y"], "axis": axis}
        if isinstance(x_axis := encoding.get("x", {}).get("axis"), dict):
            encoding["x"] = {
                **encoding["x"],
                "axis": {**x_axis, "titleFontSize": _SMALL_TYPE, "tickCount": 2, "labelOverlap": "greedy"},
            }
        layers.append({**layer, "encoding": encoding})
    return {**panel, "layer": layers}


def _lowered(part: Specification, share: float) -> Specification:
    """The figure with lower panels: as low as they may be if the share is 0, as they are if it is 1."""
    lowered = dict(part)
    for parts in ("hconcat", "vconcat"):
        if parts in lowered:
            lowered[parts] = [_lowered(panel, share) for panel in lowered[parts]]
    height = lowered.get("height")
    if isinstance(height, dict):
        step = min(height["step"], _CLOSEST_ROWS)
        lowered["height"] = {"step": step + share * (height["step"] - step)}
        lowered["layer"] = list(map(_with_small_names, lowered.get("layer", ())))
    elif isinstance(height, int | float):
        lowered["height"] = round(height * (_LOWEST + share * (1 - _LOWEST)))
    return lowered


def _with_small_names(layer: Specification) -> Specification:
    y = layer["encoding"].get("y", {})
    if not isinstance(y.get("axis"), dict):
        return layer
    named = {**y, "axis": {**y["axis"], "labelFontSize": _SMALL_TYPE}}
    return {**layer, "encoding": {**layer["encoding"], "y": named}}
