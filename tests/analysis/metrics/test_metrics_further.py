"""Metrics by rank of systems, with synthetic systems, and over the values of a parameter."""

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from django.test import Client
from scipy import stats

from analysis.analyses.metric_titles import title_of_metric
from analysis.analyses.metrics.sensitivity.hybrids import HYBRIDS, explanation
from analysis.analyses.metrics.sensitivity.metric_rank_pairs import METRIC_RANK_PAIRS, lead
from analysis.analyses.metrics.sensitivity.metric_sweep import METRIC_SWEEP, MetricSweepParameters
from analysis.analyses.metrics.sensitivity.metric_windows import (
    FIGURES,
    METRIC_WINDOWS,
    by_agreement,
)
from analysis.analyses.metrics.sensitivity.mixed_systems import HybridsParameters
from analysis.analyses.metrics.sensitivity.windows_of_systems import MetricsInWindows, MetricWindowsParameters
from annotate.models import Campaign
from core.names import Naming
from core.results import Computed
from metrics.meta_evaluation import Estimate
from ranking import Coefficient
from tests.analysis.judgment_files import (
    JUDGED_TEXTS,
    Capture,
    as_json,
    printed,
    write_judgments,
    write_orders,
    write_scores,
)
from tests.analysis.metrics.metric_pages import file_of, page, rows_of
from tests.analysis.scored_campaigns import METRICS, result_of
from tests.annotate.samples import ranking, sentence, small_campaign, small_corpus
from tests.annotate.scores.scoring import scored

pytestmark = pytest.mark.any_database

WINDOWS = ("analyse", "metric-windows")
RANK_PAIRS = ("analyse", "metric-rank-pairs")


def test_a_file_gives_the_correlations_of_each_window(tmp_path: Path, capsys: Capture) -> None:
    """A metric that has the best two systems the wrong way round: it disagrees at the top alone."""
    judged = write_orders(tmp_path, "A > B > C > D > E", "A > B > C > D = E", "B > A > C > D > E")
    values = {"A": 3.0, "B": 3.1, "C": 3.05, "D": 1.0, "E": 0.5}
    given = write_scores(tmp_path, *[f"m,{system},{score}" for system, score in values.items()])
    told = as_json(capsys, *WINDOWS, judged, "--scores", given, "--size", "3", "--replicates", "50")
    assert [window["systems"] for window in told["windows"]] == [list("ABC"), list("BCD"), list("CDE")]
    human = told["systems"]
    for window, agreed in zip(told["windows"], told["metrics"]["m"]["windows"], strict=True):
        expected = stats.pearsonr(
            [values[system] for system in window["systems"]], [human[system] for system in window["systems"]]
        )
        assert agreed["correlations"]["pearson"]["value"] == pytest.approx(expected.statistic, abs=1e-12)
    spearman = [each["correlations"]["spearman"]["value"] for each in told["metrics"]["m"]["windows"]]
    assert spearman == pytest.approx([-0.5, 1, 1])
    assert told["signature"].startswith("metric-windows|rule:4|size:3|human:ew|")


def test_two_systems_are_told_in_words(tmp_path: Path, capsys: Capture) -> None:
    judged, given = write_orders(tmp_path, "A > B", "A > B"), write_scores(tmp_path, "m,A,1", "m,B,1")
    told = as_json(capsys, *WINDOWS, judged, "--scores", given)
    assert told["windows"] == []
    assert told["reason"] == "People scored 2 systems, and a window needs 4."
    assert told["metrics"]["m"]["whole"]["accuracy"]["value"] == 0
    assert "at least three have to be judged" in printed(capsys, *WINDOWS, judged, "--scores", given)


def test_a_wide_table_is_printed_in_full(tmp_path: Path, capsys: Capture) -> None:
    judged = write_orders(tmp_path, "A > B > C > D > E", "E > F > G > H > I", "I > J > K > L > M")
    given = write_scores(tmp_path, *[f"m,{system},{-place}" for place, system in enumerate("ABCDEFGHIJKLM")])
    told = printed(capsys, *WINDOWS, judged, "--scores", given, "--size", "3", "--replicates", "0")
    assert "11–13" in told
    assert "…" not in told
    for figure in FIGURES.values():
        assert f"{figure} of each metric with people" in told


