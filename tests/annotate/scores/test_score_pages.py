"""Researchers and admins score a corpus on its page, view the scores and download them."""

import csv
import re
from collections import Counter
from html import unescape
from io import StringIO
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from analysis.analyses.systems.ranking import RANKING, Ranking, RankingParameters
from analysis.runs.queries import current
from analysis.runs.requests import request_of
from annotate.models import (
    AuditEntry,
    OutputScore,
    Production,
    ScoreSet,
    System,
)
from annotate.scores import scoring, tables
from annotate.scores.stored_rows import store_piece
from annotate.scores.tables import csv_of_sentences
from jobs import running
from jobs.models import Job
from jobs.worker import run_queued_jobs
from tests.annotate.samples import sentence, small_campaign, small_corpus
from tests.annotate.scores.scoring import address, edited_corpus, page, scored, scores_of, values_of

pytestmark = pytest.mark.django_db


def systems_in_order(text: str) -> list[str]:
    """The systems of the table, from top to bottom."""
    names = ("Alder", "Birch", "Cedar", "INPUT")
    table = text.split('<table class="scores shaded sortable" ')[1].split("</table>")[0]
    return sorted(names, key=lambda name: table.index(f'<th scope="row">{name}'))


def test_a_corpus_without_scores_says_what_to_do(researcher: Client) -> None:
    corpus = edited_corpus()
    assert "No scores yet. Choose metrics below" in page(researcher, address(corpus))
    assert f'href="{address(corpus)}"' in page(researcher, corpus.get_absolute_url())


def test_a_researcher_has_it_scored(researcher: Client) -> None:
    corpus = edited_corpus()
    sent = {"metric": ["gleu", "m2"], "m2-beta": "1", "m2-max_unchanged": "2", "gleu-order": "4"}
    response = researcher.post(f"{address(corpus)}compute/", sent)
    job = Job.objects.get()
    assert response["Location"] == f"{address(corpus)}?job={job.uuid}"
    assert job.parameters["metrics"] == ["gleu", "m2:beta=1"]
    assert "Waiting for a worker" in page(researcher, response["Location"])
    run_queued_jobs()
    after = page(researcher, response["Location"])
    assert "2 metrics: 18 scores of outputs computed" in after
    assert "M2 (MaxMatch) (beta=1)" in after
    assert "gleu|order:4|iterations:500|refs:1" in after
    assert "95% interval" in after


def test_one_button_scores_by_all_metrics_that_the_corpus_allows(researcher: Client) -> None:
    corpus = small_corpus(sentences=[sentence("He go .", "He goes .", "He went .", "")])
    assert '<button class="quiet" name="all"' in page(researcher, address(corpus))
    researcher.post(f"{address(corpus)}compute/", {"all": "1"})
    assert Job.objects.get().parameters["metrics"] == ["grammaticality", "ld-source"]


def test_scoring_that_is_cancelled_goes_on_when_asked_again(
    researcher: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus, undisturbed = edited_corpus(), edited_corpus("undisturbed")
    expected = values_of(scores_of(undisturbed, "gleu"))
    sent = {"metric": "gleu", "gleu-order": "4"}
    researcher.post(f"{address(corpus)}compute/", sent)
    job = Job.objects.get()

    def store_two_pieces(score_set: ScoreSet, *piece: Any) -> None:
        store_piece(score_set, *piece)
        if score_set.pieces.count() == 2:
            assert researcher.post(f"{job.get_absolute_url()}cancel/").status_code == 302

    with monkeypatch.context() as patched:
        patched.setattr(scoring, "OUTPUTS_PER_PIECE", 2)
        patched.setattr(running, "REPORT_EVERY_SECONDS", 0)
        patched.setattr(scoring, "store_piece", store_two_pieces)
        run_queued_jobs()
    job.refresh_from_db()
    assert job.state == "cancelled"
    computed = list(ScoreSet.objects.get(corpus=corpus).output_scores.values_list("pk", flat=True))
    assert len(computed) == 4
    stopped = page(researcher, f"{address(corpus)}?job={job.uuid}")
    assert "Cancelled" in stopped
    assert "4 systems not scored yet by all of these metrics" in stopped

    again = researcher.post(f"{address(corpus)}compute/", sent)
    run_queued_jobs()
    assert "1 metric: 5 scores of outputs computed, 4 already stored." in page(researcher, again["Location"])
    score_set = ScoreSet.objects.get(corpus=corpus)
    assert set(computed) <= set(score_set.output_scores.values_list("pk", flat=True))
    assert values_of(score_set) == expected


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({}, "Choose a metric."),
        ({"metric": "none-such"}, "Choose a metric."),
        ({"metric": "m2", "m2-beta": "-1"}, "M2 (MaxMatch): beta should be at least 0, not -1."),
        ({"metric": "gleu", "gleu-order": "x"}, "GLEU: order should be a whole number, not &#x27;x&#x27;."),
    ],
)
def test_invalid_forms_are_explained(researcher: Client, sent: dict[str, str], said: str) -> None:
    response = researcher.post(f"{address(edited_corpus())}compute/", sent)
    assert response.status_code == 422
    assert said in response.content.decode()
    assert not Job.objects.exists()


