"""The page of metrics against people, its figures and its files."""

import re
from datetime import timedelta
from html import unescape
from pathlib import Path
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.test import Client

from analysis.analyses.metrics_people_result import smallest_p
from analysis.models import Run
from annotate.models import Campaign, Corpus, Reference
from annotate.scores.corpus_outputs import corpus_outputs
from annotate.scores.uploading import read_scores, store_scores
from figures.metrics_people import shown_p
from jobs.models import Job, JobState
from jobs.worker import run_queued_jobs
from tests.analysis.scored_campaigns import METRICS, compared_campaign, scored_campaign
from tests.annotate.samples import ranking, small_campaign, small_corpus
from tests.annotate.scores.scoring import scored


@pytest.fixture
def corpus(db: None) -> Corpus:
    return small_corpus()


def page(client: Client, campaign: Campaign, query: str = "") -> str:
    response = client.get(f"/campaigns/{campaign.uuid}/metrics/{query}")
    assert response.status_code == 200
    return unescape(response.content.decode())


def uploaded(corpus: Corpus, folder: Path, *rows: str) -> None:
    path = folder / "scores.csv"
    path.write_text("\n".join(["metric,system,sentence,score", *rows]) + "\n")
    read = read_scores(path, corpus, corpus_outputs(corpus))
    store_scores(corpus, read, by=None, upload=uuid4(), progress=lambda stored: None)


def computed_page(client: Client, campaign: Campaign, query: str = "") -> str:
    """The page once its job has been done."""
    query = f"?replicates=50&permutations=100{query}"
    page(client, campaign, query)
    run_queued_jobs()
    shown = page(client, campaign, query)
    assert "failed:" not in shown
    assert not re.search(r"\bnan\b", re.sub(r"<[^>]*>", " ", shown), re.IGNORECASE)
    return shown


def test_without_judgments_it_says_so(researcher: Client, corpus: Corpus) -> None:
    scored(corpus, "ld-source")
    campaign = small_campaign(corpus)
    campaign.judgments.all().delete()
    assert "Nothing has been judged in this campaign yet." in page(researcher, campaign)
    assert not Job.objects.exists()


def test_uploaded_scores_of_systems_and_of_some_sentences(
    researcher: Client, corpus: Corpus, tmp_path: Path
) -> None:
    """One metric scores systems only, one is constant, one scores a single sentence, one no judged output."""
    campaign = small_campaign(corpus)
    systems = sorted(corpus.systems.values_list("name", flat=True))
    scored(corpus, "ld-source", "sari", "gleu", "gleu:iterations=20")
    of_systems = [f"lm,{system},,{-number}" for number, system in enumerate(systems)]
    constant = [f"constant,{system},,1" for system in systems]
    once = [f"once,{system},0,{0.5}" for system in systems]
    uploaded(corpus, tmp_path, *of_systems, *constant, *once)
    shown = computed_page(researcher, campaign)
    assert "7 metrics against ExpectedWins of" in shown
    for title in ("lm (uploaded)", "constant (uploaded)", "GLEU (iterations=20)"):
        assert f'<th scope="row">{title}' in shown
    assert re.search(r"lm \(uploaded\)[^<]*</th><td>Tau</td><td>only scores of systems are known<", shown)
    because = shown.partition("judged pairs of outputs are left out for all metrics, because ")[2]
    assert "once (uploaded)" in because.partition(".")[0]
    assert "the metric gives every system the same score" in shown
    by_wins = computed_page(researcher, campaign, "&systems_by=trueskill")
    assert '<th scope="row">GLEU, by trueskill' in by_wins
    assert "no scores of sentences that compare systems" in by_wins


def test_sentences_without_references_are_explained(researcher: Client, corpus: Corpus) -> None:
    campaign = small_campaign(corpus)
    Reference.objects.filter(sentence=corpus.sentences.get(position=0)).delete()
    scored(corpus, "gleu", "sari")
    shown = computed_page(researcher, campaign)
    assert "2 judged sentences have no reference, so metrics that compare with references do not" in shown
    assert "--absent unchanged" in shown


