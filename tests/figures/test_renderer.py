"""Figures are drawn in a process of their own, which may end at any time."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from figures import renderer
from figures.renderer import DrawingError, svg_to_pdf, svg_to_png, vegalite_to_svg


def points(title: str = "points") -> dict[str, Any]:
    return {
        "title": title,
        "data": {"values": [{"a": 1}, {"a": 2}]},
        "mark": "point",
        "encoding": {"x": {"field": "a", "type": "quantitative"}},
    }


def test_a_figure_is_drawn_in_each_format() -> None:
    svg = vegalite_to_svg(points())
    assert svg.startswith("<svg")
    assert svg_to_pdf(svg).startswith(b"%PDF")
    assert svg_to_png(svg, scale=2).startswith(b"\x89PNG")


def test_a_process_that_died_is_replaced() -> None:
    before = vegalite_to_svg(points())
    process = renderer._renderers[-1]._process
    assert process is not None
    process.kill()
    process.wait()
    assert vegalite_to_svg(points()) == before


def test_what_cannot_be_drawn_is_an_error_in_one_line_and_the_process_goes_on() -> None:
    with pytest.raises(DrawingError, match=r"\Aunknown token at 1:1\Z"):
        svg_to_pdf("no figure")
    assert vegalite_to_svg(points())


def test_threads_get_their_own_figures() -> None:
    titles = [f"title {number}" for number in range(20)]
    with ThreadPoolExecutor(4) as threads:
        drawn = list(threads.map(lambda title: vegalite_to_svg(points(title)), titles))
    assert all(f">{title}<" in svg for title, svg in zip(titles, drawn, strict=True))


def test_a_process_that_has_grown_ends_after_its_answer() -> None:
    grown = "from figures import renderer_process as process; process.MOST_BYTES = 1; process.main()"
    request = json.dumps(["vegalite_to_svg", points(), {}]).encode() + b"\n"
    run = subprocess.run([sys.executable, "-c", grown], input=2 * request, capture_output=True, check=True)
    assert run.stdout.count(b"<svg") == 1


def test_a_large_process_keeps_its_renderer() -> None:
    drawing = (
        "memory = b'0' * 400_000_000; from figures import renderer; "
        f"renderer.vegalite_to_svg({points()!r}); process = renderer._renderers[-1]._process; "
        f"renderer.vegalite_to_svg({points()!r}); assert renderer._renderers[-1]._process is process; "
        "assert process.poll() is None"
    )
    subprocess.run([sys.executable, "-c", drawing], check=True)


def test_the_engine_is_not_loaded_by_who_asks() -> None:
    asking = (
        "import sys; from figures.renderer import vegalite_to_svg; "
        f"vegalite_to_svg({points()!r}); assert 'vl_convert' not in sys.modules"
    )
    subprocess.run([sys.executable, "-W", "error", "-c", asking], check=True)
