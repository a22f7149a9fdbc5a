"""An admin adds systems and references to a corpus: files, dry run, confirmation."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from annotate.models import Corpus, Reference, System
from jobs.models import Job
from jobs.worker import run_queued_jobs
from tests.annotate.corpora.test_additions import ELM, scored
from tests.annotate.imports.steps import as_proposed, confirm, plan_page
from tests.annotate.samples import SENTENCES, small_corpus
from tests.annotate.uploading import sent


def address(corpus: Corpus) -> str:
    return f"/corpora/{corpus.uuid}/add/"


def checked(client: Client, corpus: Corpus, **files: Any) -> Job:
    """The finished check of these files."""
    response = client.post(address(corpus), {"absent": "auto", **files})
    assert response.status_code == 302, response.context["form"].errors
    run_queued_jobs()
    return Job.objects.filter(kind="check-upload").latest("pk")


def test_a_late_system_is_looked_at_and_added(admin: Client, waiting_room: Path) -> None:
    corpus = small_corpus("letters")
    assert address(corpus) in admin.get(corpus.get_absolute_url()).content.decode()
    assert "4 sentences" in admin.get(address(corpus)).content.decode()
    check = checked(admin, corpus, systems=[sent("Ulme", ELM)], references=[sent("late.txt", ELM)])
    page = plan_page(admin, check)
    assert "gets 1 system (1 new output, 3 that other systems have produced too) and 4 references" in page
    assert "Add to the corpus" in page
    assert as_proposed(admin, check) == {
        "system-1-family": "",
        "system-1-label": "Ulme",
        "system-1-name": "Ulme",
        "system-1-role": "system",
    }
    assert System.objects.count() == 4
    job = confirm(admin, check, **{"system-1-name": "Elm", "system-1-label": "Ülme"})
    run_queued_jobs()
    assert admin.get(job)["Location"] == corpus.get_absolute_url()
    assert System.objects.get(name="Elm").label == "Ülme"
    assert Reference.objects.filter(annotator="late").count() == 4
    assert list(waiting_room.iterdir()) == []


def test_nothing_new_is_said(admin: Client) -> None:
    alder = "".join(f"{each.outputs['Alder']}\n" for each in SENTENCES)
    check = checked(admin, small_corpus(), systems=[sent("Alder", alder)])
    assert "There is nothing to add" in plan_page(admin, check)


def test_a_faulty_file_is_named_and_the_form_is_corrected(admin: Client, waiting_room: Path) -> None:
    corpus = small_corpus()
    check = checked(admin, corpus, systems=[sent("Elm", "One .\n")])
    page = plan_page(admin, check)
    assert "systems/Elm:2: 1 lines, but 4 in the source corpus small" in page
    assert str(waiting_room) not in page
    form = admin.get(address(corpus), {"correct": str(check.uuid)}).content.decode()
    assert "systems/Elm:2" in form


def test_no_file_at_all(admin: Client) -> None:
    response = admin.post(address(small_corpus()), {"absent": "auto"})
    assert "Give a file of outputs or of references." in response.content.decode()


def test_a_copy_of_the_source_is_an_ordinary_system_where_there_is_a_source(admin: Client) -> None:
    source = "".join(f"{each.source}\n" for each in SENTENCES)
    check = checked(admin, small_corpus(), systems=[sent("Copy", source)])
    assert as_proposed(admin, check)["system-1-role"] == "system"


def test_names_in_other_scripts(admin: Client) -> None:
    corpus = small_corpus()
    check = checked(admin, corpus, systems=[sent("榆树.txt", ELM), sent("Ульм.txt", ELM)])
    confirm(admin, check)
    run_queued_jobs()
    assert set(corpus.systems.exclude(label="").values_list("name", "label")) == {
        ("system-1", "榆树"),
        ("system-2", "Ульм"),
    }


def test_a_label_that_turns_text_around_is_shown_beside_its_field(admin: Client) -> None:
    check = checked(admin, small_corpus(), systems=[sent("Elm", ELM)])
    answer = admin.post(
        f"/imports/{check.uuid}/confirm/", {**as_proposed(admin, check), "system-1-label": "E\u202elm"}
    )
    assert answer.status_code == 422
    assert "U+202E" in answer.content.decode()


def test_more_systems_than_a_corpus_can_have(admin: Client) -> None:
    files = [sent(f"s{number}", ELM) for number in range(501)]
    response = admin.post(address(small_corpus()), {"absent": "auto", "systems": files})
    if response.status_code == 302:
        run_queued_jobs()
        page = plan_page(admin, Job.objects.get(kind="check-upload"))
        assert "501 systems, at most 500 are allowed" in page
    assert System.objects.count() == 4


@pytest.mark.django_db
def test_outdated_scores_are_offered_to_be_computed_anew(admin: Client) -> None:
    corpus = small_corpus()
    scored(corpus, "gleu")
    check = checked(admin, corpus, references=[sent("late.txt", ELM)])
    confirm(admin, check)
    run_queued_jobs()
    scores = f"/corpora/{corpus.uuid}/scores/"
    assert "GLEU does not include them yet" in admin.get(scores).content.decode()
    admin.post(f"{scores}compute/", {"anew": "yes"})
    run_queued_jobs()
    assert "not include them yet" not in admin.get(scores).content.decode()
    assert corpus.score_sets.count() == 2