@pytest.mark.any_database
def test_few_systems_are_explained(researcher: Client, corpus: Corpus) -> None:
    campaign = scored_campaign(corpus)
    assert "of 3 systems" in computed_page(researcher, campaign, "&exclude_systems=INPUT")
    two = computed_page(researcher, campaign, f"&{urlencode({'exclude_systems': 'INPUT, Birch'})}")
    assert "of 2 systems" in two
    assert "at least three have to be judged" in two
    one = f"?{urlencode({'exclude_systems': 'INPUT,Birch,Cedar'})}"
    page(researcher, campaign, one)
    run_queued_jobs()
    assert "only Alder was both judged and scored; two systems are needed" in page(researcher, campaign, one)


def test_a_system_that_there_is_not_is_refused(researcher: Client, corpus: Corpus) -> None:
    campaign = scored_campaign(corpus)
    response = researcher.get(f"/campaigns/{campaign.uuid}/metrics/?exclude_systems=Nobody")
    assert response.status_code == 400
    assert "there is no system Nobody to leave out; systems are: Alder" in unescape(response.content.decode())


@pytest.mark.any_database
def test_ties_and_single_answers_are_explained(researcher: Client, corpus: Corpus) -> None:
    scored(corpus, *METRICS)
    tied = small_campaign(corpus, "tied", rankings=[ranking("anna", 1, "Alder = Birch = Cedar = INPUT")])
    assert "people have no score of any system" in computed_page(researcher, tied)
    once = small_campaign(corpus, "once", rankings=[ranking("anna", 1, "Alder > Birch")])
    computed_page(researcher, once)


def test_a_failed_attempt_is_repeated_once_there_is_more(researcher: Client, corpus: Corpus) -> None:
    """Answers without ratings are no judgments. The failure is shown while the inputs are what they were."""
    scored(corpus, "ld-source")
    campaign = small_campaign(corpus, rankings=[ranking("ben", 1, "")])
    page(researcher, campaign)
    run_queued_jobs()
    failed = "failed: nothing has been judged yet"
    assert failed in page(researcher, campaign)
    Run.objects.update(created_at=Run.objects.get().created_at - timedelta(minutes=4))
    assert failed in page(researcher, campaign)
    scored(corpus, "sari")
    assert failed not in page(researcher, campaign)
    assert Job.objects.filter(state=JobState.QUEUED).count() == 1


@pytest.mark.any_database
def test_one_metric_has_nothing_to_be_better_than(researcher: Client, corpus: Corpus) -> None:
    scored(corpus, "gleu")
    shown = computed_page(researcher, small_campaign(corpus))
    assert "GLEU correlates with people at" in shown
    assert "agrees best" not in shown


def test_few_permutations_tell_no_small_p_value(researcher: Client, corpus: Corpus) -> None:
    assert [shown_p(p, smallest_p("spa", 150)) for p in (0.0, 0.02)] == ["<.0067", ".020"]
    assert [shown_p(0.0, smallest_p(test, 100)) for test in ("spa", "williams")] == ["<.01", "<.001"]


def test_without_scores_it_says_where_to_get_them(researcher: Client, corpus: Corpus) -> None:
    shown = page(researcher, small_campaign(corpus))
    assert "The corpus small has no metric scores yet." in shown
    assert f'href="/corpora/{corpus.uuid}/scores/"' in shown
    assert not Job.objects.exists()


def test_a_job_computes_the_page(researcher: Client, corpus: Corpus) -> None:
    campaign = scored_campaign(corpus)
    assert "This takes a while" in page(researcher, campaign)
    run_queued_jobs()
    shown = page(researcher, campaign)
    for title in ("GLEU", "SARI", "chrF++"):
        assert f'<th scope="row">{title}' in shown
    assert "3 metrics against ExpectedWins of 4 systems" in shown
    assert "PERM-BOTH of SPA" in shown
    assert "nan" not in shown.partition("<main")[2].lower().replace("finance", "")
    assert "Tau by annotator" in shown


@pytest.mark.any_database
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


@pytest.mark.any_database
def test_the_headline_says_which_metrics_lead(researcher: Client, corpus: Corpus) -> None:
    campaign = compared_campaign(corpus)
    assert "agree" in page(researcher, campaign).partition('<h2 id="finding">')[2].partition("</h2>")[0]
