"""Names of a scatter plot stand beside their dots and cover nothing."""

import random
import re
from itertools import combinations
from math import hypot
from xml.etree import ElementTree as ET

import pytest

from core.results import Layout
from figures.drawing import Width, render
from figures.metrics.maege import people_figure
from figures.metrics.metrics_people import scatter_figure
from figures.names_beside_dots import LINE, SIZE, Dot, Placed, placed_names
from figures.text_lines import width_of

WIDTH, HEIGHT = 420, 320
FURTHEST_WITHOUT_A_LINE = 12

Box = tuple[float, float, float, float]


def box(dot: Dot, placed: Placed) -> Box:
    """Left, top, right and bottom of a name."""
    wide = width_of(dot.name, SIZE)
    left = dot.x + placed.dx - {"left": 0.0, "center": wide / 2, "right": wide}[placed.align]
    middle = dot.y + placed.dy
    return left, middle - LINE / 2, left + wide, middle + LINE / 2


def overlap(one: Box, other: Box) -> float:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    tall = min(one[3], other[3]) - max(one[1], other[1])
    return max(wide, 0.0) * max(tall, 0.0)


def distance(dot: Dot, place: Box) -> float:
    return hypot(dot.x - min(max(dot.x, place[0]), place[2]), dot.y - min(max(dot.y, place[1]), place[3]))


def close_dots(number: int, spread: float) -> list[Dot]:
    draw = random.Random(7)  # noqa: S311
    return [
        Dot(draw.gauss(WIDTH / 2, spread), draw.gauss(HEIGHT / 2, spread), f"SYS-{place}")
        for place in range(number)
    ]


def test_a_single_name_stands_right_of_its_dot() -> None:
    [placed] = placed_names([Dot(100, 100, "AMU")], WIDTH, HEIGHT)
    assert placed.align == "left"
    assert 5 < placed.dx < 10
    assert placed.dy == 0
    assert placed.line is None


@pytest.mark.parametrize(("x", "y"), [(WIDTH, 100), (0, 100), (100, 0), (100, HEIGHT)])
def test_a_name_stays_in_its_panel(x: float, y: float) -> None:
    dot = Dot(x, y, "CAMBRIDGE")
    left, top, right, bottom = box(dot, *placed_names([dot], WIDTH, HEIGHT))
    assert left >= 0
    assert top >= -1
    assert right <= WIDTH
    assert bottom <= HEIGHT + 1


@pytest.mark.parametrize("number", [2, 6, 13])
def test_close_names_cover_neither_each_other_nor_a_dot(number: int) -> None:
    dots = close_dots(number, 15)
    boxes = [box(dot, placed) for dot, placed in zip(dots, placed_names(dots, WIDTH, HEIGHT), strict=True)]
    assert not [pair for pair in combinations(boxes, 2) if overlap(*pair) > 1]
    around = [(dot.x - 4, dot.y - 4, dot.x + 4, dot.y + 4) for dot in dots]
    assert not [(name, dot) for name in boxes for dot in around if overlap(name, dot) > 1]


def test_a_name_that_is_far_from_its_dot_has_a_line_to_it() -> None:
    dots = close_dots(13, 8)
    placed = placed_names(dots, WIDTH, HEIGHT)
    far = [
        each.line is not None
        for dot, each in zip(dots, placed, strict=True)
        if distance(dot, box(dot, each)) > FURTHEST_WITHOUT_A_LINE
    ]
    assert far
    assert all(far)


@pytest.mark.parametrize(
    ("width", "layout"), [(None, "wide"), (None, "narrow"), ("card", "wide"), ("column", "narrow")]
)
def test_names_are_placed_for_the_width_in_which_a_figure_is_drawn(
    width: Width | None, layout: Layout
) -> None:
    scores = {"Alder": 0.5, "Birch": 0.501, "Cedar": 0.502, "Dogwood": 0.503, "far": 0.1}
    chart = scatter_figure(scores, scores, roles={}, human_name="people", metric_name="GLEU", title="close")
    svg = render(chart, theme="light", format="svg", layout=layout, width=width)
    root = ET.fromstring(svg)  # noqa: S314
    rules = [
        each
        for each in root.iter()
        if "mark-rule" in each.get("class", "") and "grid" not in each.get("class", "")
    ]
    with_line = [each for each in rules if re.search("role-mark", each.get("class", ""))]
    assert len(with_line) >= 1, "four dots at one place need lines"
    assert {"Alder", "Birch", "Cedar", "Dogwood", "far"} <= {each.text for each in root.iter()}


@pytest.mark.parametrize("width", [None, "card"])
@pytest.mark.parametrize("campaigns", [1, 2])
def test_names_are_placed_in_each_of_several_panels(width: Width | None, campaigns: int) -> None:
    judged = {f"campaign {number}": [("GLEU", 0.5, 0.4), ("SARI", 0.6, 0.7)] for number in range(campaigns)}
    svg = render(people_figure(judged), theme="light", format="svg", width=width)
    names = [each.text for each in ET.fromstring(svg).iter() if each.text in ("GLEU", "SARI")]  # noqa: S314
    assert len(names) == 2 * campaigns
