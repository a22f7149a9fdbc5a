"""Figures of metrics against people."""

from xml.etree import ElementTree as ET

import numpy as np
import pytest

from core.arrays import FloatArray
from figures.colours import Theme
from figures.drawing import Chart, render
from figures.metrics.metrics_people import agreement_figure, scatter_figure, significance_figure
from metrics.meta_evaluation import Estimate, PairwiseTests, bootstrap_tests

ESTIMATES = {
    "bleu": Estimate(-0.26, -0.41, -0.01, None),
    "m2": Estimate(0.62, 0.42, 0.72, None),
    "given": Estimate(0.5, None, None, "nothing was resampled"),
    "constant": Estimate(None, None, None, "the metric gives every system the same score"),
}


def drawn(chart: Chart, theme: Theme = "light") -> ET.Element:
    return ET.fromstring(render(chart, theme=theme, format="svg"))  # noqa: S314


def words(chart: Chart) -> list[str]:
    return [element.text for element in drawn(chart).iter() if element.text]


def test_metrics_stand_from_the_best_down_and_without_a_value_they_are_left_out() -> None:
    chart = agreement_figure(ESTIMATES, name="Pearson’s r", title="Demo")
    told = words(chart)
    assert [word for word in told if word in ESTIMATES] == ["m2", "given", "bleu"]
    assert {"0.62", "−0.26", "Pearson’s r", "Demo"} <= set(told)
    assert chart.to_dict()["layer"][0]["encoding"]["x"]["scale"]["domain"] == [-1, 1]
    positive = agreement_figure({"m2": ESTIMATES["m2"]}, name="r", title="")
    assert positive.to_dict()["layer"][0]["encoding"]["x"]["scale"]["domain"] == [0, 1]


def test_a_line_stands_above_each_metric_that_begins_a_cluster() -> None:
    chart = agreement_figure(ESTIMATES, name="SPA", title="", clusters={"m2": 1, "given": 1, "bleu": 2})
    [data] = chart.to_dict()["datasets"].values()
    assert {row["metric"]: row["begins"] for row in data} == {"m2": False, "given": False, "bleu": True}


def test_systems_are_named_and_source_and_references_are_hollow() -> None:
    human = {"AMU": 0.6, "INPUT": 0.4, "REF": 0.9, "UMC": None, "IPN": 0.3}
    metric = {"AMU": 0.5, "INPUT": 0.1, "REF": 1.0, "UMC": 0.2, "IPN": None}
    chart = scatter_figure(
        human,
        metric,
        roles={"INPUT": "source", "REF": "reference"},
        human_name="ExpectedWins",
        metric_name="GLEU",
        title="Demo",
    )
    [data] = chart.to_dict()["datasets"].values()
    assert {row["system"]: row["hollow"] for row in data} == {"AMU": False, "INPUT": True, "REF": True}
    assert {"AMU", "INPUT", "REF", "ExpectedWins", "GLEU"} <= set(words(chart))


def compared(replicates: FloatArray, names: list[str]) -> PairwiseTests:
    """Tests of agreements that are means of their replicates, shape (B, K)."""
    agreement = {name: (each.mean(), each) for name, each in zip(names, replicates.T, strict=True)}
    return bootstrap_tests(agreement, names)


def test_significant_cells_are_dark_and_others_are_empty() -> None:
    replicates = np.random.default_rng(1).normal([0.0, 0.5, 3.8], 0.8, size=(999, 3))
    tests = compared(replicates, ["worst", "middle", "best"])
    chart = significance_figure(tests, order=["best", "middle", "worst", "never tested"], title="Demo")
    [data] = chart.to_dict()["datasets"].values()
    strength = {(row["better"], row["worse"]): row["strength"] for row in data}
    assert len(strength) == 6
    assert 0.45 < strength["best", "worst"] <= 0.5
    assert strength["worst", "best"] == strength["middle", "worst"] == 0
    told = words(chart)
    assert ".001" in told
    assert "never tested" not in told


def test_many_metrics_leave_no_room_for_p_values() -> None:
    names = [f"metric {number}" for number in range(20)]
    tests = compared(np.random.default_rng(1).normal(size=(19, 20)), names)
    assert len(significance_figure(tests, order=names, title="").to_dict()["layer"]) == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_figures_without_anything_to_draw_are_still_pictures(theme: Theme) -> None:
    nothing = {"constant": ESTIMATES["constant"]}
    charts = (
        agreement_figure(nothing, name="r", title="none"),
        scatter_figure({}, {}, roles={}, human_name="people", metric_name="metric", title="none"),
        significance_figure(compared(np.ones((2, 1)), ["one"]), order=["one"], title="none"),
    )
    for chart in charts:
        assert drawn(chart, theme).tag.endswith("svg")
