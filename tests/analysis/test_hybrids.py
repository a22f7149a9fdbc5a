"""Metrics against people with synthetic systems: the command, the page, its figures and files."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from analysis.analyses.hybrids import HYBRIDS, HybridsParameters, MetricsWithHybrids
from analysis.runs.results import from_json, to_json
from annotate.models import Campaign
from jobs.worker import run_queued_jobs
from tests.analysis.metric_pages import file_of, page, rows_of
from tests.analysis.scored_campaigns import METRICS, result_of, scored_campaign
from tests.annotate.api.asking import ask, program
from tests.annotate.samples import small_corpus

DEMO = Path("fixtures/demo")
SYSTEMS = sorted(map(str, (DEMO / "systems").iterdir()))
ARGUMENTS = (
    "hybrids", str(DEMO / "judgments.xml"), "--source", str(DEMO / "source.txt"), "--output", *SYSTEMS,
    "--m2", str(DEMO / "references.m2"), "--role", "INPUT=source",
    "--metric", "gleu:iterations=5", "ld-source",
)  # fmt: skip
FEW = HybridsParameters(draws=1, replicates=20, with_source=True)
ADDRESS = "synthetic-systems"
QUERY = "draws=1&replicates=20&with_source=yes"


@pytest.fixture
def campaign(db: None) -> Campaign:
    """Of four systems, one of them the source."""
    return scored_campaign(small_corpus())


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    call_command("analyse", *arguments, "--json")
    printed = capsys.readouterr().out
    assert "NaN" not in printed
    return json.loads(printed)


def test_files_give_correlations_over_mixtures_of_all_systems_but_the_source(
    capsys: pytest.CaptureFixture[str],
) -> None:
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


def test_the_source_takes_part_if_asked_for_and_tables_show_it(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("analyse", *ARGUMENTS, "--replicates", "0", "--draws", "1", "--with-source")
    told = " ".join(capsys.readouterr().out.split())
    assert "against mean of 7 systems and 189 synthetic ones" in told
    assert "Williams' test of Pearson's r" in told


def test_human_scores_that_are_no_means_are_refused() -> None:
    with pytest.raises(CommandError, match="human should be one of mean, z, not 'ew'"):
        call_command("analyse", *ARGUMENTS, "--human", "ew")
    with pytest.raises(CommandError, match="z-scores and tie widths need scores"):
        call_command("analyse", *ARGUMENTS, "--human", "z")


def test_more_than_memory_holds_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CommandError, match="draws should be at most 100"):
        call_command("analyse", *ARGUMENTS, "--draws", "101")


def test_results_are_stored_as_json(campaign: Campaign) -> None:
    result = result_of(HYBRIDS, campaign, FEW)
    assert to_json(from_json(MetricsWithHybrids, to_json(result))) == to_json(result)


def test_a_job_computes_the_page(researcher: Client, campaign: Campaign) -> None:
    assert "This takes a while" in page(researcher, campaign, ADDRESS, f"?{QUERY}")
    run_queued_jobs()
    shown = page(researcher, campaign, ADDRESS, f"?{QUERY}")
    assert "3 metrics against mean of 4 systems and 54 synthetic ones" in shown
    for title in ("GLEU", "SARI", "chrF++"):
        assert f'<th scope="row">{title}' in shown
    assert f"hybrids/systems.csv?{QUERY}" in shown.replace("&amp;", "&")
    assert 'aria-current="page">Synthetic systems</a>' in shown
    assert "its p-values are too small" in shown


@pytest.mark.any_database
def test_its_files_agree_with_the_page(researcher: Client, campaign: Campaign) -> None:
    result = result_of(HYBRIDS, campaign, FEW)
    rows = rows_of(researcher, campaign, f"hybrids/hybrids.csv?{QUERY}")
    assert {row["metric"] for row in rows} == set(METRICS)
    systems = rows_of(researcher, campaign, f"hybrids/systems.csv?{QUERY}")
    assert [row["first"] for row in systems[:4]] == ["Alder", "Birch", "Cedar", "INPUT"]
    assert len(systems) == 4 + 54
    mixed = systems[4]
    assert (mixed["first"], mixed["second"], mixed["percent_of_first"], mixed["draw"]) == (
        "Alder", "Birch", "10", "1",
    )  # fmt: skip
    assert float(mixed["gleu"]) == pytest.approx(result.metrics["gleu"].hybrids[0])
    latex = file_of(researcher, campaign, f"hybrids/williams.tex?{QUERY}").decode()
    assert latex.count(" \\\\\n") == 1 + len(METRICS)


@pytest.mark.any_database
def test_its_figures_name_real_systems_alone(researcher: Client, campaign: Campaign) -> None:
    result_of(HYBRIDS, campaign, FEW)
    scatter = file_of(researcher, campaign, f"hybrids/metric.svg?{QUERY}&metric=gleu&theme=dark").decode()
    assert scatter.count(">Alder<") == 1
    assert scatter.count("<path") > 54
    for name in ("agreement.svg", "test-williams.svg"):
        assert "GLEU" in file_of(researcher, campaign, f"hybrids/{name}?{QUERY}").decode()


@pytest.mark.any_database
def test_programs_get_the_same(campaign: Campaign) -> None:
    result_of(HYBRIDS, campaign, FEW)
    told = ask(program(), f"campaigns/{campaign.uuid}/analyses/hybrids/?{QUERY}")
    assert told["result"]["metrics"]["gleu"]["pearson"]["value"] is not None
