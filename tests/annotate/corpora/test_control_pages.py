"""An admin makes controls; their errors can be downloaded."""

import csv
from io import StringIO

from django.test import Client

from annotate.corpora.adding_controls import make_controls
from annotate.models import Corpus, System
from jobs.models import Job
from jobs.worker import run_queued_jobs
from tests.annotate.samples import no_progress, sentence, small_corpus


def page(client: Client, corpus: Corpus) -> str:
    return client.get(corpus.get_absolute_url()).content.decode()


def test_an_admin_has_them_made(admin: Client) -> None:
    corpus = small_corpus()
    assert "Make controls" in page(admin, corpus)
    address = f"/corpora/{corpus.uuid}/controls/"
    job = admin.post(address, {"additions": ["reference"]})["Location"]
    run_queued_jobs()
    assert "Added: REFERENCE, SOURCE+ERROR." in admin.get(job).content.decode()
    after = page(admin, corpus)
    assert "Errors in the controls" in after
    assert "(control)" in after
    assert "Make controls" not in after


def test_a_copy_of_the_source_becomes_the_source(admin: Client) -> None:
    corpus = small_corpus()
    corpus.systems.filter(name="INPUT").update(role="system")
    job = admin.post(f"/corpora/{corpus.uuid}/controls/", {"additions": ["source"]})["Location"]
    run_queued_jobs()
    told = "INPUT is identical to the source, and now has that role. Added: SOURCE+ERROR."
    assert told in admin.get(job).content.decode()
    assert "<code>INPUT</code> (source)" in page(admin, corpus)


def test_a_reference_is_offered_only_where_there_are_some(admin: Client) -> None:
    assert "as system REFERENCE" in page(admin, small_corpus())
    assert "as system REFERENCE" not in page(
        admin, small_corpus("bare", sentences=[sentence("He go .", "He goes .", "He went .", "")])
    )


def test_researchers_see_them_and_cannot_make_any(researcher: Client) -> None:
    corpus = small_corpus()
    assert "Make controls" not in page(researcher, corpus)
    assert researcher.post(f"/corpora/{corpus.uuid}/controls/").status_code == 403
    assert not Job.objects.exists()
    make_controls(corpus=corpus, seed=1, progress=no_progress)
    assert "Errors in the controls" in page(researcher, corpus)


def test_an_invalid_request_starts_no_job(admin: Client) -> None:
    admin.post(f"/corpora/{small_corpus().uuid}/controls/", {"additions": "system"})
    assert not Job.objects.exists()


def test_a_refusal_is_told_on_the_page_of_the_job(admin: Client) -> None:
    corpus = small_corpus()
    System.objects.filter(name="Alder").update(name="SOURCE+ERROR")
    job = admin.post(f"/corpora/{corpus.uuid}/controls/")["Location"]
    run_queued_jobs()
    assert "already has a system SOURCE+ERROR" in admin.get(job).content.decode()


def test_the_table_names_sentence_kind_and_place(researcher: Client) -> None:
    corpus = small_corpus(sentences=[sentence("=SUM(A1) are big .", "=SUM(A1) is big .", "", "")])
    make_controls(corpus=corpus, seed=1, progress=no_progress)
    response = researcher.get(f"/corpora/{corpus.uuid}/controls.csv")
    assert response["Content-Type"].startswith("text/csv")
    for row in csv.DictReader(StringIO(response.getvalue().decode())):
        assert (row["sentence"], row["system"]) == ("0", "SOURCE+ERROR")
        assert "=SUM(A1) are big ."[int(row["start"]) : int(row["end"])] == row["source_text"].lstrip("'")
        assert row["output"].startswith("'=") or not row["output"].startswith("=")


def test_a_corpus_without_controls_gives_an_empty_table(researcher: Client) -> None:
    response = researcher.get(f"/corpora/{small_corpus().uuid}/controls.csv")
    assert response.getvalue().decode().splitlines() == [
        "sentence,system,kind,start,end,source_text,replacement,output"
    ]
