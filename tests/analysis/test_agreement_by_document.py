"""Agreement by document, from its page to its published bundle."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from analysis.analyses.agreement_by_document import AGREEMENT_BY_DOCUMENT, AgreementByDocumentParameters
from annotate.models import Campaign
from tests.analysis.scored_campaigns import result_of
from tests.annotate.samples import campaign_without_texts, small_campaign, small_corpus

ADDRESS = "/campaigns/{}/analyses/agreement-by-document/"


@pytest.fixture
def campaign(db: None) -> Campaign:
    """Of *letter*, anna and ben compare three pairs of outputs; of *report*, nobody compares any."""
    return small_campaign(small_corpus())


def test_documents_have_a_kappa_or_a_reason(campaign: Campaign) -> None:
    result = result_of(AGREEMENT_BY_DOCUMENT, campaign, AgreementByDocumentParameters())
    assert [(each.document, each.kappa.n, each.kappa.reason) for each in result.documents] == [
        ("letter", 3, None),
        ("report", 0, "no two annotators judged the same outputs"),
    ]


def test_the_page_and_its_files_say_the_same(campaign: Campaign, researcher: Client) -> None:
    address = ADDRESS.format(campaign.uuid)
    page = researcher.get(address).content.decode()
    assert "Kappa between annotators is -0.20 in letter" in page
    assert "no two annotators judged the same outputs" in page
    [letter, report] = researcher.get(f"{address}documents.json").json()["rows"]
    assert (letter["document"], letter["sentences"], letter["comparisons"]) == ("letter", 1, 3)
    assert report["kappa"] is None
    assert researcher.get(f"{address}documents.svg").status_code == 200


def test_a_corpus_without_documents_has_nothing_to_compare(db: None, researcher: Client) -> None:
    campaign = campaign_without_texts()
    page = researcher.get(ADDRESS.format(campaign.uuid)).content.decode()
    assert "Import the corpus with documents" in page


def test_the_command_takes_a_campaign_and_refuses_files(
    campaign: Campaign, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("analyse", "agreement-by-document", campaign.name, "--json")
    assert [each["document"] for each in json.loads(capsys.readouterr().out)["documents"]] == [
        "letter",
        "report",
    ]
    with pytest.raises(CommandError, match="names no documents"):
        call_command("analyse", "agreement-by-document", "fixtures/demo/judgments.xml")