def test_page_and_files_of_windows(researcher: Client, scored: Campaign) -> None:
    result_of(METRIC_WINDOWS, scored, MetricWindowsParameters(size=3, with_source=True))
    shown = page(researcher, scored, "windows", "?size=3&with_source=yes")
    assert "4 systems in the order of ExpectedWins" in shown
    assert "whether any of 3 metrics agrees with people among the 3 best systems of 4" in shown
    tau = page(researcher, scored, "windows", "?size=3&with_source=yes&figure=kendall")
    assert "Kendall’s τ of each metric with people" in tau
    assert f'href="/campaigns/{scored.uuid}/metrics/"' in shown  # to the main page
    rows = rows_of(researcher, scored, "metric-windows/windows.csv?size=3&with_source=yes")
    assert [(row["first_rank"], row["last_rank"]) for row in rows] == [("1", "4"), ("1", "3"), ("2", "4")] * 3
    assert {row["metric"] for row in rows} == set(METRICS)
    latex = file_of(
        researcher, scored, "metric-windows/windows.tex?size=3&with_source=yes&figure=spearman"
    ).decode()
    assert "spearman, by ranks of systems" in latex
    assert "Metric & All & 1--3 & 2--4" in latex
    for name in (
        "windows.svg?size=3&with_source=yes",
        "metric.svg?size=3&with_source=yes&metric=gleu&figure=spearman",
    ):
        figure = file_of(researcher, scored, f"metric-windows/{name}").decode()
        assert "1–3" in figure
        assert "GLEU" in figure


def in_windows(**values: tuple[float, float]) -> Computed:
    """Metrics with r on all systems and, surely, in the only window."""

    def agreed(value: float, margin: float) -> SimpleNamespace:
        r = SimpleNamespace(value=value, low=value - margin, high=value + margin)
        return SimpleNamespace(correlations={Coefficient.PEARSON: r})

    metrics = {
        name: SimpleNamespace(whole=agreed(whole, 0.1), windows=[agreed(best, 0.01)])
        for name, (whole, best) in values.items()
    }
    result = cast(MetricsInWindows, SimpleNamespace(metrics=metrics))
    return METRIC_WINDOWS.shown(MetricWindowsParameters(), result)


def test_windows_have_the_metrics_in_order_of_r_and_draw_the_one_of_the_heading() -> None:
    computed = in_windows(m2=(0.5, 0.9), gleu=(0.8, 0.2), sari=(0.6, 0.3))
    assert [name for name, _ in by_agreement(computed)] == ["gleu", "sari", "m2"]
    assert computed.chosen["metric"] == "m2"
    assert in_windows(m2=(0.5, 0.305), gleu=(0.8, 0.3)).chosen["metric"] == "gleu", "none is clearly ahead"


def test_windows_that_are_too_large_are_told_in_words(researcher: Client, scored: Campaign) -> None:
    result_of(METRIC_WINDOWS, scored, MetricWindowsParameters(size=9))
    shown = page(researcher, scored, "windows", "?size=9")
    assert "People scored 3 systems, and a window needs 9. Ask for smaller windows." in shown


def test_a_file_gives_counts_by_pair_of_ranks(tmp_path: Path, capsys: Capture) -> None:
    judged = write_judgments(tmp_path / "judged.csv", ("anna", 1, "A > B > C"), ("ben", 1, "B > A = C"))
    scores = write_scores(tmp_path, "m,A,0,3", "m,B,0,2", "m,C,0,2", heading="metric,system,sentence,score")
    told = as_json(capsys, *RANK_PAIRS, judged, "--scores", scores, "--replicates", "10")
    counted = [
        (each["better"], each["worse"], *(each["share"][name] for name in ("pairs", "agreed", "ties")))
        for each in told["metrics"]["m"]["cells"]
    ]
    assert counted == [(1, 2, 3, 1, 1), (1, 3, 1, 1, 0), (2, 3, 1, 0, 1)]


def test_scores_of_systems_alone_are_told_in_words(tmp_path: Path, capsys: Capture) -> None:
    judged, scores = write_orders(tmp_path, "A > B"), write_scores(tmp_path, "m,A,3", "m,B,2")
    told = printed(capsys, *RANK_PAIRS, judged, "--scores", scores)
    assert "only scores of systems are known" in told


def test_page_and_files_of_pairs_of_ranks(researcher: Client, scored: Campaign) -> None:
    result_of(METRIC_RANK_PAIRS, scored)
    shown = page(researcher, scored, "ranks")
    assert re.search(r"of the pairs of outputs \d ranks apart as people do, .* those 1 rank apart", shown)
    assert '<th scope="row">1\N{NO-BREAK SPACE}and\N{NO-BREAK SPACE}2</th>' in shown
    assert "Accuracy of GLEU by the ranks of two outputs" in shown
    assert "?metric=sari#figure-metric" in shown
    result = result_of(METRIC_RANK_PAIRS, scored)
    ordered = sorted(METRICS, key=lambda name: -result.metrics[name].whole.accuracy.value)
    by_distance = shown.partition("by the number of ranks between two outputs</caption>")[2]
    places = [by_distance.index(f'<th scope="row">{title_of_metric(name)}') for name in ordered]
    assert places == sorted(places)
    assert f"All ({result.metrics['gleu'].whole.pairs} pairs)" in by_distance
    rows = rows_of(researcher, scored, "metric-rank-pairs/rank-pairs.csv")
    assert {row["metric"] for row in rows} == set(METRICS)
    for row in rows:
        assert float(row["accuracy"]) == int(row["agreed"]) / int(row["pairs"])