def test_metrics_that_cannot_be_chosen_say_why(researcher: Client) -> None:
    bare = small_corpus(language="de", sentences=[sentence("Er geht .", "Er geht .", "Er ging .", "")])
    text = page(researcher, address(bare))
    assert "Not available: needs references, and the corpus has none" in text
    assert "Not available: it is for English, and the corpus is in German." in text
    assert 'value="gleu" id="metric-gleu" aria-describedby="about-gleu" disabled' in text
    response = researcher.post(f"{address(bare)}compute/", {"metric": ["gleu", "ld-source"]})
    assert response.status_code == 422
    assert not Job.objects.exists()


def test_a_job_that_is_refused_says_why(researcher: Client) -> None:
    corpus = edited_corpus()
    location = researcher.post(f"{address(corpus)}compute/", {"metric": "gleu"})["Location"]
    Production.objects.all().delete()
    run_queued_jobs()
    assert "has no outputs of systems to score" in page(researcher, location)


def test_the_table_sorts_by_any_metric(researcher: Client) -> None:
    corpus = edited_corpus()
    score_set = scores_of(corpus, "exact-match")
    assert systems_in_order(page(researcher, address(corpus))) == ["Alder", "Birch", "Cedar", "INPUT"]
    text = page(researcher, f"{address(corpus)}?sort=-{score_set.uuid}")
    assert systems_in_order(text) == ["Alder", "Birch", "Cedar", "INPUT"]
    assert 'aria-sort="descending"' in text
    assert f"?sort={score_set.uuid}#systems" in text
    assert systems_in_order(page(researcher, f"{address(corpus)}?sort={score_set.uuid}"))[-1] == "Alder"
    assert systems_in_order(page(researcher, f"{address(corpus)}?sort=-system"))[0] == "INPUT"
    assert page(researcher, f"{address(corpus)}?sort=nonsense")


def test_the_highest_score_is_marked_in_words_and_the_source_does_not_compete(researcher: Client) -> None:
    corpus = edited_corpus()
    scored(corpus, "ld-source", "m2")
    text = page(researcher, address(corpus))
    assert text.count('<span class="unseen"> highest</span>') == 1, (
        "only M2, by which a system beats the source"
    )
    row = text.split('<th scope="row">INPUT')[1].split("</tr>")[0]
    assert "1.000" in row
    assert "highest" not in row
    assert "shade-" not in row


def test_the_columns_that_papers_report_come_first(researcher: Client) -> None:
    corpus = edited_corpus()
    scored(corpus, "exact-match", "gleu", "m2")
    text = page(researcher, address(corpus))
    assert re.findall(r"#systems\" data-sorts>(\w+)", text)[1:] == [
        "M2",
        "GLEU",
        "Exact",
    ]


def test_systems_are_in_the_order_of_people_where_people_judged_them(researcher: Client) -> None:
    corpus = small_corpus()
    scored(corpus, "ld-source")
    assert "People" not in page(researcher, address(corpus))
    campaign = small_campaign(corpus)
    ranking: Ranking = current(request_of(RANKING, campaign, RankingParameters()), asked_by=None).result
    text = page(researcher, address(corpus))
    order = [each.system for each in ranking.standings.systems if each.score is not None]
    assert systems_in_order(text)[: len(order)] == order
    assert f'rank range in <a href="{campaign.get_absolute_url()}">' in text
    by_name = page(researcher, f"{address(corpus)}?sort=system")
    assert systems_in_order(by_name) == sorted(systems_in_order(by_name))


