"""Metrics in windows of neighbouring systems: the command, the page, its figures and files."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from scipy import stats

from analysis.analyses.metric_windows import (
    FIGURES,
    METRIC_WINDOWS,
    MetricsInWindows,
    MetricWindowsParameters,
)
from analysis.runs.results import from_json, to_json
from annotate.models import Campaign, Corpus
from jobs.worker import run_queued_jobs
from metrics.validation import HumanScore
from tests.analysis.judgment_files import write_judgments
from tests.analysis.metric_pages import file_of, page, rows_of
from tests.analysis.scored_campaigns import METRICS, result_of, scored_campaign
from tests.annotate.samples import small_campaign, small_corpus

SMALL = MetricWindowsParameters(size=3, human=HumanScore.EXPECTED_WINS)


@pytest.fixture
def campaign(db: None) -> Campaign:
    """Of four systems."""
    return scored_campaign(small_corpus())


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    call_command("analyse", "metric-windows", *arguments, "--replicates", "50", "--json")
    printed = capsys.readouterr().out
    assert "NaN" not in printed
    return json.loads(printed)


def judged_file(folder: Path, *orders: str) -> str:
    return write_judgments(
        folder / "judged.csv", *[("anna", number, order) for number, order in enumerate(orders, start=1)]
    )


def scores_file(folder: Path, *rows: str) -> str:
    path = folder / "scores.csv"
    path.write_text("\n".join(["metric,system,score", *rows]) + "\n")
    return str(path)


def test_a_file_gives_the_correlations_of_each_window(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A metric that has the best two systems the wrong way round: it disagrees at the top alone."""
    judged = judged_file(tmp_path, "A > B > C > D > E", "A > B > C > D = E", "B > A > C > D > E")
    values = {"A": 3.0, "B": 3.1, "C": 3.05, "D": 1.0, "E": 0.5}
    given = scores_file(tmp_path, *[f"m,{system},{score}" for system, score in values.items()])
    told = as_json(capsys, judged, "--scores", given, "--size", "3")
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


def test_two_systems_are_told_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judged = judged_file(tmp_path, "A > B", "A > B")
    given = scores_file(tmp_path, "m,A,1", "m,B,1")
    told = as_json(capsys, judged, "--scores", given)
    assert told["windows"] == []
    assert told["reason"] == "People scored 2 systems, and a window needs 4."
    assert told["metrics"]["m"]["whole"]["accuracy"]["value"] == 0
    call_command("analyse", "metric-windows", judged, "--scores", given)
    assert "at least three have to be judged" in " ".join(capsys.readouterr().out.split())


def test_a_wide_table_is_printed_in_full(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judged = judged_file(tmp_path, "A > B > C > D > E", "E > F > G > H > I", "I > J > K > L > M")
    given = scores_file(tmp_path, *[f"m,{system},{-place}" for place, system in enumerate("ABCDEFGHIJKLM")])
    call_command("analyse", "metric-windows", judged, "--scores", given, "--size", "3", "--replicates", "0")
    printed = capsys.readouterr().out
    assert "11–13" in printed
    assert "…" not in printed
    for figure in FIGURES.values():
        assert f"{figure} of each metric with people" in printed


def test_a_window_of_two_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="size should be at least 3, not 2"):
        call_command("analyse", "metric-windows", judged_file(tmp_path, "A > B"), "--size", "2")


def test_results_are_stored_as_json(campaign: Campaign) -> None:
    result = result_of(METRIC_WINDOWS, campaign, SMALL)
    assert to_json(from_json(MetricsInWindows, to_json(result))) == to_json(result)


def test_a_job_computes_the_page(researcher: Client, campaign: Campaign) -> None:
    assert "This takes a while" in page(researcher, campaign, "windows", "?size=3")
    run_queued_jobs()
    shown = page(researcher, campaign, "windows", "?size=3")
    assert "2 windows of 3 neighbouring systems, 4 systems in the order of ExpectedWins" in shown
    assert "Among the 3 best systems, " in shown
    assert "1–3" in shown
    tau = page(researcher, campaign, "windows", "?size=3&figure=kendall")
    assert "Kendall’s τ of each metric with people" in tau
    assert f'href="/campaigns/{campaign.uuid}/metrics/"' in shown  # to the main page


@pytest.mark.any_database
def test_windows_that_are_too_large_are_told_in_words(researcher: Client, campaign: Campaign) -> None:
    result_of(METRIC_WINDOWS, campaign, MetricWindowsParameters(size=9))
    shown = page(researcher, campaign, "windows", "?size=9")
    assert "People scored 4 systems, and a window needs 9. Ask for smaller windows." in shown


@pytest.mark.any_database
def test_its_files_agree_with_the_page(researcher: Client, campaign: Campaign) -> None:
    result_of(METRIC_WINDOWS, campaign, SMALL)
    rows = rows_of(researcher, campaign, "metric-windows/windows.csv?size=3")
    assert [(row["first_rank"], row["last_rank"]) for row in rows] == [("1", "4"), ("1", "3"), ("2", "4")] * 3
    assert {row["metric"] for row in rows} == set(METRICS)
    latex = file_of(researcher, campaign, "metric-windows/windows.tex?size=3&figure=spearman").decode()
    assert "spearman, by ranks of systems" in latex
    assert "Metric & All & 1--3 & 2--4" in latex
    for name in ("windows.svg?size=3", "metric.svg?size=3&metric=gleu&figure=spearman"):
        figure = file_of(researcher, campaign, f"metric-windows/{name}").decode()
        assert "1–3" in figure
        assert "GLEU" in figure


def test_without_scores_it_says_where_to_get_them(researcher: Client, db: None) -> None:
    corpus: Corpus = small_corpus()
    shown = page(researcher, small_campaign(corpus), "windows")
    assert "has no metric scores yet" in shown
