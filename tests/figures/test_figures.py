import re
from datetime import timedelta
from typing import Any
from xml.etree import ElementTree as ET

import altair as alt
import pandas as pd
import pytest
from django.test import Client
from django.urls import reverse

from analysis.analyses.systems.ranking_tables import MOST_IN_A_MATRIX
from annotate.campaigns import progress
from annotate.campaigns.progress import answered_over_time
from annotate.models import AnsweredHour
from core.results import LAYOUTS, Layout
from figures.annotators.machine_judges import DrawnJudge, machine_judges_figure
from figures.drawing import Chart, Width, render, wrapped
from figures.metrics.maege import (
    DrawnMetric,
    people_figure,
    people_height,
    sensitivity_figure,
    sensitivity_height,
    usual_change,
)
from figures.metrics.metric_scores import DrawnScore, metric_scores_figure
from figures.metrics.metric_windows import window_course_figure
from figures.planning.progress import progress_figure
from figures.references.conservatism import DrawnCorrector, correctors_figure
from figures.references.reference_coverage import DrawnCoverage, coverage_figure
from figures.renderer import vegalite_to_svg
from figures.screen_widths import FULL, NARROW, narrowed
from figures.systems.fragility import fragility_figure
from metrics.meta_evaluation import Estimate
from metrics.meta_evaluation.maege import SeedEstimate, TypeChange
from tests.annotate.running import NOON, answer, cast, pass_over, running, shown
from tests.annotate.samples import JUDGES, ranking, sentence, small_campaign, small_corpus


@pytest.mark.any_database
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_figure_is_an_svg_that_names_its_systems(researcher: Client, theme: str) -> None:
    campaign = small_campaign(small_corpus())
    response = researcher.get(f"/campaigns/{campaign.uuid}/analyses/ranking/ranking.svg?theme={theme}")
    assert response["Content-Type"] == "image/svg+xml"
    texts = {element.text for element in ET.fromstring(response.content).iter() if element.text}  # noqa: S314
    assert {"Alder", "Birch", "Cedar", "INPUT"} <= texts


@pytest.mark.any_database
def test_a_figure_of_simulated_judgments_says_so_wherever_it_is_taken(researcher: Client) -> None:
    campaign = small_campaign(small_corpus(), "made-up", synthetic=True)
    response = researcher.get(f"/campaigns/{campaign.uuid}/analyses/ranking/ranking.svg")
    assert "made-up (synthetic)" in response.content.decode()


@pytest.mark.any_database
def test_a_figure_carries_its_signature_except_on_its_page(researcher: Client) -> None:
    address = f"/campaigns/{small_campaign(small_corpus()).uuid}/analyses/ranking/ranking.svg"
    signed, bare = words_in(researcher.get(address)), words_in(researcher.get(f"{address}?bare"))
    assert "|snapshot:" in "".join(sorted(signed - bare, key=len, reverse=True))
    assert bare < signed


@pytest.mark.any_database
def test_on_a_page_a_figure_is_in_the_font_of_pages_without_its_title(researcher: Client) -> None:
    campaign = small_campaign(small_corpus(), "judged")
    address = f"/campaigns/{campaign.uuid}/analyses/ranking/ranking.svg"
    alone, on_page = (researcher.get(f"{address}{query}").content.decode() for query in ("", "?bare"))
    assert on_page.count("@font-face") == 1
    assert "@font-face" not in alone
    assert "Inter, Liberation Sans" in on_page
    assert ">judged</text>" in alone
    assert ">judged</text>" not in on_page
    assert "<title>judged" in on_page, "for people who cannot see it"


def test_the_renderer_measures_in_the_font_of_pages() -> None:
    """Digits of Inter are wider than those of Liberation Sans, so a label needs more room."""
    chart = fragility_figure(
        [("0000000000000000", 2)], groups=3, unit="judgments", title="a title that is not shown"
    )
    for_papers, on_page = (
        size_of(render(chart, theme="light", format="svg", width=width, is_bare=is_bare).decode())
        for width, is_bare in ((None, False), (None, True))
    )
    assert on_page[0] > for_papers[0] + 5


def test_a_long_title_is_broken_into_lines() -> None:
    chart = progress_figure({NOON: 1}, wanted=2, title="of a long title " * 8)
    drawn = render(chart, theme="light", format="svg", signature="progress|assay:1").decode()
    assert drawn.count("of a long title") > 1
    assert max(map(len, re.findall(">([^<>]+)</text>", drawn))) <= 60
    assert "progress|assay:1" in drawn