def test_a_partial_system_says_of_how_many_sentences(researcher: Client) -> None:
    corpus = edited_corpus()
    Production.objects.filter(system__name="Birch", sentence__position=1).delete()
    score_set = scores_of(corpus, "gleu")
    assert "2 of 3 sentences" in page(researcher, address(corpus))
    assert "1 without an output" in page(researcher, score_set.get_absolute_url())


def test_systems_that_are_not_scored_yet_are_told(researcher: Client) -> None:
    corpus = edited_corpus()
    scored(corpus, "gleu")
    System.objects.create(corpus=corpus, name="Late")
    assert "1 system not scored yet by all of these metrics" in page(researcher, address(corpus))


def test_older_scores_are_kept_in_the_list(researcher: Client) -> None:
    corpus = edited_corpus()
    scored(corpus, "gleu")
    corpus.sentences.get(position=0).references.create(annotator="1", text="She went home .", edits=[])
    scored(corpus, "gleu")
    text = page(researcher, address(corpus))
    assert text.count('<span class="badge">older</span>') == 1
    assert "<td>1-2</td>" in text


def test_the_page_of_a_metric(researcher: Client) -> None:
    corpus = edited_corpus()
    score_set = scores_of(corpus, "m2")
    text = page(researcher, score_set.get_absolute_url())
    assert "Against 1 reference a sentence" in text
    assert "1000 replicates, seed 0" in text
    assert '<th scope="col" class="number">Precision</th>' in text
    assert "<ins" in text
    assert text.count(f'<a href="/corpora/{corpus.uuid}/?sentence=') == 9


def output_rows(text: str) -> list[tuple[int, float]]:
    """Sentence and score of each row of the table of outputs."""
    table = text.split("Scores of outputs</caption>")[1].split("</table>")[0]
    cells = re.findall(r'\?sentence=(\d+)".*?<td class="number">([\d.]+)</td>', table, re.S)
    return [(int(position), float(score)) for position, score in cells]


@pytest.mark.parametrize(
    ("query", "number"),
    [("", 9), ("sort=-score", 9), ("sort=score", 9), ("system=Birch", 3), ("system=Birch&sort=score", 3)],
)
def test_sentence_scores_sort_and_filter(researcher: Client, query: str, number: int) -> None:
    score_set = scores_of(edited_corpus(), "gleu")
    rows = output_rows(page(researcher, f"{score_set.get_absolute_url()}?{query}"))
    assert len(rows) == number
    if "sort" in query:
        scores = [score for _, score in rows]
        assert scores == sorted(scores, reverse="-" in query)
    else:
        assert [position for position, _ in rows] == sorted(position for position, _ in rows)


def test_a_wrong_filter_says_so_and_shows_all(researcher: Client) -> None:
    text = page(researcher, f"{scores_of(edited_corpus(), 'gleu').get_absolute_url()}?system=Nobody")
    assert "errorlist" in text
    assert len(output_rows(text)) == 9


