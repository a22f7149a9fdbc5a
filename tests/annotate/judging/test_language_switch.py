"""Annotators choose another language than the campaign's for their pages."""

import pytest
from django.test import Client

from annotate.judging.entering import add_annotator, mint_personal_link, mint_shared_link
from annotate.models import Annotator, Campaign
from tests.annotate.crowds import crowd_of
from tests.annotate.designs import running_campaign
from tests.annotate.judging.at_work import address
from tests.annotate.samples import small_corpus

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    return running_campaign(small_corpus(), interface_language="de", guidelines="Rank.")


@pytest.fixture
def ada(campaign: Campaign) -> Annotator:
    return add_annotator(campaign, name="ada")


def entered(annotator: Annotator, client: Client | None = None) -> Client:
    client = client or Client()
    client.post(f"/join/{mint_personal_link(annotator)}/")
    return client


def page_of(client: Client, campaign: Campaign) -> str:
    return client.get(address(campaign, "guidelines")).content.decode()


def test_a_choice_stays_with_the_annotator(campaign: Campaign, ada: Annotator) -> None:
    client = entered(ada)
    assert "Bevor Sie beginnen" in page_of(client, campaign)
    back = address(campaign, "guidelines")
    reply = client.post(address(campaign, "language"), {"language": "ar", "back": back})
    assert reply["Location"] == back
    assert '<html lang="ar" dir="rtl">' in page_of(client, campaign)
    assert 'aria-current="true"><bdi>العربية</bdi>' in page_of(client, campaign)
    elsewhere = entered(ada)
    assert "قبل أن تبدأ" in page_of(elsewhere, campaign)
    other = entered(add_annotator(campaign, name="ben"))
    assert "Bevor Sie beginnen" in page_of(other, campaign)
    assert Campaign.objects.get().design.interface_language == "de"


@pytest.mark.parametrize("back", ["", "https://example.org/", "//example.org/", "/campaigns/"])
def test_it_leads_back_to_pages_of_the_campaign_only(campaign: Campaign, ada: Annotator, back: str) -> None:
    reply = entered(ada).post(address(campaign, "language"), {"language": "es", "back": back})
    assert reply["Location"] == address(campaign)


@pytest.mark.parametrize("tag", ["", "fr", "de-AT", "x" * 50])
def test_only_complete_languages_are_chosen(campaign: Campaign, ada: Annotator, tag: str) -> None:
    client = entered(ada)
    client.post(address(campaign, "language"), {"language": tag})
    assert Annotator.objects.get().interface_language == ""
    assert "Bevor Sie beginnen" in page_of(client, campaign)


def test_only_the_annotator_chooses(campaign: Campaign, ada: Annotator, admin: Client) -> None:
    for client in (Client(), admin):
        assert client.post(address(campaign, "language"), {"language": "es"}).status_code == 403
    assert entered(ada).get(address(campaign, "language")).status_code == 405
    assert Annotator.objects.get().interface_language == ""


def test_a_forged_form_is_refused_in_the_language_of_the_campaign(campaign: Campaign, ada: Annotator) -> None:
    client = entered(ada)
    client.handler.enforce_csrf_checks = True
    reply = client.post(address(campaign, "language"), {"language": "es"})
    assert reply.status_code == 403
    assert "Dieses Formular war zu lange offen" in reply.content.decode()
    assert Annotator.objects.get().interface_language == ""


@pytest.mark.parametrize("shared", [True, False])
def test_a_language_is_chosen_before_entering(campaign: Campaign, ada: Annotator, *, shared: bool) -> None:
    client = Client()
    join = f"/join/{mint_shared_link(campaign) if shared else mint_personal_link(ada)}/"
    assert 'href="?language=ar"' in client.get(join).content.decode()
    assert "ابدأ" in client.get(f"{join}?language=ar").content.decode()
    client.post(f"{join}?language=ar", {"key": "1"})
    assert "قبل أن تبدأ" in page_of(client, campaign)
    assert "ابدأ" in Client().get(join).content.decode() or shared


def test_workers_of_a_platform_choose_on_the_page_of_consent(campaign: Campaign) -> None:
    crowd = crowd_of(campaign, is_open=True)
    arrives = f"/crowd/{crowd.entrance}/?PROLIFIC_PID=w1&SESSION_ID=s1"
    client = Client()
    assert "PROLIFIC_PID=w1&amp;SESSION_ID=s1&amp;language=ar" in client.get(arrives).content.decode()
    assert "أوافق، ابدأ" in client.get(f"{arrives}&language=ar").content.decode()
    client.post(f"{arrives}&language=ar", {"agree": crowd.consent_digest})
    assert "قبل أن تبدأ" in page_of(client, campaign)


def test_the_login_page_of_annotators(campaign: Campaign) -> None:
    page = Client().get("/login/", {"next": address(campaign)}).content.decode()
    assert "<h1>Anmelden</h1>" in page
    assert "Benutzername" in page
    wrong = Client().post("/login/", {"username": "x", "password": "y", "next": address(campaign)})
    assert "Name und Passwort passen nicht zusammen." in wrong.content.decode()
    for elsewhere in ("", f"/campaigns/{campaign.uuid}/manage/", "https://example.org/"):
        assert "<h1>Log in</h1>" in Client().get("/login/", {"next": elsewhere}).content.decode()


def test_a_new_crowd_has_a_consent_in_the_language_of_the_campaign(campaign: Campaign, admin: Client) -> None:
    page = admin.get(f"/campaigns/{campaign.uuid}/crowd/").content.decode()
    assert "Es sind keine Risiken bekannt." in page
    assert "- Die Teilnahme ist freiwillig." in page
