"""Figures for papers: their width in print, their type, and what their files say of themselves."""

import re
import struct
import zlib
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from django.test import Client

from core.later import alt
from core.results import Layout
from figures.drawing import Chart, Format, render
from figures.metrics.lattice import lattice_figure
from figures.metrics.metric_scores import DrawnScore, metric_scores_figure
from figures.metrics.metric_windows import windows_figure
from figures.metrics.metrics_people import scatter_figure, significance_figure
from figures.paper_widths import PaperWidth
from metrics.meta_evaluation import Estimate, bootstrap_tests
from metrics.meta_evaluation.maege.lattice_scores import Node, Step
from tests.annotate.samples import small_campaign, small_corpus

POINTS_OF = {"column": 77 / 25.4 * 72, "page": 160 / 25.4 * 72}
SIGNATURE, CAPTION = "ew|pairs:expanded|seed:1", "Systems <by> GLEU: r is 0.9 – naïve"


def scatter() -> Chart:
    scores = {f"SYS-{place}": place / 13 for place in range(13)}
    return scatter_figure(
        scores, scores, roles={}, human_name="people", metric_name="GLEU", title="Demo: GLEU"
    )


def cells(metrics: int = 15) -> Chart:
    names = [f"metric-{place}" for place in range(metrics)]
    draws = np.random.default_rng(1).normal(np.arange(metrics), 2.0, size=(999, metrics))
    agreement = {name: (each.mean(), each) for name, each in zip(names, draws.T, strict=True)}
    return significance_figure(bootstrap_tests(agreement, names), order=names, title="Demo: tests")


def windows() -> Chart:
    shown = [f"{place}–{place + 4}" for place in range(1, 9)]
    row = [Estimate(0.5, 0.4, 0.6, None)] * len(shown)
    return windows_figure({"ERRANT": row, "GLEU": row}, shown, name="Pearson’s r", title="Demo: windows")


def panels() -> Chart:
    panel = alt.Chart(pd.DataFrame({"x": [1, 2], "y": [1, 2]}), width=210, height=100)
    return alt.HConcatChart(hconcat=[panel.mark_line().encode(x="x:Q", y="y:Q")] * 3, title="Demo")


def drawn(chart: Chart, width: PaperWidth, format: Format) -> bytes:  # noqa: A002
    layout: Layout = "narrow" if width == "column" else "wide"
    return render(
        chart, theme="light", format=format, layout=layout, width=width, signature=SIGNATURE, caption=CAPTION
    )


@pytest.mark.parametrize("width", ["column", "page"])
@pytest.mark.parametrize("chart", [scatter, cells, windows, panels])
def test_a_figure_has_the_width_of_a_column_or_a_page_and_type_of_at_least_seven_points(
    chart: object, width: PaperWidth
) -> None:
    assert callable(chart)
    svg = drawn(chart(), width, "svg").decode()
    size = re.search(r'width="([0-9.]+)mm" height="[0-9.]+mm" viewBox="0 0 ([0-9.]+) ', svg)
    assert size is not None
    assert float(size[1]) == {"column": 77, "page": 160}[width]
    points = POINTS_OF[width] / float(size[2])
    sizes = [points * float(each) for each in re.findall('font-size="([0-9.]+)px"', svg)]
    assert 6.95 <= min(sizes) <= max(sizes) <= 9
    right = max(float(each) for each in re.findall(r'<path class="background"[^>]* d="M0,0h([0-9.]+)', svg))
    assert right > 0.45 * float(size[2]) / (3 if chart is panels and width == "page" else 1)


def dots(metrics: int, systems: int, layout: Layout) -> Chart:
    order = [f"SYS-{place}" for place in range(systems)]
    scores = [DrawnScore(name, place / systems, None, None) for place, name in enumerate(order)]
    panels = [(f"Metric {place}", scores) for place in range(metrics)]
    return metric_scores_figure(panels, order=order, title="Demo: scores", layout=layout)


def lattices(metrics: int) -> Chart:
    names = [f"metric-{place}" for place in range(metrics)]
    subsets = [frozenset(kept) for size in range(4) for kept in combinations(range(3), size)]
    nodes = [Node(tuple(sorted(each)), "", dict.fromkeys(names, 0.5)) for each in subsets]
    steps = [
        Step(worse, better)
        for worse, one in enumerate(subsets)
        for better, other in enumerate(subsets)
        if one < other and len(other) == len(one) + 1
    ]
    return lattice_figure(nodes, steps, "ABCDEFGH", [(name, name) for name in names], title="Demo: lattice")


@pytest.mark.parametrize("width", ["column", "page"])
def test_many_panels_fit_a_page_and_their_type_stays_legible(width: PaperWidth) -> None:
    layout: Layout = "narrow" if width == "column" else "wide"
    for chart in (dots(18, 13, layout), lattices(7)):
        svg = drawn(chart, width, "svg").decode()
        size = re.search(r'width="[0-9]+mm" height="([0-9.]+)mm" viewBox="0 0 ([0-9.]+) ', svg)
        assert size is not None
        assert float(size[1]) <= 240
        points = POINTS_OF[width] / float(size[2])
        assert min(points * float(each) for each in re.findall('font-size="([0-9.]+)px"', svg)) >= 6.95
        texts = re.findall(">([^<>]+)</text>", svg)
        assert {"Metric 17", "SYS-12"} <= {*texts} or texts.count("metric-6") == 1


