"""Analyses of a corpus: runs, pages, API and command."""

from html import unescape
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client

from analysis.models import Run
from analysis.runs import queries, storing
from analysis.runs.queries import compute_anew, current
from analysis.runs.requests import Request, request_of
from annotate.campaigns.deletion import delete_corpus
from annotate.models import Corpus
from formats import Reference
from jobs.models import Job
from jobs.worker import run_queued_jobs
from tests.analysis.stored import forget_results
from tests.analysis.toys import OF_A_CORPUS, TOY, ToyParameters
from tests.annotate.api.asking import ask, post, problem_of, program
from tests.annotate.samples import sentence, small_campaign, small_corpus
from tests.jobs.kinds import after_working, user

PAGE = "analyses/toy-of-a-corpus/"
Capture = pytest.CaptureFixture[str]


def asked(corpus: Corpus, **parameters: Any) -> Request:
    return request_of(OF_A_CORPUS, corpus, ToyParameters(**parameters))


def page(client: Client, corpus: Corpus, path: str = PAGE) -> str:
    response = client.get(f"{corpus.get_absolute_url()}{path}")
    assert response.status_code == 200
    return unescape(response.content.decode().partition("<main")[2])


def test_small_corpora_are_analysed_at_once_and_the_result_is_kept(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = user()
    result = current(asked(corpus), asked_by=ada).result
    assert (result.sentences, result.annotators) == (8, ("0", "1"))
    run = Run.objects.get()
    assert (run.analysis, run.subject, run.campaign, run.asked_by) == ("toy-of-a-corpus", corpus, None, ada)
    assert (run.inputs, run.size) == (corpus.digest, 4)
    assert f"|corpus:{run.digest[:16]}|assay:" in result.signature
    monkeypatch.setattr(queries, "computed", None)
    cache.clear()
    assert current(asked(corpus), asked_by=None).result == result


def test_large_corpora_are_analysed_by_a_job_with_the_same_result(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = current(asked(corpus), asked_by=None).result
    forget_results()
    monkeypatch.setattr(queries, "MOST_AT_ONCE", 0)
    assert current(asked(corpus), asked_by=None).result is None
    job = compute_anew(asked(corpus), asked_by=None)
    post(program(), f"/api/v1/corpora/{corpus.uuid}/{PAGE}")
    assert Job.objects.get() == job
    assert job.title == "Toy of texts of corpus small"
    assert after_working(job).result == {"url": f"{corpus.get_absolute_url()}{PAGE}"}
    assert current(asked(corpus), asked_by=None).result == at_once


def test_a_corpus_that_has_changed_is_analysed_anew_on_request(
    researcher: Client, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    current(asked(corpus), asked_by=None)
    Corpus.objects.update(digest="0" * 64)
    monkeypatch.setattr(queries, "MOST_AT_ONCE", 0)
    assert "The corpus has changed since this was computed." in page(researcher, corpus)
    assert ask(program(), f"corpora/{corpus.uuid}/{PAGE}")["is_current"] is False
    response = researcher.post(f"{corpus.get_absolute_url()}{PAGE}compute/")
    assert response["Location"] == f"{corpus.get_absolute_url()}{PAGE}?"
    run_queued_jobs()
    assert "has changed" not in page(researcher, corpus)


def test_a_corpus_that_was_deleted_meanwhile_fails_the_job(corpus: Corpus) -> None:
    job = compute_anew(asked(corpus), asked_by=None)
    delete_corpus(corpus, by=None, progress=lambda parts: None)
    assert not Run.objects.exists()
    assert after_working(job).error.endswith("the campaign or corpus has been deleted.")


def test_half_a_corpus_is_not_analysed(corpus: Corpus) -> None:
    job = compute_anew(asked(corpus), asked_by=None)
    Corpus.objects.update(state="deleting")
    assert after_working(job).error == "The campaign or corpus has been deleted."


def test_results_of_a_corpus_and_of_its_campaign_do_not_push_each_other_out(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storing, "KEPT", 1)
    current(request_of(TOY, small_campaign(corpus), ToyParameters()), asked_by=None)
    for times in (1, 2):
        current(asked(corpus, times=times), asked_by=None)
    assert {(run.analysis, run.parameters["times"]) for run in Run.objects.all()} == {
        ("toy", 2),
        ("toy-of-a-corpus", 2),
    }


def test_a_run_is_of_a_campaign_or_of_a_corpus(corpus: Corpus) -> None:
    campaign = small_campaign(corpus)
    for of in ({}, {"campaign": campaign, "corpus": corpus}):
        with pytest.raises(IntegrityError, match="run_has_one_subject"), transaction.atomic():
            Run.objects.create(
                analysis="toy", parameters={}, left_out={}, version="0", request="0", inputs="", size=0, **of
            )


def test_an_analysis_of_a_corpus_has_no_campaign(corpus: Corpus) -> None:
    with pytest.raises(TypeError, match="toy-of-a-corpus is of a corpus"):
        _ = asked(corpus).campaign


def test_the_corpus_leads_to_its_analyses(researcher: Client, corpus: Corpus) -> None:
    address = f"{corpus.get_absolute_url()}analyses/"
    listed = page(researcher, corpus, "analyses/")
    assert (
        f'<dt><a href="{corpus.get_absolute_url()}analyses/corpus-statistics/">What do references change'
        in listed
    )
    assert "Ranking" not in listed
    for path, mark in (("", ""), ("analyses/", ' aria-current="page"'), (PAGE, ' aria-current="true"')):
        whole = researcher.get(f"{corpus.get_absolute_url()}{path}").content.decode()
        assert f'<a href="{address}"{mark}>Analyses</a>' in whole


@pytest.mark.parametrize(
    ("kind", "name"), [("corpora", "toy"), ("corpora", "moon"), ("campaigns", "toy-of-a-corpus")]
)
def test_an_analysis_is_not_there_where_its_inputs_are_not(
    researcher: Client, corpus: Corpus, kind: str, name: str
) -> None:
    uuid = corpus.uuid if kind == "corpora" else small_campaign(corpus).uuid
    path = f"{kind}/{uuid}/analyses/{name}/"
    assert researcher.get(f"/{path}").status_code == 404
    assert researcher.post(f"/{path}compute/").status_code == 404
    problem_of(program().get(f"/api/v1/{path}"), 404)


@pytest.mark.parametrize(
    ("analysis", "references", "reason"),
    [
        ("coverage", 1, "No sentence of the corpus has 2 references."),
        ("perfect-corrector", 1, "No sentence of the corpus has 2 references."),
        ("human-performance", 1, "No sentence of the corpus has 2 references."),
        ("oracle-reranking", 1, "No sentence of the corpus has 2 references."),
        ("conservatism", 0, "The corpus has no references."),
        ("maege", 1, "The references of this corpus have no edits."),
    ],
)
@pytest.mark.django_db
def test_a_corpus_without_references_says_what_to_do(
    researcher: Client, analysis: str, references: int, reason: str
) -> None:
    corrected = [Reference("0", "a c", None)][:references]
    alone = small_corpus("alone", sentences=[sentence("a b", "a c", references=corrected)])
    page = researcher.get(f"{alone.get_absolute_url()}analyses/{analysis}/").content.decode()
    assert f"{reason} Add " in page
    assert not Job.objects.exists()


@pytest.mark.django_db
def test_systems_are_needed_to_compare_them(researcher: Client) -> None:
    references = [Reference("0", "a c", None), Reference("1", "a d", None)]
    pilot = small_corpus("pilot", sentences=[sentence("a b", references=references)])
    page = researcher.get(f"{pilot.get_absolute_url()}analyses/conservatism/").content.decode()
    assert "The corpus has no systems. Add their outputs." in page


def test_the_command_names_corpora(corpus: Corpus) -> None:
    with pytest.raises(CommandError, match=r"neither a file nor a corpus 'none'. Corpora are: small"):
        call_command("analyse", "toy-of-a-corpus", "none")
    with pytest.raises(CommandError, match=r"neither a file nor a campaign 'small'. Campaigns are: none yet"):
        call_command("analyse", "toy", "small")


def test_the_command_says_what_each_analysis_is_of(capsys: Capture) -> None:
    for arguments in (["--help"], ["corpus-statistics", "--help"]):
        with pytest.raises(SystemExit):
            call_command("analyse", *arguments)
    shown = " ".join(capsys.readouterr().out.split())
    assert "corpus-statistics of a corpus: sizes of a corpus" in shown
    assert "ranking of a campaign: systems by score" in shown
    assert "FILE|CORPUS sentences with the edits of their annotators in M2, or a .tsv or .csv file" in shown