@pytest.mark.parametrize(
    ("low", "said"),
    [
        (0.003, "The difference is 5.0 points (95 % interval 0.3 to 10.0)"),
        (-0.003, "The difference is 5.0 points (95 % interval -0.3 to 10.0)"),
        (0.01, "The difference is 5 points (95 % interval 1 to 10)"),
        (0.0, "The difference is 5 points (95 % interval 0 to 10)"),
    ],
)
def test_an_interval_shows_on_which_side_of_0_it_ends(low: float, said: str) -> None:
    share = SimpleNamespace(accuracy=Estimate(0.5, 0.4, 0.6, None), pairs=100)
    metric = SimpleNamespace(
        whole=share, by_difference={1: share, 2: share}, gain=Estimate(0.05, low, 0.1, None)
    )
    result = SimpleNamespace(
        metrics={"gleu": metric}, judged_sentences=9, not_scored=0, beyond=0, left_out=()
    )
    computed = Computed(METRIC_RANK_PAIRS.parameters(), result)
    assert said in lead(computed, Naming("", {}, {}, {})).replace("\N{NO-BREAK SPACE}", " ")


def test_ties_alone_are_told_in_words(researcher: Client, db: None) -> None:
    """Nobody put two outputs in an order."""
    corpus = small_corpus(sentences=[sentence("It go .", "It goes .", "It go .")])
    campaign = small_campaign(corpus, rankings=[ranking("anna", 0, "Birch = Alder")])
    scored(corpus, "ld-source")
    result_of(METRIC_RANK_PAIRS, campaign)
    assert "no pair of outputs that metrics could order" in page(researcher, campaign, "ranks")


ARGUMENTS = (
    *("analyse", "hybrids", *JUDGED_TEXTS, "--role", "INPUT=source"),
    *("--metric", "gleu:iterations=5", "ld-source"),
)
FEW = HybridsParameters(draws=1, replicates=20, with_source=True)
QUERY = "draws=1&replicates=20&with_source=yes"


def test_files_give_correlations_over_mixtures_of_all_systems_but_the_source(capsys: Capture) -> None:
    told = as_json(capsys, *ARGUMENTS, "--replicates", "50", "--seed", "3")
    assert len(told["systems"]) == 6
    assert "|without:INPUT|" in told["signature"]
    assert len(told["hybrids"]) == 15 * 9 * 5
    gleu = told["metrics"]["gleu:iterations=5"]
    assert list(told["metrics"]) == ["gleu:iterations=5", "ld-source"]
    for name in ("pearson", "spearman", "judged_pearson", "judged_spearman"):
        assert gleu[name]["low"] < gleu[name]["value"] <= 1
    expected = np.corrcoef(
        [*told["systems"].values(), *told["hybrids"]], [*gleu["scores"].values(), *gleu["hybrids"]]
    )[0, 1]
    assert gleu["pearson"]["value"] == pytest.approx(expected)
    assert told["tests"]["p_values"][0][1] < 0.001
    again = as_json(capsys, *ARGUMENTS, "--replicates", "50", "--seed", "3")
    assert again == told


def test_the_source_takes_part_if_asked_for_and_tables_show_it(capsys: Capture) -> None:
    told = printed(capsys, *ARGUMENTS, "--replicates", "0", "--draws", "1", "--with-source")
    assert "7 systems and 189 mixtures of two of them" in told
    assert "Williams' test of Pearson's r" in told


def test_page_and_files_have_real_and_mixed_systems(researcher: Client, scored: Campaign) -> None:
    result = result_of(HYBRIDS, scored, FEW)
    shown = page(researcher, scored, "synthetic-systems", f"?{QUERY}")
    assert "4 systems and 54 mixtures of two of them" in shown
    assert 'aria-current="page">Synthetic systems</a>' in shown
    assert "its p-values are too small" in shown
    assert "Large: systems, hollow the source and references. Small and pale: synthetic systems." in shown
    assert "takes ExpectedWins of these rankings" in shown
    of_scores = Computed(FEW, replace(result, is_of_ranks=False))
    assert "ExpectedWins" not in explanation(of_scores)
    systems = rows_of(researcher, scored, f"hybrids/systems.csv?{QUERY}")
    assert [row["first"] for row in systems[:4]] == ["Alder", "Birch", "Cedar", "INPUT"]
    assert len(systems) == 4 + 54
    mixed = [systems[4][name] for name in ("first", "second", "percent_of_first", "draw")]
    assert mixed == ["Alder", "Birch", "10", "1"]
    assert float(systems[4]["gleu"]) == pytest.approx(result.metrics["gleu"].hybrids[0])
    scatter = file_of(researcher, scored, f"hybrids/metric.svg?{QUERY}&metric=gleu&theme=dark").decode()
    assert scatter.count(">Alder<") == 1
    assert scatter.count("<path") > 54


