"""The page of metrics against people, its figures and its files."""

import re
from datetime import timedelta
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.test import Client

from analysis.analyses.metrics.metric_parts import Significance
from analysis.analyses.metrics.metrics_people import METRICS_PEOPLE, MetricsPeopleParameters
from analysis.analyses.metrics.metrics_people_tables import smallest_p
from analysis.models import Run
from annotate.models import Campaign, Corpus, Reference
from core.names import Naming
from figures.metrics.metrics_people import shown_p
from jobs.models import Job, JobState
from jobs.worker import run_queued_jobs
from tests.analysis.metrics.metric_pages import file_of, rows_of
from tests.analysis.scored_campaigns import (
    METRICS,
    compared_campaign,
    result_of,
    scored_campaign,
    upload_scores,
)
from tests.annotate.samples import ranking, small_campaign
from tests.annotate.scores.scoring import scored

pytestmark = pytest.mark.any_database


def page(client: Client, campaign: Campaign, query: str = "") -> str:
    response = client.get(f"/campaigns/{campaign.uuid}/metrics/{query}")
    assert response.status_code == 200
    return unescape(response.content.decode())


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
    upload_scores(corpus, tmp_path, *of_systems, *constant, *once)
    shown = computed_page(researcher, campaign)
    assert "7 metrics against ExpectedWins of" in shown
    for title in ("lm (uploaded)", "constant (uploaded)", "GLEU (iterations=20)"):
        assert f'<th scope="row">{title}' in shown
    assert re.search(r"lm \(uploaded\)[^<]*</th><td>Tau</td><td>only scores of systems are known<", shown)
    because = shown.partition("judged pairs of outputs are left out for all metrics, because ")[2]
    assert "once (uploaded)" in because.partition(".")[0]
    assert "the metric gives every system the same score" in shown
    stated = MetricsPeopleParameters(replicates=50, permutations=100)
    metrics = result_of(METRICS_PEOPLE, campaign, stated).metrics
    lm, once_scored = metrics["lm (uploaded)"], metrics["once (uploaded)"]
    assert lm.scores == {system: -number for number, system in enumerate(systems) if system != "INPUT"}
    assert not lm.resampled
    assert once_scored.scores == dict.fromkeys(lm.scores, 0.5)
    assert lm.signature == once_scored.signature == ""
    by_wins = computed_page(researcher, campaign, "&systems_by=trueskill")
    assert '<th scope="row">GLEU, by trueskill' in by_wins
    assert "no scores of sentences that compare systems" in by_wins


def test_sentences_without_references_are_explained(researcher: Client, corpus: Corpus) -> None:
    campaign = small_campaign(corpus)
    Reference.objects.filter(sentence=corpus.sentences.get(position=0)).delete()
    scored(corpus, "gleu", "sari", "imeasure", "ld-source")
    shown = computed_page(researcher, campaign)
    references = f'(<a href="{corpus.get_absolute_url()}references/">References</a>)'
    assert f"2 judged sentences have no reference: GLEU and SARI do not score them {references}" in shown


def test_pairs_that_uploads_leave_out_are_not_put_down_to_references(
    researcher: Client, corpus: Corpus, tmp_path: Path
) -> None:
    campaign = small_campaign(corpus)
    scored(corpus, "ld-source")
    upload_scores(corpus, tmp_path, "once,Alder,0,0.5")
    shown = computed_page(researcher, campaign)
    assert "are left out for all metrics" in shown
    assert "have no reference" not in shown
    assert "has no reference: " not in shown


def test_few_systems_are_explained(researcher: Client, corpus: Corpus) -> None:
    campaign = scored_campaign(corpus)
    assert "of 3 systems" in computed_page(researcher, campaign)
    two = computed_page(researcher, campaign, "&exclude_systems=Birch")
    assert "of 2 systems" in two
    assert "at least three have to be judged" in two
    one = f"?{urlencode({'exclude_systems': 'Birch,Cedar'})}"
    page(researcher, campaign, one)
    run_queued_jobs()
    assert "only Alder was both judged and scored; two systems are needed" in page(researcher, campaign, one)


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


def test_one_metric_has_nothing_to_be_better_than(researcher: Client, corpus: Corpus) -> None:
    scored(corpus, "gleu")
    shown = computed_page(researcher, small_campaign(corpus))
    assert "GLEU correlates with people at" in shown
    assert "agrees best" not in shown