def test_a_narrow_figure_has_its_panels_below_each_other_each_with_its_names() -> None:
    drawn = [DrawnCorrector("Alder", False, Estimate(1.0, 0.5, 2.0, None), Estimate(0.1, 0.0, 0.2, None))]
    title = "Changes of many words in many sentences"
    wide = svg_of(correctors_figure(drawn, title=title), "wide")
    narrow = svg_of(correctors_figure(drawn, title=title, is_narrow=True), "narrow")
    assert size_of(wide)[0] > 2 * NARROW > size_of(narrow)[0]
    assert size_of(narrow)[1] > 1.5 * size_of(wide)[1]
    assert narrow.count(">Alder<") == 2
    assert f">{title}</text>" in wide
    assert f">{title}</text>" not in narrow, "it is broken into lines"


@pytest.mark.parametrize(("width", "is_wide"), [(NARROW // 2, True), (NARROW // 2 + 1, False)])
def test_panels_that_fit_a_phone_stay_beside_each_other(width: int, is_wide: bool) -> None:
    panels = [alt.Chart(pd.DataFrame({"x": [1]}), width=width, height=100).mark_point() for _ in range(2)]
    chart = alt.HConcatChart(hconcat=panels)
    assert (size_of(svg_of(chart, "narrow")) == size_of(svg_of(chart, "wide"))) == is_wide


@pytest.mark.parametrize("panels", [1, 3])
def test_a_figure_fills_its_card(panels: int) -> None:
    panel = alt.Chart(pd.DataFrame({"x": [1, 2], "y": [1, 2]}), width=200, height=100)
    drawn = panel.mark_line().encode(x="x:Q", y="y:Q")
    chart = drawn if panels == 1 else alt.HConcatChart(hconcat=[drawn] * panels)
    usual, filling = (
        size_of(render(chart, theme="light", format="svg", width=width).decode()) for width in (None, "card")
    )
    assert usual[0] < 900 < filling[0] <= 1.05 * FULL
    assert filling[1] > 1.2 * usual[1], "it is taller, too, so that its lines do not become flat"


def test_a_figure_of_panels_below_each_other_fills_its_card() -> None:
    panel = alt.Chart(pd.DataFrame({"x": [1, 2], "y": [1, 2]}), width=200, height=100)
    chart = alt.VConcatChart(vconcat=[panel.mark_line().encode(x="x:Q", y="y:Q")] * 2)
    width, _ = size_of(render(chart, theme="light", format="svg", width="card").decode())
    assert 900 < width <= 1.05 * FULL


@pytest.mark.parametrize(("columns", "least", "most"), [(4, 440, 560), (30, 900, 1.05 * FULL)])
def test_cells_with_numbers_become_wide_but_not_too_wide(columns: int, least: float, most: float) -> None:
    names = [str(column) for column in range(columns)]
    base = alt.Chart(pd.DataFrame({"x": names, "y": "a"}), width=alt.Step(20), height=alt.Step(20))
    x = alt.X("x:N", sort=names)
    layers = [
        base.mark_rect().encode(x=x, y="y:N"),
        base.mark_text(fontSize=11).encode(x=x, y="y:N", text="x:N"),
    ]
    width, _ = size_of(
        render(alt.LayerChart(layer=layers), theme="light", format="svg", width="card").decode()
    )
    assert least < width <= most


def test_no_dot_is_cut_at_the_ends_of_a_scale() -> None:
    ends = [DrawnScore("Alder", 0.0, 0.0, 0.2), DrawnScore("Birch", 1.0, 0.9, 1.0)]
    chart = metric_scores_figure([("r", ends)], order=["Alder", "Birch"], title="ends", domain=(0, 1))
    svg = render(chart, theme="light", format="svg", width="card").decode()
    dots = re.findall("mark-symbol role-mark.*?</g>", svg, re.DOTALL)
    places = [float(place) for each in dots for place in re.findall(r"translate\(([0-9.]+),", each)]
    assert min(places) > 10


def test_how_many_annotators_a_judge_is_as_good_as_stands_beside_its_row_on_a_phone() -> None:
    judges = [DrawnJudge(f"judge {place}", "metric", 0.5, 0.4, 0.6, True, "1 of 8") for place in range(9)]
    chart = machine_judges_figure(judges, None, title="judges", name="r", layout="narrow")
    assert isinstance(narrowed(chart), alt.HConcatChart)


def test_many_windows_of_a_metric_fit_a_phone() -> None:
    estimates = [Estimate(0.5, 0.4, 0.6, None)] * 12
    shown = [f"{place}–{place + 3}" for place in range(1, 13)]
    chart = window_course_figure(estimates, shown, whole=estimates[0], name="r", title="windows")
    assert size_of(svg_of(chart, "narrow"))[0] < 1.4 * NARROW


def test_windows_without_an_interval_have_hollow_dots_if_others_have_one() -> None:
    sure, unsure = Estimate(0.5, 0.4, 0.6, None), Estimate(0.5, None, None, "errors")

    def drawn(*estimates: Estimate) -> list[bool]:
        chart = window_course_figure(estimates, ["1–4", "2–5"], whole=sure, name="r", title="windows")
        frame: Any = chart.layer[0].data
        return list(frame["sure"])

    assert drawn(sure, unsure) == [True, False]
    assert drawn(unsure, unsure) == [True, True], "no interval is asked for"


@pytest.mark.parametrize("metrics", [1, 13])
def test_a_heat_map_of_metrics_fits_a_phone(metrics: int) -> None:
    unknown = SeedEstimate(0.5, None, None, None, None, 1, None)
    change = {"ArtOrDet": TypeChange(0.01, 0.005, 0.015, 3, None)}
    drawn = [DrawnMetric(f"Metric {place}", unknown, unknown, unknown, change) for place in range(metrics)]
    chart = sensitivity_figure(drawn, {"ArtOrDet": 3}, title="", layout="narrow")
    assert size_of(svg_of(chart, "narrow"))[0] < 1.4 * NARROW


@pytest.mark.parametrize("layout", ["wide", "narrow"])
def test_the_room_for_a_heat_map_of_metrics_is_that_of_the_figure(layout: Layout) -> None:
    unknown = SeedEstimate(0.5, None, None, None, None, 1, None)
    types = {f"type {place}": 30 - place for place in range(20)}
    changes = dict.fromkeys(types, TypeChange(0.01, 0.005, 0.015, 3, None))
    drawn = [DrawnMetric(f"Metric (long) {place}", unknown, unknown, unknown, changes) for place in range(9)]
    svg = svg_of(sensitivity_figure(drawn, types, title="changes", layout=layout), layout)
    assert sensitivity_height(9, 20, layout) == pytest.approx(size_of(svg)[1], abs=40)


@pytest.mark.parametrize(("accuracy", "end"), [(0.1, 50), (0.9, 90)])
def test_accuracies_end_where_the_highest_or_the_loss_allowed_is(accuracy: float, end: int) -> None:
    points = [DrawnCoverage(number, accuracy, accuracy, accuracy, accuracy) for number in (1, 2)]
    svg = svg_of(coverage_figure(points, known=2, loss=0.5, title=""), "wide")
    assert max(map(int, re.findall(r">([0-9]+)%<", svg))) == end
    assert "extrapolated" not in svg


@pytest.mark.parametrize(("known", "ticks"), [(2, [1, 2, 20]), (12, [1, 12, 20])])
def test_accuracies_beyond_the_references_of_sentences_are_called_extrapolated(
    known: int, ticks: list[int]
) -> None:
    points = [DrawnCoverage(number, 0.1, 0.1, 0.1, 0.1) for number in range(1, 21)]
    svg = svg_of(coverage_figure(points, known=known, loss=None, title=""), "wide")
    assert f"beyond {known}: extrapolated" in svg
    shown = [int(number) for number in re.findall(r">([0-9]+)<", svg)]
    assert set(ticks) <= set(shown)
    assert len(shown) > len(ticks)


def svg_of(chart: Chart, layout: Layout) -> str:
    return render(chart, theme="light", format="svg", layout=layout).decode()


def size_of(svg: str) -> tuple[float, float]:
    """Width and height in pixels."""
    width, height = re.findall(r'<svg[^>]* width="([0-9.]+)" height="([0-9.]+)"', svg)[0]
    return float(width), float(height)


@pytest.mark.any_database
def test_a_figure_is_narrow_for_phones_and_nothing_else(researcher: Client) -> None:
    address = f"/campaigns/{small_campaign(small_corpus()).uuid}/analyses/ranking/ranking.svg"
    wide, narrow = (
        size_of(researcher.get(f"{address}?bare&layout={layout}").content.decode())
        for layout in ("wide", "narrow")
    )
    assert narrow[0] < 330 < wide[0]
    assert narrow[1] == wide[1], "ranks stay beside their systems"
    assert researcher.get(f"{address}?layout=tiny").status_code == 404


@pytest.mark.any_database
def test_a_figure_can_be_taken_as_png(researcher: Client) -> None:
    response = researcher.get(f"/corpora/{small_corpus().uuid}/distinct-outputs.png")
    assert response["Content-Type"] == "image/png"
    assert response.content.startswith(b"\x89PNG")


@pytest.mark.any_database
def test_the_distribution_counts_sentences(researcher: Client) -> None:
    response = researcher.get(f"/corpora/{small_corpus().uuid}/distinct-outputs.svg")
    root = ET.fromstring(response.content)  # noqa: S314
    labels = [element.text for element in root.iter() if element.text]
    assert "distinct outputs" in labels


def words_in(response: Any) -> set[str]:
    root = ET.fromstring(response.content)  # noqa: S314
    return {element.text for element in root.iter() if element.text and not element.tag.endswith("style")}


@pytest.mark.any_database
def test_agreement_is_drawn_by_number_even_for_admins(admin: Client) -> None:
    campaign = small_campaign(small_corpus())
    words = words_in(admin.get(f"/campaigns/{campaign.uuid}/analyses/agreement/agreement.svg"))
    assert {f"Annotator {number}" for number, _ in enumerate(JUDGES, start=1)} <= words
    pseudonyms = [word for word in words if re.search("[0-9a-f]{16}", word) and "|snapshot:" not in word]
    assert not pseudonyms
    assert not words & set(JUDGES)


@pytest.mark.any_database
def test_a_crowd_of_annotators_makes_no_matrix(researcher: Client) -> None:
    crowd = [ranking(f"judge-{number}", 0, "Alder > Cedar") for number in range(MOST_IN_A_MATRIX + 1)]
    campaign = small_campaign(small_corpus(), rankings=crowd)
    page = researcher.get(f"/campaigns/{campaign.uuid}/ranking/").content.decode()
    assert "shown for at most 60 of them" in page
    assert researcher.get(f"/campaigns/{campaign.uuid}/analyses/agreement/agreement.svg").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("minutes", "expected"),
    [
        ((0, 4, 58), (0, 4, 58)),
        ((0, 4, 58, 118), (0, 4, 58, 118)),
        ((0, 4, 58, 179), (0, 55, 175)),
        ((0, 4, 359), (0, 345)),
        ((0, 4, 13 * 60 + 5), (0, 13 * 60)),
    ],
)
def test_progress_counts_what_was_asked_for_at_a_resolution_that_suits(
    minutes: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    campaign = running(items=6)
    [anna] = cast(campaign, "anna")
    for minute in minutes:
        now = NOON + timedelta(minutes=minute)
        answer(shown(anna, now), now)
    later = NOON + timedelta(minutes=minutes[-1])
    pass_over(shown(anna, later), later)
    counted = answered_over_time(campaign)
    assert tuple((time - NOON) // timedelta(minutes=1) for time in counted) == expected
    assert sum(counted.values()) == len(minutes)


@pytest.mark.django_db
def test_progress_of_many_judgments_or_months_reads_stored_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = running(items=4)
    [anna] = cast(campaign, "anna")
    for minutes in (0, 59, 61):
        answer(shown(anna, NOON + timedelta(minutes=minutes)), NOON + timedelta(minutes=minutes))
    monkeypatch.setattr(progress, "MOST_BY_MINUTES", 2)
    assert answered_over_time(campaign) == {NOON: 2, NOON + timedelta(hours=1): 1}
    later = NOON + timedelta(days=40)
    AnsweredHour.objects.filter(hour=NOON + timedelta(hours=1)).update(hour=later)
    assert [(time.hour, number) for time, number in answered_over_time(campaign).items()] == [(0, 2), (0, 1)]


def test_progress_of_an_hour_has_times_of_the_clock(researcher: Client) -> None:
    campaign = running(items=4)
    [anna] = cast(campaign, "anna")
    for minutes in (0, 20):
        now = NOON + timedelta(minutes=minutes)
        answer(shown(anna, now), now)
    words = words_in(researcher.get(f"/campaigns/{campaign.uuid}/progress.svg"))
    assert {"12:00", "12:20"} <= words


@pytest.mark.parametrize("span", [*range(8), 24 * 60, 4 * 24 * 60 + 70, 6 * 24 * 60])
def test_no_two_ticks_of_progress_have_the_same_label(span: int) -> None:
    answered = {NOON: 5, NOON + timedelta(minutes=span): 5}
    drawn = vegalite_to_svg(progress_figure(answered, wanted=20, title="pilot").to_dict())
    labels = [word for word in re.findall(">([^<>]+)</text>", drawn) if re.search(":|[A-Z]", word)]
    assert labels
    assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("answers", [0, 2])
def test_progress_is_a_picture_from_the_first_moment_on(researcher: Client, answers: int) -> None:
    campaign = running(items=4)
    [anna] = cast(campaign, "anna")
    for _ in range(answers):
        answer(shown(anna))
    assert "judgments" in words_in(researcher.get(f"/campaigns/{campaign.uuid}/progress.svg"))


LONG = "gpt-4o-mini_few-shot_temperature-0.0_minimal-edits"


@pytest.mark.any_database
def test_long_names_wrap_and_are_not_cut(researcher: Client) -> None:
    sentences = [sentence("He go .", "He goes .", "He gone .", "He went .")]
    corpus = small_corpus(sentences=sentences)
    corpus.systems.filter(name="Alder").update(name=LONG)
    campaign = small_campaign(corpus, rankings=[ranking("anna", 0, f"{LONG} > Birch > INPUT > Cedar")] * 9)
    response = researcher.get(f"/campaigns/{campaign.uuid}/analyses/ranking/ranking.svg")
    root = ET.fromstring(response.content)  # noqa: S314
    assert float(root.attrib["width"]) <= 800
    words = words_in(response)
    assert not [word for word in words if "…" in word]
    assert LONG not in words
    assert LONG in "".join(element.text or "" for element in root.iter())


@pytest.mark.any_database
def test_figures_of_the_ranking_carry_their_signature(researcher: Client) -> None:
    campaign = small_campaign(small_corpus())
    for name, beginning in {
        "ranking/ranking": "ew|pairs:expanded|",
        "ranking/head-to-head": "agreement|",
        "agreement/agreement": "agreement|",
    }.items():
        drawn = researcher.get(f"/campaigns/{campaign.uuid}/analyses/{name}.svg").content.decode()
        assert beginning in drawn
        assert "|assay:" in drawn


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("INPUT", ["INPUT"]),
        ("a-b c", ["a-b c"]),
        ("alpha-beta_gamma", ["alpha-", "beta_gamma"]),
        ("alpha beta", ["alpha beta"]),
        ("alphabet beta", ["alphabet", "beta"]),
        ("x" * 23, ["x" * 10, "x" * 10, "xxx"]),
        ("-" * 12, ["-" * 10, "--"]),
    ],
)
def test_names_break_after_marks_where_they_can(name: str, lines: list[str]) -> None:
    assert wrapped(name, 10) == lines


@pytest.mark.any_database
@pytest.mark.parametrize(
    "tail", ["systems.exe", "systems.svg?theme=pink", "tables/systems.exe", "tables/all.csv"]
)
def test_other_forms_are_404(researcher: Client, tail: str) -> None:
    campaign = small_campaign(small_corpus())
    assert researcher.get(f"{reverse('ranking', args=[campaign.uuid])}{tail}").status_code == 404


@pytest.mark.any_database
def test_a_ranking_without_scores_is_still_a_picture(researcher: Client) -> None:
    campaign = small_campaign(small_corpus(), rankings=[ranking("anna", 0, "")])
    response = researcher.get(f"/campaigns/{campaign.uuid}/analyses/ranking/ranking.svg")
    assert response.status_code == 200


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("campaigns", [1, 3])
def test_the_room_for_metrics_by_people_is_that_of_the_figure(layout: Layout, campaigns: int) -> None:
    metrics = [("GLEU", 0.9, 0.3), ("BLEU", 0.8, -0.2), ("M2", -0.4, 0.5)]
    chart = people_figure({f"campaign {place}": metrics for place in range(campaigns)})
    width: Width | None = "card" if layout == "wide" else None
    drawn = render(chart, theme="light", format="svg", layout=layout, width=width).decode()
    assert people_height(campaigns, layout) == pytest.approx(size_of(drawn)[1], abs=12)


def test_changes_are_multiples_of_the_usual_certain_one() -> None:
    """A large change that may be chance does not make the others small; it is written as more than ten."""
    changes = {
        "A": TypeChange(0.02, 0.01, 0.03, 30, None),
        "B": TypeChange(-0.02, -0.03, -0.01, 10, None),
        "C": TypeChange(9.0, -1.0, 19.0, 50, None),
    }
    assert usual_change(changes.values()) == pytest.approx(0.02)
    assert usual_change([changes["C"]]) == 9
    assert usual_change([]) == 1
    estimate = SeedEstimate(None, None, None, None, None, 0, "none")
    metric = DrawnMetric("LD", estimate, estimate, estimate, changes)
    drawn = svg_of(sensitivity_figure([metric], {"A": 30, "B": 10, "C": 50}, title="changes"), "wide")
    assert {">+1.0<", ">-1.0<", ">&gt; +10<"} <= set(re.findall(">[^<]+<", drawn))
