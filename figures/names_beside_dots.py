"""Names beside the dots of a scatter plot: none covers a dot or another name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, hypot, inf, pi, sin
from operator import attrgetter
from typing import Literal, NamedTuple

from figures.chart_types import Specification
from figures.text_lines import width_of

NAMES = "names beside dots"
"""Name of a layer of texts that `with_placed_names` puts beside the dots of its panel."""

SIZE, LINE = 12, 14
"""Size of the type of names and height of their line, in pixels."""

_DOT = 5
"""Radius of a dot with some room around it."""

_RINGS = (8, 16, 26, 38, 52, 68, 86)
"""Distances of a name from its dot that are tried, in pixels."""

_ANGLES = tuple(pi * part / 8 for part in (0, 8, 2, 14, 6, 10, 4, 12, 1, 15, 7, 9, 3, 13, 5, 11))
"""Directions that are tried, counter-clockwise from the right, the usual ones first."""

_LEADS_FROM = 11
"""A name that is further away from its dot gets a line, in pixels."""

_RING, _TURN, _BEYOND, _COVERED, _CROSSED = 12.0, 0.5, 8.0, 10.0, 40.0
"""Costs of a place: for each step away from the dot and from the usual direction, each pixel outside the
panel, each square pixel of a name or dot that is covered, and each that the line crosses.
"""

_SWEEPS = 4

Align = Literal["left", "center", "right"]


class Dot(NamedTuple):
    """A dot with its name, in pixels from the upper left corner of the panel."""

    x: float
    y: float
    name: str


class Placed(NamedTuple):
    """Where a name stands, in pixels from its dot.

    Attributes:
        dx: where its text begins, has its middle or ends, to the right.
        dy: the middle of its line, downwards.
        align: which of the three.
        line: both ends of the line from the dot to it; None if it stands close to it.
    """

    dx: float
    dy: float
    align: Align
    line: tuple[tuple[float, float], tuple[float, float]] | None


class _Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, other: _Box) -> float:
        """The common area."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(width, 0.0) * max(height, 0.0)

    def beyond(self, width: float, height: float) -> float:
        """By how many pixels it leaves a panel."""
        sides = (-self.left, -self.top, self.right - width, self.bottom - height)
        return sum(max(side, 0.0) for side in sides)

    def holds(self, x: float, y: float) -> bool:
        """Whether a point is in it."""
        return self.left < x < self.right and self.top < y < self.bottom

    def nearest(self, x: float, y: float) -> tuple[float, float]:
        """Its point that is nearest to another."""
        return min(max(x, self.left), self.right), min(max(y, self.top), self.bottom)


class _Candidate(NamedTuple):
    cost: float
    placed: Placed
    box: _Box


def with_placed_names(specification: Specification) -> Specification:
    """A specification of Vega-Lite in which each layer called `NAMES` has become placed texts and lines.

    The scales of such a layer state domain and padding; it encodes x, y and text, and its panel has a size in
    pixels.
    """
    return _placed_in(specification, specification.get("datasets", {}))


def _placed_in(specification: Specification, datasets: Specification) -> Specification:
    placed = dict(specification)
    for parts in ("hconcat", "vconcat"):
        if parts in placed:
            common = {name: placed[name] for name in ("data",) if name in placed}
            placed[parts] = [_placed_in({**common, **panel}, datasets) for panel in placed[parts]]
    if "layer" in placed:
        layers = [
            [*_texts_and_lines(layer, placed, datasets)] if layer.get("name") == NAMES else [layer]
            for layer in placed["layer"]
        ]
        placed["layer"] = [each for some in layers for each in some]
    return placed


_AXIS = 60
"""What the axis takes of a panel whose width includes it, in pixels."""


def _texts_and_lines(
    layer: Specification, panel: Specification, datasets: Specification
) -> Iterator[Specification]:
    encoding = layer["encoding"]
    rows = datasets[(layer.get("data") or panel["data"])["name"]]
    width, height = panel["width"] - (_AXIS if "autosize" in panel else 0), panel["height"]
    across, down = (_places(rows, encoding[channel], size) for channel, size in (("x", width), ("y", height)))
    names = [row[encoding["text"]["field"]] for row in rows]
    dots = [Dot(x, height - y, name) for x, y, name in zip(across, down, names, strict=True)]
    for row, placed in zip(rows, placed_names(dots, width, height), strict=True):
        data = {"values": [row]}
        if placed.line is not None:
            (begin_x, begin_y), (end_x, end_y) = placed.line
            offsets = {"xOffset": begin_x, "yOffset": begin_y, "x2Offset": end_x, "y2Offset": end_y}
            both = {f"{axis}2": {"field": encoding[axis]["field"]} for axis in ("x", "y")}
            yield {
                "data": data,
                "mark": {"type": "rule", "strokeWidth": 0.75, "opacity": 0.7, **offsets},
                "encoding": {"x": encoding["x"], "y": encoding["y"], **both},
            }
        mark = {**layer["mark"], "align": placed.align, "dx": placed.dx, "dy": placed.dy}
        yield {"data": data, "mark": mark, "encoding": encoding}