def test_pages_of_sorted_scores_show_each_output_once(
    researcher: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotate.scores.views.OUTPUTS_PER_PAGE", 2)
    score_set = scores_of(edited_corpus(), "exact-match")  # All scores are 0 or 1.
    seen: list[tuple[int, float]] = []
    query, pages = "?sort=score", 0
    while query:
        text = page(researcher, f"{score_set.get_absolute_url()}{query}")
        seen += output_rows(text)
        pages += 1
        following = re.search(r'href="([^"#]*)[^"]*" rel="next"', text)
        query = unescape(following[1]) if following else ""
    assert (len(seen), pages) == (9, 5)
    assert [score for _, score in seen] == sorted(score for _, score in seen)
    assert Counter(position for position, _ in seen) == {0: 3, 1: 4, 2: 2}


def test_scores_stand_beside_outputs(researcher: Client) -> None:
    corpus = edited_corpus()
    scored(corpus, "exact-match", "gleu")
    text = page(researcher, corpus.get_absolute_url())
    assert text.count("Scores: Exact match") == 9
    assert "Scores" not in page(researcher, small_corpus().get_absolute_url()).split("Sentences</h2>")[1]


def test_downloads(researcher: Client) -> None:
    corpus = edited_corpus()
    score_set = scores_of(corpus, "exact-match")
    System.objects.filter(name="Birch").update(label="Birch & Söhne_1 50%")
    response = researcher.get(f"{address(corpus)}table.csv")
    rows = list(csv.DictReader(StringIO(response.getvalue().decode())))
    assert [row["system"] for row in rows] == ["Alder", "Birch", "Cedar", "INPUT"]
    assert (rows[0]["metric"], rows[0]["score"], rows[0]["origin"]) == ("exact-match", "1.0", "computed")
    assert (rows[0]["references"], rows[0]["signature"]) == ("1", score_set.signature)
    latex = researcher.get(f"{address(corpus)}table.tex").getvalue().decode()
    assert r"Alder & \textbf{1.0000} \\" in latex
    assert r"Birch \& Söhne\_1 50\% & 0.3333 \\" in latex
    assert f"% Exact match: {score_set.signature}" in latex
    response = researcher.get(f"{score_set.get_absolute_url()}sentences.csv")
    rows = list(csv.DictReader(StringIO(response.getvalue().decode())))
    assert len(rows) == 12
    assert rows[0] == {
        "metric": "exact-match",
        "origin": "computed",
        "sentence": "0",
        "system": "Alder",
        "score": "1.0",
        "reason": "",
    }
    assert researcher.get(f"{address(corpus)}table.xlsx").status_code == 404


def test_sentence_scores_are_read_as_they_are_sent(
    monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    score_set = scores_of(edited_corpus(), "exact-match")
    whole = "".join(csv_of_sentences(score_set))
    monkeypatch.setattr(tables, "SENTENCES_AT_ONCE", 1)
    monkeypatch.setattr("core.tables.LINES_AT_ONCE", 4)
    pieces = csv_of_sentences(score_set)
    with django_assert_num_queries(4):  # The systems; the first sentence, its outputs and their scores.
        begin = next(pieces)
    assert begin.count("\n") == 4
    assert begin + "".join(pieces) == whole


@pytest.mark.parametrize(("image", "begins"), [("svg", b"<svg"), ("pdf", b"%PDF"), ("png", b"\x89PNG")])
def test_figures(researcher: Client, image: str, begins: bytes) -> None:
    corpus = edited_corpus()
    score_set = scores_of(corpus, "exact-match")
    for path in (f"{address(corpus)}figure.{image}", f"{score_set.get_absolute_url()}figure.{image}"):
        assert researcher.get(path).content.startswith(begins)


def test_an_admin_deletes_scores_and_the_deletion_is_on_record(admin: Client) -> None:
    corpus = edited_corpus()
    score_set = scores_of(corpus, "gleu")
    kept = scores_of(corpus, "ld-source")
    path = f"{score_set.get_absolute_url()}delete/"
    assert "Delete the scores GLEU" in page(admin, path)
    assert ScoreSet.objects.count() == 2
    location = admin.post(path)["Location"]
    assert admin.get(score_set.get_absolute_url()).status_code == 404
    run_queued_jobs()
    assert "They are deleted completely." in page(admin, location)
    assert ScoreSet.objects.get() == kept
    assert not OutputScore.objects.filter(score_set=score_set.pk).exists()
    entry = AuditEntry.objects.get()
    assert (entry.who, entry.action, entry.kind, entry.name) == ("the-admin", "delete", "scores", "gleu")
    assert entry.details == {"corpus": "edited", "signature": score_set.signature}
    assert scores_of(corpus, "gleu").output_scores.count() == 9


def test_scores_that_are_being_deleted_can_be_computed_anew(admin: Client) -> None:
    corpus = edited_corpus()
    old = scores_of(corpus, "gleu")
    admin.post(f"{old.get_absolute_url()}delete/")
    assert scores_of(corpus, "gleu") != old
    run_queued_jobs()
    assert ScoreSet.objects.count() == 1


def test_a_researcher_deletes_none(researcher: Client) -> None:
    score_set = scores_of(edited_corpus(), "gleu")
    assert "Delete" not in page(researcher, score_set.get_absolute_url())
    assert researcher.post(f"{score_set.get_absolute_url()}delete/").status_code == 403
    assert ScoreSet.objects.exists()


def test_a_set_of_another_corpus_is_404(researcher: Client) -> None:
    score_set = scores_of(edited_corpus(), "gleu")
    other = small_corpus("other")
    assert researcher.get(f"{address(other)}{score_set.uuid}/").status_code == 404


def test_queries_do_not_grow(
    researcher: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    corpus = edited_corpus()
    scored(corpus, "gleu", "ld-source", "exact-match")
    score_set = ScoreSet.objects.order_by("pk")[0]
    for path in (address(corpus), score_set.get_absolute_url()):
        with django_assert_max_num_queries(13):
            researcher.get(path)
