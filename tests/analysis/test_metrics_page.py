"""The page of metrics against people, its figures and its files."""

import csv
import io
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client

from analysis.models import Run
from annotate.models import Campaign, Corpus
from jobs.models import Job, JobState
from jobs.worker import run_queued_jobs
from tests.analysis.scored_campaigns import METRICS, compared_campaign, scored_campaign
from tests.annotate.samples import small_campaign, small_corpus
from tests.annotate.scores.scoring import scored


@pytest.fixture
def corpus(db: None) -> Corpus:
    return small_corpus()


def page(client: Client, campaign: Campaign, query: str = "") -> str:
    response = client.get(f"/campaigns/{campaign.uuid}/metrics/{query}")
    assert response.status_code == 200
    return unescape(response.content.decode())


def file_of(client: Client, campaign: Campaign, name: str) -> bytes:
    response = client.get(f"/campaigns/{campaign.uuid}/metrics/{name}")
    assert response.status_code == 200
    return b"".join(response) if response.streaming else response.content


def test_without_scores_it_says_where_to_get_them(researcher: Client, corpus: Corpus) -> None:
    shown = page(researcher, small_campaign(corpus))
    assert "The corpus small has no metric scores yet." in shown
    assert f'href="/corpora/{corpus.uuid}/scores/"' in shown
    assert not Job.objects.exists()


def test_a_job_computes_what_it_shows(researcher: Client, corpus: Corpus) -> None:
    campaign = scored_campaign(corpus)
    assert "This takes a while" in page(researcher, campaign)
    run_queued_jobs()
    shown = page(researcher, campaign)
    for title in ("GLEU", "SARI", "chrF++"):
        assert f'<th scope="row">{title}' in shown
    assert "3 metrics against ExpectedWins of 4 systems" in shown
    assert "PERM-BOTH of SPA" in shown
    assert "nan" not in shown.partition("<main")[2].lower().replace("finance", "")
    assert "GLEU by annotator" in shown


def test_its_numbers_can_be_downloaded(researcher: Client, corpus: Corpus) -> None:
    campaign = compared_campaign(corpus)
    rows = list(csv.DictReader(io.StringIO(file_of(researcher, campaign, "table.csv").decode())))
    assert {row["metric"] for row in rows} == set(METRICS)
    assert all(-1 <= float(row["pearson"]) <= 1 for row in rows)
    assert all(row["metric_signature"].startswith(row["metric"]) for row in rows)
    latex = file_of(researcher, campaign, "table.tex").decode()
    assert latex.count(" \\\\\n") == 1 + len(METRICS)
    assert "chrF++ & " in latex


@pytest.mark.parametrize(
    "name", ["agreement.svg?", "scatter.svg?metric=gleu", "tests.svg?test=spa", "tests.svg?test=williams"]
)
def test_its_figures_name_what_they_show(researcher: Client, corpus: Corpus, name: str) -> None:
    figure = file_of(researcher, compared_campaign(corpus), f"{name}&theme=dark").decode()
    assert "GLEU" in figure
    assert ("Alder" in figure) == name.startswith("scatter")


@pytest.mark.parametrize(
    "name", ["agreement.gif", "scatter.svg?metric=nothing", "tests.svg?test=nothing", "table.xls"]
)
def test_what_there_is_not_is_not_found(researcher: Client, corpus: Corpus, name: str) -> None:
    campaign = compared_campaign(corpus)
    assert researcher.get(f"/campaigns/{campaign.uuid}/metrics/{name}").status_code == 404


def test_files_wait_for_a_result(researcher: Client, corpus: Corpus) -> None:
    campaign = scored_campaign(corpus)
    assert researcher.get(f"/campaigns/{campaign.uuid}/metrics/table.csv").status_code == 404


def test_an_impossible_parameter_is_refused_in_words(researcher: Client, corpus: Corpus) -> None:
    campaign = scored_campaign(corpus)
    response = researcher.get(f"/campaigns/{campaign.uuid}/metrics/?permutations=5")
    assert response.status_code == 400
    assert "permutations should be at least 100, not 5" in unescape(response.content.decode())


def test_while_it_is_looked_at_an_old_result_is_renewed(researcher: Client, corpus: Corpus) -> None:
    campaign = compared_campaign(corpus)
    scored(corpus, "bleu")
    assert "has changed" in page(researcher, campaign) or "came after" in page(researcher, campaign)
    assert not Job.objects.exists()
    run = Run.objects.get()
    Run.objects.update(created_at=run.created_at - timedelta(minutes=4))
    for _ in range(2):
        page(researcher, campaign)
    assert Job.objects.get().state == JobState.QUEUED
    run_queued_jobs()
    assert "4 metrics against" in page(researcher, campaign)


def test_the_headline_says_which_metrics_lead(researcher: Client, corpus: Corpus) -> None:
    campaign = compared_campaign(corpus)
    assert "agree" in page(researcher, campaign).partition('<h2 id="metrics">')[2].partition("</h2>")[0]
