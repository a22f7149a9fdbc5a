"""A metric over the values of a parameter: the command, the page, its figure and files."""

import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from analysis.analyses.metric_sweep import METRIC_SWEEP, MetricSweepParameters, SweptMetric
from analysis.runs.results import from_json, to_json
from annotate.models import Campaign
from jobs.worker import run_queued_jobs
from ranking import Coefficient
from tests.analysis.metric_pages import file_of, page, rows_of
from tests.analysis.scored_campaigns import result_of
from tests.analysis.test_hybrids import DEMO, SYSTEMS
from tests.annotate.samples import small_campaign, small_corpus
from tests.annotate.scores.scoring import scored

ARGUMENTS = (
    "metric-sweep", str(DEMO / "judgments.xml"), "--source", str(DEMO / "source.txt"),
    "--output", *SYSTEMS, "--m2", str(DEMO / "references.m2"), "--replicates", "50",
)  # fmt: skip
FEW = MetricSweepParameters(low=0.2, high=1.0, step=0.2, replicates=20)
QUERY = "low=0.2&high=1&step=0.2&replicates=20"


@pytest.fixture
def campaign(db: None) -> Campaign:
    """Scored by metrics of which one can be swept from statistics, and one cannot."""
    corpus = small_corpus()
    scored(corpus, "sari", "ibleu", "green")
    return small_campaign(corpus, "judged")


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    call_command("analyse", *ARGUMENTS, *arguments, "--json")
    printed = capsys.readouterr().out
    assert "NaN" not in printed
    return json.loads(printed)


def test_files_give_a_curve_with_its_maximum_and_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    told = as_json(capsys, "--metric", "ibleu", "m2")
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
        ("ibleu", "alpha"),
        ("m2", "beta"),
        ("m2", "max-unchanged"),
    ]


def test_a_parameter_that_changes_statistics_scores_the_texts_again(
    capsys: pytest.CaptureFixture[str],
) -> None:
    metric = ("--metric", "gleu:iterations=2", "--of", "gleu:iterations=2", "--over", "order")
    told = as_json(capsys, *metric, "--low", "2", "--high", "4")
    assert told["sweep"]["reduced_anew"]
    assert told["sweep"]["values"] == [2, 3, 4]
    call_command("analyse", *ARGUMENTS, *metric, "--low", "2", "--high", "4")
    assert "all outputs were scored again for each" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("--of", "bleu"), r"no scores here are by bleu .* there are: m2 \(beta\), m2 \(max-unchanged\)"),
        (("--over", "order"), "no scores here are by order"),
        (("--low", "2", "--high", "1"), "to should be more than 2"),
        (("--step", "0.0001"), "are 9,901 values, and at most 1,000 are possible"),
        (("--high", "200"), "at most 1,000"),
        (("--over", "max-unchanged", "--low", "1", "--high", "3", "--step", "0.5"), "takes whole numbers"),
        (("--over", "beta", "--low", "-1", "--high", "1", "--step", "1"), "beta should be at least 0"),
    ],
)
def test_impossible_parameters_are_reported(arguments: tuple[str, ...], fault: str) -> None:
    with pytest.raises(CommandError, match=fault):
        call_command("analyse", *ARGUMENTS, "--metric", "m2", *arguments)


def test_a_step_alone_gives_its_multiples(campaign: Campaign) -> None:
    swept = result_of(METRIC_SWEEP, campaign, MetricSweepParameters(step=0.25, replicates=0)).sweep
    assert swept.values == (0.25, 0.5, 0.75, 1.0)


def test_metrics_without_parameters_cannot_be_swept() -> None:
    with pytest.raises(CommandError, match="by a metric with a numeric parameter; there are: none"):
        call_command("analyse", *ARGUMENTS, "--metric", "ld-source")


def test_results_are_stored_as_json(campaign: Campaign) -> None:
    result = result_of(METRIC_SWEEP, campaign, FEW)
    assert to_json(from_json(SweptMetric, to_json(result))) == to_json(result)


def test_a_job_computes_the_page(researcher: Client, campaign: Campaign) -> None:
    assert "This takes a while" in page(researcher, campaign, "sweep", f"?{QUERY}")
    run_queued_jobs()
    shown = page(researcher, campaign, "sweep", f"?{QUERY}")
    assert "5 values of alpha, computed from statistics without scoring again" in shown
    assert "Dashed: the value of the stored scores, 0.8." in shown
    assert "replicates=20&of=green&over=beta" in shown.replace("&amp;", "&")
    assert 'aria-current="true">iBLEU: Alpha</a>' in shown


def test_statistics_that_are_not_stored_come_from_the_corpus(campaign: Campaign) -> None:
    """GREEN's beta decides between references; its default gives the stored scores."""
    swept = result_of(METRIC_SWEEP, campaign, MetricSweepParameters(of="green", replicates=0)).sweep
    assert swept.reduced_anew
    assert swept.default == 2
    stored = result_of(METRIC_SWEEP, campaign, MetricSweepParameters(of="green", low=2, high=2.5, step=0.5))
    for coefficient in (Coefficient.SPEARMAN, Coefficient.PEARSON):
        again = swept.correlations[coefficient][swept.values.index(2)]
        assert again.value == pytest.approx(stored.sweep.correlations[coefficient][0].value)


@pytest.mark.any_database
def test_its_files_agree_with_the_page(researcher: Client, campaign: Campaign) -> None:
    result = result_of(METRIC_SWEEP, campaign, FEW)
    rows = rows_of(researcher, campaign, f"metric-sweep/sweep.csv?{QUERY}")
    assert [float(row["value"]) for row in rows] == [0.2, 0.4, 0.6, 0.8, 1.0]
    pearson = result.sweep.correlations[Coefficient.PEARSON]
    assert [float(row["pearson"]) for row in rows] == pytest.approx([each.value for each in pearson])
    latex = file_of(researcher, campaign, f"metric-sweep/sweep.tex?{QUERY}").decode()
    assert "alpha & Spearman & low & high & Pearson" in latex
    figure = file_of(researcher, campaign, f"metric-sweep/sweep.svg?{QUERY}&theme=dark").decode()
    assert "alpha" in figure
    assert " at " in figure
