"""Annotators' pages are in the language of the campaign; all others, and all that is stored, in English."""

from typing import Any
from uuid import uuid4

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.utils import translation

from analysis.releases.designs import design_text
from annotate.campaigns.forms import CampaignForm
from annotate.campaigns.usual_designs import usual_design
from annotate.design.protocols import PROTOCOLS
from annotate.judging.entering import add_annotator, mint_personal_link, mint_shared_link
from annotate.models import Campaign, CampaignState, Revision
from tests.annotate.crowds import crowd_of
from tests.annotate.designs import draft_campaign, running_campaign
from tests.annotate.judging.at_work import JSON, address
from tests.annotate.protocols import filled_in
from tests.annotate.samples import small_corpus

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign() -> Campaign:
    return running_campaign(small_corpus(language="sv"), interface_language="de")


@pytest.fixture
def entered(campaign: Campaign) -> Client:
    client = Client()
    client.post(f"/join/{mint_personal_link(add_annotator(campaign, name='ada'))}/")
    return client


def screen(client: Client, campaign: Campaign) -> Any:
    response = client.get(address(campaign))
    while response.status_code == 302:
        response = client.get(response["Location"])
    return response


def test_the_page_of_a_link(campaign: Campaign) -> None:
    response = Client().get(f"/join/{mint_shared_link(campaign)}/")
    page = response.content.decode()
    assert "Waren Sie schon hier?" in page
    assert '<html lang="de">' in page
    assert response["Content-Language"] == "de"


def test_a_screen_with_texts_in_their_own_language(entered: Client, campaign: Campaign) -> None:
    response = screen(entered, campaign)
    page = response.content.decode()
    assert "Absenden" in page
    assert 'aria-label="In diesem Block beantwortet"' in page
    assert '<div class="source-in-context" lang="sv">' in page
    assert response["Content-Language"] == "de"


def test_refusals_and_the_next_screen_for_scripts(entered: Client, campaign: Campaign) -> None:
    shown = screen(entered, campaign).context
    page = address(campaign, shown["showing"].uuid)
    refused = entered.post(page, {"key": str(uuid4()), "revises": "0"}, headers=JSON)
    assert refused.json()["fault"].startswith(("Es fehlt noch", "Noch zu", "Sagen Sie"))
    ranks = range(1, len(shown["outputs"]) + 1)
    fields = {"key": str(uuid4()), "revises": "0", **filled_in(ranks)}
    reply = entered.post(page, fields, headers=JSON).json()
    assert "Überspringen" in reply["screen"]


def test_a_reason_to_skip_is_stored_in_english(entered: Client, campaign: Campaign) -> None:
    shown = screen(entered, campaign)
    assert ">Verstörender Inhalt <kbd" in shown.content.decode()
    showing = shown.context["showing"].uuid
    entered.post(
        address(campaign, showing, "skip"),
        {"key": str(uuid4()), "revises": "0", "reason": "Upsetting content"},
    )
    stored = Revision.objects.get(judgment__state="skipped")
    assert stored.note == "Upsetting content"
    again = entered.get(address(campaign, showing))
    assert "„<bdi>Verstörender Inhalt</bdi>“" in again.content.decode()


def test_the_end_and_dates(entered: Client, campaign: Campaign) -> None:
    shown = screen(entered, campaign).context
    ranks = range(1, len(shown["outputs"]) + 1)
    fields = {"key": str(uuid4()), "revises": "0", **filled_in(ranks)}
    entered.post(address(campaign, shown["showing"].uuid), fields)
    Revision.objects.update(submitted_at="2026-03-05T14:07:00Z")
    assert "5. Mär, 14:07" in entered.get(address(campaign, "answers")).content.decode()
    Campaign.objects.update(state=CampaignState.CLOSED)
    assert "Die Kampagne ist beendet" in screen(entered, campaign).content.decode()