SWEEP = ("analyse", "metric-sweep", *JUDGED_TEXTS, "--replicates", "50")
FIVE = MetricSweepParameters(low=0.2, high=1.0, step=0.2, replicates=20)
OF_FIVE = "low=0.2&high=1&step=0.2&replicates=20"


@pytest.fixture
def swept(db: None) -> Campaign:
    """Scored by metrics of which one can be swept from statistics, and one cannot."""
    corpus = small_corpus()
    scored(corpus, "sari", "ibleu", "green")
    return small_campaign(corpus, "judged")


def test_files_give_a_curve_with_its_maximum_and_intervals(capsys: Capture) -> None:
    told = as_json(capsys, *SWEEP, "--metric", "ibleu", "m2")
    swept = told["sweep"]
    assert (swept["metric"], swept["parameter"], swept["reduced_anew"]) == ("m2", "beta", False)
    assert swept["values"] == [number / 100 for number in range(1, 101)]
    for name in ("spearman", "pearson"):
        best, curve = swept["best"][name], swept["correlations"][name]
        highest = max(each["value"] for each in curve)
        assert best["correlation"]["value"] == pytest.approx(highest)
        assert (
            swept["values"][[each["value"] >= highest - 1e-9 for each in curve].index(True)] == best["value"]
        )
        assert best["low"] <= best["high"]
    assert [(each["metric"], each["parameter"]) for each in told["available"]] == [
        ("m2", "beta"),
        ("m2", "max-unchanged"),
        ("ibleu", "alpha"),
    ]


def test_a_parameter_that_changes_statistics_scores_the_texts_again(capsys: Capture) -> None:
    metric = ("--metric", "gleu:iterations=2", "--of", "gleu:iterations=2", "--over", "order")
    told = as_json(capsys, *SWEEP, *metric, "--low", "2", "--high", "4")
    assert told["sweep"]["reduced_anew"]
    assert told["sweep"]["values"] == [2, 3, 4]
    told = printed(capsys, *SWEEP, *metric, "--low", "2", "--high", "4")
    assert "all outputs were scored again for each" in told


def test_a_step_alone_gives_its_multiples(swept: Campaign) -> None:
    found = result_of(METRIC_SWEEP, swept, MetricSweepParameters(step=0.25, replicates=0)).sweep
    assert found.values == (0.25, 0.5, 0.75, 1.0)


def test_statistics_that_are_not_stored_come_from_the_corpus(swept: Campaign) -> None:
    """GREEN's beta decides between references; its default gives the stored scores."""
    found = result_of(METRIC_SWEEP, swept, MetricSweepParameters(of="green", replicates=0)).sweep
    assert found.reduced_anew
    assert found.default == 2
    stored = result_of(METRIC_SWEEP, swept, MetricSweepParameters(of="green", low=2, high=2.5, step=0.5))
    for coefficient in (Coefficient.SPEARMAN, Coefficient.PEARSON):
        again = found.correlations[coefficient][found.values.index(2)]
        assert again.value == pytest.approx(stored.sweep.correlations[coefficient][0].value)


def test_page_and_files_have_the_values_and_lead_to_other_parameters(
    researcher: Client, swept: Campaign
) -> None:
    result = result_of(METRIC_SWEEP, swept, FIVE)
    shown = page(researcher, swept, "sweep", f"?{OF_FIVE}")
    assert "5 values of alpha, computed from statistics without scoring again" in shown
    assert "Dashed: the value of the stored scores, 0.8." in shown
    assert "replicates=20&of=green&over=beta" in shown.replace("&amp;", "&")
    assert 'aria-current="true">Alpha</a>' in shown
    rows = rows_of(researcher, swept, f"metric-sweep/sweep.csv?{OF_FIVE}")
    assert [float(row["value"]) for row in rows] == [0.2, 0.4, 0.6, 0.8, 1.0]
    pearson = result.sweep.correlations[Coefficient.PEARSON]
    assert [float(row["pearson"]) for row in rows] == pytest.approx([each.value for each in pearson])
