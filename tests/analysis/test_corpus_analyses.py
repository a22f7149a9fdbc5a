"""Analyses of a corpus: runs, pages, API and command."""

import json
import re
from html import unescape
from pathlib import Path
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
from annotate.models import Corpus, Role
from jobs.models import Job
from jobs.worker import run_queued_jobs
from tests.analysis.described import corpus_with_edits, described_corpus
from tests.analysis.forgetting import forget_results
from tests.analysis.test_corpus_statistics_command import EDITS
from tests.analysis.toys import OF_A_CORPUS, TOY, ToyParameters
from tests.annotate.api.asking import ask, post, problem_of, program
from tests.annotate.samples import SENTENCES, small_campaign, small_corpus
from tests.jobs.kinds import after_working, user

PAGE = "analyses/toy-of-a-corpus/"
STATISTICS = "analyses/corpus-statistics/"
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def corpus(db: None) -> Corpus:
    return small_corpus()


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
    assert compute_anew(asked(corpus), asked_by=None) == job
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
    assert after_working(job).error == "The campaign or corpus has been deleted."


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
    assert f'<dt><a href="{corpus.get_absolute_url()}{STATISTICS}">Corpus statistics</a>' in listed
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


def test_page_and_api_refuse_impossible_parameters(researcher: Client, corpus: Corpus) -> None:
    response = researcher.get(f"{corpus.get_absolute_url()}{PAGE}?times=0")
    assert response.status_code == 400
    assert "times should be at least 1, not 0" in response.content.decode()
    problem = problem_of(program().get(f"/api/v1/corpora/{corpus.uuid}/{PAGE}?times=0"), 400)
    assert problem["errors"] == {"times": ["times should be at least 1, not 0"]}
    assert not Run.objects.exists()


def test_programs_get_parameters_result_and_signature(corpus: Corpus) -> None:
    told = ask(program(), f"corpora/{corpus.uuid}/{PAGE}", times=3)
    assert told["parameters"]["times"] == 3
    assert (told["result"]["sentences"], told["is_current"]) == (12, True)
    assert told["result"]["signature"] == told["signature"]


def test_programs_have_it_computed_anew(corpus: Corpus) -> None:
    post(program(), f"/api/v1/corpora/{corpus.uuid}/{PAGE}")
    assert Job.objects.get().title == "Toy of texts of corpus small"


@pytest.mark.parametrize("part", ["analyses/", PAGE])
def test_annotators_and_strangers_see_none(
    annotator: Client, stranger: Client, corpus: Corpus, part: str
) -> None:
    address = f"{corpus.get_absolute_url()}{part}"
    assert annotator.get(address).status_code == 403
    assert stranger.get(address).status_code == 302
    if part == PAGE:
        problem_of(program(Role.ANNOTATOR).get(f"/api/v1/corpora/{corpus.uuid}/{PAGE}"), 403)
        problem_of(Client().get(f"/api/v1/corpora/{corpus.uuid}/{PAGE}"), 401)


class TestStatistics:
    """The statistics of a corpus and its references."""

    def test_the_page_shows_what_a_job_has_counted(self, researcher: Client, db: None) -> None:
        corpus = corpus_with_edits()
        assert "From" in page(researcher, corpus, STATISTICS)
        assert researcher.get(f"{corpus.get_absolute_url()}{STATISTICS}edit-types.svg").status_code == 404
        run_queued_jobs()
        shown = " ".join(re.sub("<[^>]*>", " ", page(researcher, corpus, STATISTICS)).split())
        for words in ("Tokens per sentence 3.0 ± 1.0", "Unchanged 25", "NOUN 2 50.0", "0 0.500 0.500 0.500"):
            assert words in shown
        assert "corpus-statistics|gold:given|refs:2|edits:given|pipeline:none|corpus:" in shown

    @pytest.mark.any_database
    @pytest.mark.parametrize(
        ("figure", "words"), [("edit-types", {"NOUN", "PUNCT", "50.0%"}), ("agreement", {"0", "1"})]
    )
    def test_its_figures_can_be_taken_away(
        self, researcher: Client, db: None, figure: str, words: set[str]
    ) -> None:
        address = f"{described_corpus().get_absolute_url()}{STATISTICS}{figure}"
        drawn = researcher.get(f"{address}.svg?theme=dark").content.decode()
        assert words <= set(re.findall(">([^<>]+)</text>", drawn))
        assert "OTHER" not in drawn
        assert researcher.get(f"{address}.png").content.startswith(b"\x89PNG")
        assert researcher.get(f"{address}.svg?gold=none").status_code == 400

    def test_file_corpus_and_the_command_for_files_count_the_same(
        self, db: None, tmp_path: Path, capsys: Capture
    ) -> None:
        gold, source = tmp_path / "gold.m2", tmp_path / "source"
        gold.write_text(EDITS)
        source.write_text("a b c d\na a\n")
        corpus = corpus_with_edits()
        told = []
        for subject in (str(gold), corpus.name):
            call_command("analyse", "corpus-statistics", subject, "--json")
            told.append(json.loads(capsys.readouterr().out))
        call_command("corpus_statistics", "--source", str(source), "--m2", str(gold), "--json")
        assert told[0]["statistics"] == told[1]["statistics"] == json.loads(capsys.readouterr().out)
        assert told[0]["signature"] == told[1]["signature"]
        assert Run.objects.get().corpus == corpus

    def test_texts_without_edits_are_parsed_and_the_signature_says_by_what(
        self, corpus: Corpus, capsys: Capture
    ) -> None:
        call_command("analyse", "corpus-statistics", corpus.name)
        shown = capsys.readouterr().out
        assert "gold:extracted|refs:0-2" in shown
        assert "pipeline:assay_en_ewt" in shown
        assert "VERB:SVA" in shown

    @pytest.mark.parametrize(
        ("language", "gold", "why"),
        [
            ("de", "extracted", "Assay parses English only"),
            ("en", "given", "gold edits should be taken as given, but there are none"),
        ],
    )
    def test_edits_that_cannot_be_had_are_told_of(self, db: None, language: str, gold: str, why: str) -> None:
        corpus = corpus_with_edits(language=language) if gold == "extracted" else small_corpus()
        with pytest.raises(CommandError, match=why):
            call_command("analyse", "corpus-statistics", corpus.name, "--gold", gold)

    def test_a_corpus_without_references_is_told_of(self, researcher: Client, db: None) -> None:
        corpus = small_corpus(sentences=SENTENCES[3:])
        page(researcher, corpus, STATISTICS)
        run_queued_jobs()
        assert "the corpus has no references: import it" in page(researcher, corpus, STATISTICS)


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