def test_an_ended_session(campaign: Campaign) -> None:
    response = Client().get(address(campaign))
    assert "Öffnen Sie Ihren Link noch einmal" in response.content.decode()
    again = Client().post(address(campaign, "come-back"), {"code": "x"}, headers=JSON)
    assert again.json() == {"fault": "Zu diesem Link oder Code gehört hier niemand."}


def test_workers_of_a_platform(campaign: Campaign) -> None:
    crowd = crowd_of(campaign, is_open=True)
    entrance = f"/crowd/{crowd.entrance}/"
    assert "Unvollständige Adresse" in Client().get(entrance).content.decode()
    query = {"PROLIFIC_PID": "w1", "SESSION_ID": "s1"}
    assert "Ich stimme zu: beginnen" in Client().get(entrance, query).content.decode()


def test_a_missing_page_below_a_campaign(entered: Client, campaign: Campaign) -> None:
    assert "Seite nicht gefunden" in entered.get(address(campaign, uuid4())).content.decode()


def test_other_pages_stay_english(entered: Client, campaign: Campaign, admin: Client) -> None:
    screen(entered, campaign)
    assert translation.get_language() == "en-gb"
    for page in (f"/campaigns/{campaign.uuid}/manage/", "/", "/nowhere/"):
        response = admin.get(page)
        assert 'lang="en-gb"' in response.content.decode()
        assert response["Content-Language"] == "en-gb"


def test_the_trial_of_a_draft_is_as_annotators_see_it(admin: Client) -> None:
    draft = draft_campaign(small_corpus(), interface_language="de")
    page = admin.get(f"/campaigns/{draft.uuid}/try/1/").content.decode()
    assert "Absenden" in page
    assert '<p class="trial" lang="en" dir="ltr">' in page


@pytest.mark.parametrize(
    ("screens", "words"),
    [(1, "1 obrazovku."), (2, "2 obrazovky."), (5, "5 obrazovek."), (22, "22 obrazovek.")],
)
def test_czech_has_three_forms_of_number(screens: int, words: str) -> None:
    with translation.override("cs"):
        said = render_to_string(
            "annotate/judging/_answered_so_far.html",
            {"annotator": {"answered": screens, "skipped": 0 if screens else 3}},
        )
    assert said == f"Zodpověděli jste {words}"


@pytest.mark.parametrize(
    ("language", "usual"), [("de", "de"), ("de-AT", "de"), ("en", "en"), ("is", "en"), ("und", "en")]
)
def test_a_new_campaign_has_the_language_of_its_corpus(language: str, usual: str) -> None:
    [protocol, *_] = PROTOCOLS.values()
    assert usual_design(protocol, small_corpus(language=language), 3).interface_language == usual


def test_only_complete_languages_are_offered() -> None:
    [protocol, *_] = PROTOCOLS.values()
    field = CampaignForm(small_corpus(), protocol).fields["interface_language"]
    assert [tag for tag, _ in field.choices] == ["en", "cs", "de", "es", "ar"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("screens", "words"),
    [
        (0, "لم تجب عن أي شاشة وتخطيت 3."),
        (1, "أجبت عن شاشة واحدة."),
        (2, "أجبت عن شاشتين."),
        (3, "أجبت عن 3 شاشات."),
        (11, "أجبت عن 11 شاشة."),
        (100, "أجبت عن 100 شاشة."),
        (103, "أجبت عن 103 شاشات."),
    ],
)
def test_arabic_has_six_forms_of_number(screens: int, words: str) -> None:
    with translation.override("ar"):
        said = render_to_string(
            "annotate/judging/_answered_so_far.html",
            {"annotator": {"answered": screens, "skipped": 0 if screens else 3}},
        )
    assert said == words


def test_arabic_pages_run_from_right_to_left() -> None:
    campaign = running_campaign(small_corpus(), interface_language="ar")
    page = Client().get(f"/join/{mint_shared_link(campaign)}/").content.decode()
    assert '<html lang="ar" dir="rtl">' in page
    assert "css/letters/arabic.css" in page


def test_the_design_states_it(campaign: Campaign) -> None:
    assert '"interface_language": "de"' in design_text([campaign], with_secret=False)
