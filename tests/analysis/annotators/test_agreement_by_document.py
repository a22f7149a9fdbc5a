"""Agreement by document."""

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from analysis.analyses.annotators.agreement_by_document import (
    AGREEMENT_BY_DOCUMENT,
    DOCUMENTS,
    AgreementByDocument,
    AgreementByDocumentParameters,
    draw,
    note,
)
from annotate.models import Campaign
from core.names import Naming
from core.results import Computed
from ranking import DocumentAgreement, Kappa
from tests.analysis.scored_campaigns import result_of
from tests.annotate.samples import campaign_without_texts

pytestmark = pytest.mark.any_database

ADDRESS = "/campaigns/{}/analyses/agreement-by-document/"


def test_documents_have_a_kappa_or_a_reason(campaign: Campaign) -> None:
    """Of *letter*, anna and ben compare three pairs of outputs; of *report*, nobody compares any."""
    result = result_of(AGREEMENT_BY_DOCUMENT, campaign, AgreementByDocumentParameters())
    assert [(each.document, each.kappa.n, each.kappa.reason) for each in result.documents] == [
        ("letter", 3, None),
        ("report", 0, "no two annotators judged the same outputs"),
    ]


def test_the_page_names_the_document_or_gives_the_reason(campaign: Campaign, researcher: Client) -> None:
    address = ADDRESS.format(campaign.uuid)
    page = researcher.get(address).content.decode()
    assert "Kappa between annotators is -0.20 in letter" in page
    assert "no two annotators judged the same outputs" in page


def test_a_corpus_without_documents_has_nothing_to_compare(db: None, researcher: Client) -> None:
    campaign = campaign_without_texts()
    page = researcher.get(ADDRESS.format(campaign.uuid)).content.decode()
    assert "Import the corpus with documents" in page


def test_the_command_refuses_files() -> None:
    with pytest.raises(CommandError, match="names no documents"):
        call_command("analyse", "agreement-by-document", "fixtures/demo/judgments.xml")


MANY = Naming("many", {}, {}, {})


def of_documents(number: int) -> Computed:
    documents = tuple(
        DocumentAgreement(f"d{place:03}", 9, Kappa(place / 1000, 9, 0.5, 0.5, None), None, None)
        for place in reversed(range(number))
    )
    return Computed(AgreementByDocumentParameters(), AgreementByDocument("", documents))


def test_a_figure_of_many_documents_has_those_of_the_lowest_kappas() -> None:
    drawn = draw(of_documents(150), MANY, "wide").to_dict()
    [rows] = drawn["datasets"].values()
    assert [row["document"] for row in rows] == [f"d{number:03}" for number in range(100)]
    assert drawn["title"] == "many: agreement by document, the lowest 100 of 150"


def test_a_page_of_many_documents_lists_those_of_the_lowest_kappas_and_the_files_list_all() -> None:
    computed = of_documents(150)
    table = DOCUMENTS.of(computed, MANY)
    assert [row[0].value for row in table.page().rows] == [f"d{number:03}" for number in range(100)]
    assert note(computed, MANY) == "The 100 of 150 documents with the lowest kappas; the files hold all."
    everything = [f"d{number:03}" for number in range(150)]
    assert [row["document"] for row in table.records()] == everything
    assert "".join(table.csv()).count("\n") == 151
    assert sum(line.startswith("d") for line in table.latex()) == 150
    assert note(of_documents(100), MANY) == ""