def _places(rows: Sequence[Specification], channel: Specification, size: float) -> list[float]:
    """The place of each row on a linear scale, in pixels."""
    (low, high), padding = channel["scale"]["domain"], channel["scale"]["padding"]
    return [padding + (size - 2 * padding) * (row[channel["field"]] - low) / (high - low) for row in rows]


def placed_names(dots: Sequence[Dot], width: float, height: float) -> list[Placed]:
    """A place for the name of each dot within a panel of this size.

    Each name takes the free place that is nearest to its dot, or the one that covers least. Names are placed
    from the top down, and moved while that makes room.
    """
    candidates = [sorted(_candidates(dot, width, height), key=attrgetter("cost")) for dot in dots]
    around = [_Box(dot.x - _DOT, dot.y - _DOT, dot.x + _DOT, dot.y + _DOT) for dot in dots]
    chosen: dict[int, _Candidate] = {}
    order = sorted(range(len(dots)), key=lambda place: (dots[place].y, dots[place].x))
    for _ in range(_SWEEPS):
        before = dict(chosen)
        for place in order:
            of_others = [each.box for other, each in chosen.items() if other != place]
            obstacles = [*around[:place], *around[place + 1 :], *of_others]
            chosen[place] = _best(candidates[place], dots[place], obstacles)
        if chosen == before:
            break
    return [chosen[place].placed for place in range(len(dots))]


def _candidates(dot: Dot, width: float, height: float) -> Iterator[_Candidate]:
    wide = width_of(dot.name, SIZE)
    for ring, distance in enumerate(_RINGS):
        for turn, angle in enumerate(_ANGLES):
            dx, dy = distance * cos(angle), -distance * sin(angle)
            align: Align = "center" if abs(dx) < 1 else "left" if dx > 0 else "right"
            if align == "center":  # The line of the text begins above or below the dot.
                dy += LINE / 4 if dy > 0 else -LINE / 4
            left = dot.x + dx - {"left": 0.0, "center": wide / 2, "right": wide}[align]
            box = _Box(left, dot.y + dy - LINE / 2, left + wide, dot.y + dy + LINE / 2)
            cost = _RING * ring + _TURN * turn + _BEYOND * box.beyond(width, height)
            yield _Candidate(cost, Placed(dx, dy, align, _line(dot, box)), box)


def _line(dot: Dot, box: _Box) -> tuple[tuple[float, float], tuple[float, float]] | None:
    x, y = box.nearest(dot.x, dot.y)
    across, down = x - dot.x, y - dot.y
    length = hypot(across, down)
    if length <= _LEADS_FROM:
        return None
    return (across * _DOT / length, down * _DOT / length), (
        across * (1 - 2 / length),
        down * (1 - 2 / length),
    )


def _best(candidates: Sequence[_Candidate], dot: Dot, obstacles: Sequence[_Box]) -> _Candidate:
    """The candidate with the lowest cost, including what it covers; they are sorted by their own cost."""
    best, lowest = candidates[0], inf
    for each in candidates:
        if each.cost >= lowest:
            break
        cost = each.cost + _covered(each, dot, obstacles)
        if cost < lowest:
            best, lowest = each, cost
    return best


def _covered(each: _Candidate, dot: Dot, obstacles: Sequence[_Box]) -> float:
    """What a name in this place covers of dots and other names, and how many of these its line crosses."""
    covered = _COVERED * sum(each.box.overlap(obstacle) for obstacle in obstacles)
    if each.placed.line is not None:
        passed = [*_along(dot, each.placed.line)]
        covered += _CROSSED * sum(any(it.holds(*point) for point in passed) for it in obstacles)
    return covered


def _along(dot: Dot, line: tuple[tuple[float, float], tuple[float, float]]) -> Iterator[tuple[float, float]]:
    (begin_x, begin_y), (end_x, end_y) = line
    steps = max(int(hypot(end_x - begin_x, end_y - begin_y) / 4), 1)
    for step in range(steps + 1):
        share = step / steps
        yield dot.x + begin_x + share * (end_x - begin_x), dot.y + begin_y + share * (end_y - begin_y)
