"""The one-page report as a drawing: everything on the page, whatever the names and however much is said."""

import re

import pytest
import vl_convert

from core.marks import Mark, scale_of
from figures.answers_report import HEIGHT, MARGIN, Report, ReportedAnswer, ReportedRow, report_svg
from figures.text_lines import clipped, lines_of, width_of

LONG = "gpt-4o-mini_few-shot_temperature-0.0_minimal-edits_and_so_on_" * 3


def report(name: str, *, sentences: int = 2, rows: int = 4) -> Report:
    scale = scale_of([0.0, 1.0])
    assert scale is not None
    answer = ReportedAnswer(
        "Who wins?",
        f"{name} is ranked first",
        [f"Without 3 of 100 judgments, {name} would be above {name}."] * sentences,
        "Score with interval",
        [ReportedRow(name, "0.50", Mark(scale, 0.5, 0.4, 0.6, False))] * rows,
    )
    return Report(name, ["100 answers by 3 annotators."], [answer] * 4, ["ew|pairs:expanded|seed:0"] * 6)


@pytest.mark.parametrize(
    "page",
    [
        report("AMU"),
        report("AMU", sentences=0, rows=0),
        report("AMU", sentences=9),
        report(LONG),
        report("中文系統" * 20),
    ],
    ids=["usual", "bare", "much", "long names", "Chinese names"],
)
def test_everything_is_on_the_page(page: Report) -> None:
    svg = report_svg(page)
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    assert found is not None
    width, height = map(float, found.groups())
    assert width / height == pytest.approx(595 / 842, rel=1e-3)
    for x, y, size, anchor, text in re.findall(
        r'<text x="([\d.]+)" y="([\d.]+)" font-size="([\d.]+)".*?text-anchor="(\w+)"[^>]*>([^<]*)', svg
    ):
        drawn = width_of(text, float(size)) if anchor == "start" else 0
        assert float(x) + drawn <= width - MARGIN + 1, text
        assert MARGIN <= float(y) <= height - MARGIN, text


def test_a_usual_page_is_not_drawn_smaller() -> None:
    assert f'viewBox="0 0 595.00 {HEIGHT}.00"' in report_svg(report("AMU"))


def test_names_are_text() -> None:
    svg = report_svg(report("<b>&"))
    assert "&lt;b&gt;&amp; is ranked first" in svg


def test_no_text_is_wider_than_is_reckoned() -> None:
    """Measured by what draws the page."""
    texts = [
        "AMU is ranked first; ten systems form one cluster",
        "κ 0.29 – “quoted”, it’s 100 % of #2 & more… (α β ρ ≥ ≤ ×)",
        "".join(map(chr, range(33, 127))),
        "Žluťoučký kůň, Straßenbahn, naïve, İstanbul",
    ]
    for text in texts:
        for weight in ("normal", "bold"):
            assert _measured(text, weight) <= 1.001 * width_of(text, 100), (text, weight)


def _measured(text: str, weight: str) -> float:
    mark = {"text": {"value": text}, "font": {"value": "Liberation Sans"}, "fontSize": {"value": 100}}
    mark["fontWeight"] = {"value": weight}
    specification = {"marks": [{"type": "text", "encode": {"enter": mark}}], "padding": 0}
    drawn = vl_convert.vega_to_scenegraph(specification)
    return float(drawn["width"])


def test_lines_break_at_blanks_and_within_long_words() -> None:
    assert lines_of("one two three", width_of("one two", 10), 10) == ["one two", "three"]
    pieces = lines_of("x" * 10, width_of("xxxx", 10), 10)
    assert pieces == ["xxxx", "xxxx", "xx"]
    assert lines_of("", 10, 10) == []


def test_labels_are_clipped_to_their_width() -> None:
    assert clipped("short", 100, 10) == "short"
    short = clipped("a long label", 40, 10)
    assert short.endswith("…")
    assert width_of(short, 10) <= 40