def test_panels_that_would_be_too_small_stay_taller_than_a_page() -> None:
    svg = drawn(dots(18, 40, "narrow"), "column", "svg").decode()
    size = re.search(r'width="77mm" height="([0-9.]+)mm" viewBox="0 0 ([0-9.]+) ', svg)
    assert size is not None
    assert float(size[1]) > 240
    assert POINTS_OF["column"] / float(size[2]) * 10.5 >= 6.95


def test_numbers_that_have_no_room_in_their_cells_are_turned() -> None:
    turned = r"rotate\(270\)[^>]*>(&lt;)?\.[0-9]{3}<"
    assert re.search(turned, drawn(cells(), "column", "svg").decode())
    assert not re.search(turned, drawn(cells(3), "page", "svg").decode())


def test_a_figure_for_a_paper_has_neither_title_nor_signature_in_it_unless_its_data_are_synthetic() -> None:
    shown = re.findall(">([^<>]+)</text>", drawn(scatter(), "column", "svg").decode())
    assert not [text for text in shown if "Demo" in text or "pairs" in text]
    chart = scatter()
    chart.title = "Demo (synthetic): GLEU"
    assert ">Demo (synthetic): GLEU</text>" in drawn(chart, "column", "svg").decode()


def test_a_pdf_has_its_size_and_says_what_it_is() -> None:
    pdf = drawn(scatter(), "column", "pdf")
    box = re.search(rb"/MediaBox \[0 0 ([0-9.]+) ", pdf)
    assert box is not None
    assert float(box[1]) == pytest.approx(POINTS_OF["column"], abs=0.01)
    entries = dict(re.findall(rb"/(Title|Subject|Keywords) <FEFF([0-9A-F]+)>", pdf))
    said = {name.decode(): bytes.fromhex(text.decode()).decode("utf-16-be") for name, text in entries.items()}
    assert said == {"Title": "Demo: GLEU", "Subject": CAPTION, "Keywords": SIGNATURE}
    assert b"/FontFile2" in pdf or b"/FontFile3" in pdf


def test_the_information_of_a_pdf_is_where_its_table_says() -> None:
    pdf = drawn(scatter(), "column", "pdf")
    [table] = [int(each) for each in re.findall(rb"startxref\n(\d+)\n%%EOF\n$", pdf)]
    entry = re.match(rb"xref\n(\d+) 1\n(\d{10}) 00000 n \n", pdf[table:])
    assert entry is not None
    assert pdf[int(entry[2]) :].startswith(entry[1] + b" 0 obj\n<< /Title")
    assert b"/Info " + entry[1] + b" 0 R" in pdf[table:]


def chunks(png: bytes) -> list[tuple[bytes, bytes]]:
    """Kind and content of each chunk, whose checksum is right."""
    found, place = [], 8
    while place < len(png):
        [length] = struct.unpack(">I", png[place : place + 4])
        content = png[place + 4 : place + 8 + length]
        assert struct.unpack(">I", png[place + 8 + length : place + 12 + length]) == (zlib.crc32(content),)
        found.append((content[:4], content[4:]))
        place += 12 + length
    return found


def test_a_png_has_300_dots_an_inch_and_says_what_it_is() -> None:
    found = chunks(drawn(scatter(), "column", "png"))
    assert found[0][0] == b"IHDR"
    assert struct.unpack(">I", found[0][1][:4])[0] == pytest.approx(77 / 25.4 * 300, abs=1)
    [density] = [content for kind, content in found if kind == b"pHYs"]
    assert struct.unpack(">IIB", density) == (11811, 11811, 1)
    texts = [content.split(b"\0\0\0\0\0") for kind, content in found if kind == b"iTXt"]
    said = {name.decode(): text.decode() for name, text in texts}
    assert said == {"Title": "Demo: GLEU", "Description": CAPTION, "Comment": SIGNATURE}


@pytest.mark.any_database
def test_one_address_gives_a_figure_in_all_widths(researcher: Client) -> None:
    address = f"/campaigns/{small_campaign(small_corpus()).uuid}/analyses/ranking/ranking.svg"
    for width, millimetres in {"column": "77mm", "page": "160mm"}.items():
        svg = researcher.get(f"{address}?width={width}").content.decode()
        assert f'width="{millimetres}"' in svg
        assert re.search("<title>[^<]+</title><desc>Scores of systems with intervals: [^<]+</desc>", svg)
        assert re.search(r"<metadata>ew\|pairs:expanded\|", svg)
    assert researcher.get(f"{address}?width=wall").status_code == 404


@pytest.mark.any_database
def test_a_page_links_to_the_widths_of_papers(researcher: Client) -> None:
    campaign = small_campaign(small_corpus())
    page = researcher.get(f"/campaigns/{campaign.uuid}/ranking/").content.decode()
    links = re.findall(r'href="([^"]*ranking/ranking\.(?:pdf|png)\?[^"]*width=\w+)"', page)
    assert len(links) == 4
    for link in links:
        assert researcher.get(link.replace("&amp;", "&")).status_code == 200