def test_few_permutations_tell_no_small_p_value() -> None:
    assert [shown_p(p, smallest_p("spa", 150)) for p in (0.0, 0.02)] == ["<.0067", ".020"]
    assert [shown_p(0.0, smallest_p(test, 100)) for test in ("spa", "williams")] == ["<.01", "<.001"]


@pytest.mark.parametrize(
    ("p_values", "text", "css", "paper"),
    [
        ((0.2, 1.0), ".200", "number", "0.200"),
        ((0.03, 0.09), ".030 ✓", "number shade-3", "0.030"),
        ((0.0, 0.0), "<.01 ✓✓", "number shade-3", "$<$0.001"),
    ],
)
def test_significance_is_shaded_and_marked(
    p_values: tuple[float, float], text: str, css: str, paper: str
) -> None:
    naming, column = Naming("", {}, {}, {}), Significance("", "p", smallest=0.01)
    assert column.text(p_values, naming) == text
    assert column.css_of(p_values) == css
    assert column.paper(p_values, naming) == paper


def test_without_scores_it_says_where_to_get_them(researcher: Client, corpus: Corpus) -> None:
    shown = page(researcher, small_campaign(corpus))
    assert "The corpus small has no metric scores yet." in shown
    assert f'href="/corpora/{corpus.uuid}/scores/"' in shown
    assert not Job.objects.exists()


def test_a_job_computes_the_page(researcher: Client, corpus: Corpus) -> None:
    campaign = scored_campaign(corpus)
    assert "This takes a few seconds" in page(researcher, campaign)
    run_queued_jobs()
    shown = page(researcher, campaign)
    for title in ("GLEU", "SARI", "chrF++"):
        assert f'<th scope="row">{title}' in shown
    assert "3 metrics against ExpectedWins of 3 systems" in shown
    assert "PERM-BOTH of SPA" in shown
    assert "nan" not in shown.partition("<main")[2].lower().replace("finance", "")
    assert "Tau by annotator" in shown


def test_while_it_is_looked_at_an_old_result_is_renewed(researcher: Client, corpus: Corpus) -> None:
    campaign = compared_campaign(corpus)
    scored(corpus, "bleu")
    shown = page(researcher, campaign)
    assert "The inputs have changed since this was computed." in shown
    assert "came after" not in shown
    assert not Job.objects.exists()
    run = Run.objects.get()
    Run.objects.update(created_at=run.created_at - timedelta(minutes=4))
    for _ in range(2):
        page(researcher, campaign)
    assert Job.objects.get().state == JobState.QUEUED
    run_queued_jobs()
    assert "4 metrics against" in page(researcher, campaign)


def test_its_files_hold_counts_that_add_up_and_numbers_of_annotators(
    researcher: Client, corpus: Corpus
) -> None:
    campaign = compared_campaign(corpus)

    def rows(table: str) -> list[dict[str, str]]:
        return rows_of(researcher, campaign, f"metrics-people/{table}.csv")

    assert {row["metric"] for row in rows("systems")} == set(METRICS)
    assert all(-1 <= float(row["pearson"]) <= 1 for row in rows("systems"))
    assert all(row["metric_signature"].startswith(row["metric"]) for row in rows("systems"))
    for row in rows("sentences"):
        ordered = sum(int(row[name]) for name in ("concordant", "discordant", "metric_ties"))
        assert float(row["accuracy"]) == pytest.approx(int(row["concordant"]) / ordered)
    by_annotator = [row["part"] for row in rows("annotators") if row["metric"] == "gleu"]
    assert by_annotator == ["Annotator 1", "Annotator 2"]
    assert {"no domain", "private"} <= {row["part"] for row in rows("domains")}
    for test in ("williams", "bootstrap", "spa", "acc-eq"):
        assert len(rows(test)) == len(METRICS) * (len(METRICS) - 1)
        assert all(row["p"] != "" or row["reason"] for row in rows(test))
        assert all(float(row["p_holm"]) >= float(row["p"]) for row in rows(test) if row["p"])
        matrix = file_of(researcher, campaign, f"metrics-people/{test}.tex").decode()
        assert matrix.count(" \\\\\n") == 1 + len(METRICS)
        assert matrix.count("--") >= len(METRICS)
    for figure in ("agreement", "metric", "test-spa", "test-williams"):
        drawn = file_of(researcher, campaign, f"metrics-people/{figure}.svg?metric=gleu&theme=dark").decode()
        assert "GLEU" in drawn
        assert ("Alder" in drawn) == (figure == "metric")
