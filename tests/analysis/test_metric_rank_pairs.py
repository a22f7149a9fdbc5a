"""Metrics by pairs of ranks: the command, the page, its figure and files."""

import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from analysis.analyses.metric_rank_pairs import METRIC_RANK_PAIRS, MetricsByRankPairs
from analysis.runs.results import from_json, to_json
from annotate.models import Campaign
from jobs.worker import run_queued_jobs
from tests.analysis.judgment_files import write_judgments
from tests.analysis.metric_pages import file_of, page, rows_of
from tests.analysis.scored_campaigns import METRICS, result_of, scored_campaign
from tests.annotate.samples import ranking, sentence, small_campaign, small_corpus
from tests.annotate.scores.scoring import scored


@pytest.fixture
def campaign(db: None) -> Campaign:
    return scored_campaign(small_corpus())


def test_a_file_gives_counts_by_pair_of_ranks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judged = write_judgments(tmp_path / "judged.csv", ("anna", 1, "A > B > C"), ("ben", 1, "B > A = C"))
    scores = tmp_path / "scores.csv"
    scores.write_text("metric,system,sentence,score\n" + "m,A,0,3\nm,B,0,2\nm,C,0,2\n")
    arguments = ("analyse", "metric-rank-pairs", judged, "--scores", str(scores), "--replicates", "10")
    call_command(*arguments, "--json")
    cells = json.loads(capsys.readouterr().out)["metrics"]["m"]["cells"]
    counted = [
        (
            each["better"],
            each["worse"],
            each["share"]["pairs"],
            each["share"]["agreed"],
            each["share"]["ties"],
        )
        for each in cells
    ]
    assert counted == [(1, 2, 3, 1, 1), (1, 3, 1, 1, 0), (2, 3, 1, 0, 1)]
    call_command(*arguments)
    assert "2\N{NO-BREAK SPACE}and\N{NO-BREAK SPACE}3" in capsys.readouterr().out


def test_scores_of_systems_alone_are_told_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judged = write_judgments(tmp_path / "judged.csv", ("anna", 1, "A > B"))
    scores = tmp_path / "scores.csv"
    scores.write_text("metric,system,score\nm,A,3\nm,B,2\n")
    call_command("analyse", "metric-rank-pairs", judged, "--scores", str(scores))
    assert "only scores of systems are known" in " ".join(capsys.readouterr().out.split())


def test_results_are_stored_as_json(campaign: Campaign) -> None:
    result = result_of(METRIC_RANK_PAIRS, campaign)
    assert to_json(from_json(MetricsByRankPairs, to_json(result))) == to_json(result)


def test_a_job_computes_the_page(researcher: Client, campaign: Campaign) -> None:
    assert "This takes a while" in page(researcher, campaign, "ranks")
    run_queued_jobs()
    shown = page(researcher, campaign, "ranks")
    assert "orders most pairs of outputs as people do" in shown
    assert '<th scope="row">1\N{NO-BREAK SPACE}and\N{NO-BREAK SPACE}2</th>' in shown
    assert "Accuracy of GLEU by the ranks of two outputs" in shown
    assert "?metric=sari#figure-metric" in shown


@pytest.mark.any_database
def test_its_files_agree_with_the_page(researcher: Client, campaign: Campaign) -> None:
    result_of(METRIC_RANK_PAIRS, campaign)
    rows = rows_of(researcher, campaign, "metric-rank-pairs/rank-pairs.csv")
    assert {row["metric"] for row in rows} == set(METRICS)
    for row in rows:
        assert float(row["accuracy"]) == int(row["agreed"]) / int(row["pairs"])
    latex = file_of(researcher, campaign, "metric-rank-pairs/rank-pairs.tex").decode()
    assert "Ranks & Pairs & GLEU" in latex
    figure = file_of(researcher, campaign, "metric-rank-pairs/metric.svg?metric=gleu").decode()
    assert "accuracy of GLEU by ranks" in figure


@pytest.mark.any_database
def test_ties_alone_are_told_in_words(researcher: Client, db: None) -> None:
    """Nobody put two outputs in an order."""
    corpus = small_corpus(sentences=[sentence("It go .", "It goes .")])
    campaign = small_campaign(corpus, rankings=[ranking("anna", 0, "INPUT = Alder")])
    scored(corpus, "ld-source")
    result_of(METRIC_RANK_PAIRS, campaign)
    assert "no pair of outputs that metrics could order" in page(researcher, campaign, "ranks")
