"""Edits that people accepted become references, and an M2 file."""

import pytest
from django.test import Client

from annotate.models import Campaign, CollectedReference, Corpus, Reference, ReferenceSet
from annotate.references.collecting import (
    ReferencesRefusedError,
    make_accepted_references,
    remove_references,
)
from jobs.worker import run_queued_jobs
from tests.analysis.campaigns_of_edits import ACCEPTED, REJECTED, campaign_of_edits
from tests.annotate.samples import no_progress, small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def verdict(judge: str, sentence: int, systems: tuple[str, ...], question: int) -> str:
    """The second edit of an output is wrong, and ben takes every first one for wrong."""
    return REJECTED if question or judge == "ben" else ACCEPTED


@pytest.fixture
def corpus() -> Corpus:
    return small_corpus(language="de")


@pytest.fixture
def campaign(corpus: Corpus) -> Campaign:
    return campaign_of_edits(corpus, verdict=verdict)


def collected() -> list[tuple[int, str, str, list[str]]]:
    rows = CollectedReference.objects.order_by("reference__sentence", "reference__annotator")
    columns = ("reference__sentence__position", "reference__annotator", "reference__text", "systems")
    return list(rows.values_list(*columns))


def test_sentences_with_accepted_edits_only_become_references(corpus: Corpus, campaign: Campaign) -> None:
    made = make_accepted_references(campaign, by=None, progress=no_progress)
    assert collected() == [
        (1, "valid-1", "I have two cat .", ["Alder", "Birch"]),
        (1, "valid-2", "", ["Cedar"]),
        (3, "valid-1", "He likes tea <b> & cake .", ["Alder", "Birch"]),
    ], "those that a reference contains are left out, and so are equal ones"
    assert made.origin == "judged"
    with pytest.raises(ReferencesRefusedError, match="No correction was accepted in 'of edits' that"):
        make_accepted_references(campaign, by=None, progress=no_progress)
    remove_references(made, by=None, progress=no_progress)
    assert not Reference.objects.filter(annotator__startswith="valid").exists()


def test_admins_make_them_by_a_click(admin: Client, researcher: Client, campaign: Campaign) -> None:
    page = f"/campaigns/{campaign.uuid}/analyses/edits/"
    assert "Make references of accepted edits" not in researcher.get(page).content.decode()
    assert "Make references of accepted edits" in admin.get(page).content.decode()
    address = f"/campaigns/{campaign.uuid}/references/"
    assert researcher.post(address).status_code == 403
    assert admin.post(address).status_code == 302
    run_queued_jobs()
    assert ReferenceSet.objects.get().size == 3


def test_researchers_download_the_accepted_edits_as_m2(researcher: Client, campaign: Campaign) -> None:
    page = researcher.get(f"/campaigns/{campaign.uuid}/analyses/edits/").content.decode()
    address = f"/campaigns/{campaign.uuid}/corrections.m2"
    assert address in page
    response = researcher.get(address)
    text = b"".join(response.streaming_content).decode()  # type: ignore[attr-defined]
    assert "S She go home ." in text
    assert "A 1 2|||R:OTHER|||goes|||REQUIRED|||-NONE-|||" in text
    assert "anna" not in text, "annotators appear by pseudonym"
    assert researcher.get(f"/campaigns/{campaign.uuid}/corrections.csv").status_code == 404
