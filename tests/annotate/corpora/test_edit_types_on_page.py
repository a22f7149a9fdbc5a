"""Types of edits on the page of a corpus: labelling, showing and filtering."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from annotate import tasks
from annotate.corpora import forms, labelling
from annotate.corpora.adding_controls import make_controls
from annotate.models import Corpus, EditLabels
from jobs.models import Job
from jobs.queue import cancel
from jobs.worker import run_queued_jobs
from tests.annotate.labelled import ToyExtraction, ToyPipeline, label
from tests.annotate.samples import no_progress, sentence, small_corpus

GOES = (
    'She <ins title="instead of: go">goes<span class="unseen"> (instead of: go)</span></ins>'
    '<span class="edit-type" title="changed subject-verb agreement">R:VERB:SVA'
    '<span class="unseen"> (changed subject-verb agreement)</span></span> home .'
)


@pytest.fixture
def toy_errant(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs label without a parser."""
    monkeypatch.setattr(labelling, "Extraction", ToyExtraction)
    monkeypatch.setattr(tasks, "english_pipeline", ToyPipeline)


def page(client: Client, corpus: Corpus, query: str = "") -> str:
    return client.get(f"{corpus.get_absolute_url()}{query}").content.decode()


def shown_on(text: str) -> list[int]:
    return [number for number in range(4) if f'id="sentence-{number}"' in text]


@pytest.mark.parametrize("who", ["researcher", "admin"])
def test_they_are_labelled_at_a_button(who: str, request: pytest.FixtureRequest, toy_errant: None) -> None:
    client: Client = request.getfixturevalue(who)
    corpus = small_corpus()
    before = page(client, corpus)
    assert "Label edits" in before
    assert "edit-type" not in before.replace('id="edit-types"', "")
    assert 'name="outcome"' not in before
    job = client.post(f"/corpora/{corpus.uuid}/edits/")["Location"]
    assert "Edits are being labelled" in page(client, corpus)
    run_queued_jobs()
    assert "14 edits of 11 outputs and 4 references." in client.get(job).content.decode()
    after = page(client, corpus)
    assert after.count(GOES) == 2  # an output and a reference
    assert "<dt>R:VERB:SVA</dt><dd>changed subject-verb agreement</dd>" in after
    assert "pipeline:toy-1" in after
    assert "Label edits" not in after


def test_annotators_label_nothing(annotator: Client) -> None:
    assert annotator.post(f"/corpora/{small_corpus().uuid}/edits/").status_code == 403
    assert not Job.objects.exists()


def test_a_second_request_is_the_same_job(researcher: Client) -> None:
    address = f"/corpora/{small_corpus().uuid}/edits/"
    assert researcher.post(address)["Location"] == researcher.post(address)["Location"]


def test_outputs_that_came_later_are_offered(researcher: Client) -> None:
    corpus = small_corpus()
    label(corpus)
    assert "Label edits" not in page(researcher, corpus)
    make_controls(corpus=corpus, seed=1, progress=no_progress)
    later = page(researcher, corpus)
    assert "Label edits" in later
    assert "4 outputs without types yet" in later


def test_interrupted_labelling_can_be_continued(researcher: Client) -> None:
    corpus = small_corpus()
    label(corpus)
    EditLabels.objects.update(is_whole=False)
    researcher.post(f"/corpora/{corpus.uuid}/edits/")
    cancel(Job.objects.get())
    assert "Label edits" in page(researcher, corpus)


def test_a_corpus_in_another_language_has_types_by_form(researcher: Client) -> None:
    corpus = small_corpus(language="de")
    assert "gets a type by its form" in page(researcher, corpus)
    researcher.post(f"/corpora/{corpus.uuid}/edits/")
    run_queued_jobs()
    assert "R:SPELL" in page(researcher, corpus)
    assert "as defined by ERRANT" not in page(researcher, corpus)


def test_running_text_without_blanks_offers_none(researcher: Client) -> None:
    corpus = small_corpus(language="zh")
    assert "Edit types" not in page(researcher, corpus)
    job = researcher.post(f"/corpora/{corpus.uuid}/edits/")["Location"]
    run_queued_jobs()
    assert "are not tokenised" in researcher.get(job).content.decode()


def test_a_corpus_that_is_gone_is_told(researcher: Client) -> None:
    corpus = small_corpus()
    job = researcher.post(f"/corpora/{corpus.uuid}/edits/")["Location"]
    corpus.delete()
    run_queued_jobs()
    assert "The corpus has been deleted." in researcher.get(job).content.decode()


@pytest.mark.parametrize(
    ("query", "shown", "words"),
    [
        ("?type=R:CONJ", [3], "a system or a reference makes an edit of type R:CONJ (replaced conjunction)"),
        (
            "?system=Alder&outcome=missed",
            [0],
            "a reference makes an edit, and Alder does not make the same edit",
        ),
        (
            "?system=Cedar&outcome=wrong&annotator=0",
            [0],
            "Cedar makes an edit, and the reference of 0 does not make the same edit",
        ),
        ("?type=R:VERB:SVA&system=Birch&document=report", [3], "Birch makes an edit of type R:VERB:SVA"),
    ],
)
def test_sentences_are_shown_by_their_edits(
    researcher: Client, query: str, shown: list[int], words: str
) -> None:
    corpus = small_corpus()
    label(corpus)
    text = page(researcher, corpus, query)
    assert shown_on(text) == shown
    assert f"Sentences in which {words}" in text


def test_the_selected_edit_stands_out(researcher: Client) -> None:
    corpus = small_corpus()
    corpus.systems.filter(name="Cedar").update(label="Zeder")
    label(corpus)
    text = page(researcher, corpus, "?type=R:VERB:SVA&system=Cedar&outcome=missed&annotator=0")
    assert "and Zeder does not make the same edit" in text
    assert 'class="edit-type asked" title="changed subject-verb agreement"' in text
    assert '<span class="asked"><bdi title="Cedar">Zeder</bdi></span>' in text
    assert "<details open>" in text


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ("?outcome=missed", "Choose the system that misses the edit."),
        ("?type=R:CHEESE", "“R:CHEESE” is not one of the choices."),
        ("?system=Nobody", "“Nobody” is not one of the choices."),
    ],
)
def test_a_filter_that_makes_no_sense_says_so(researcher: Client, query: str, fault: str) -> None:
    corpus = small_corpus()
    label(corpus)
    text = page(researcher, corpus, query)
    assert fault in text
    assert shown_on(text) == [0, 1, 2, 3]


def test_one_of_many_annotators_is_typed(researcher: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = small_corpus()
    label(corpus)
    assert '<select name="annotator"' in page(researcher, corpus)
    monkeypatch.setattr(forms, "MOST_ANNOTATORS", 1)
    assert '<input type="text" name="annotator"' in page(researcher, corpus)


def test_queries_do_not_grow_with_the_sentences(
    researcher: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in (3, 30):
        many = [sentence(f"Number {n} .", f"Number {n} !", f"Number {n} ?") for n in range(number)]
        corpus = small_corpus(f"of {number}", sentences=many)
        label(corpus)
        with django_assert_num_queries(15):
            page(researcher, corpus, "?system=Alder&outcome=made")


def test_annotators_texts_are_text(researcher: Client) -> None:
    corpus = small_corpus(sentences=[sentence("He go .", "He <script>alert(1)</script> .")])
    label(corpus)
    assert "<script>alert" not in page(researcher, corpus)
