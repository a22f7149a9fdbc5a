"""No text of annotators' pages is outside the translations, by any protocol and either kind of link."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from annotate.design.protocols import PROTOCOLS
from annotate.judging.entering import add_annotator, mint_personal_link, mint_shared_link
from annotate.models import Campaign
from tests.annotate import protocols
from tests.annotate.crowds import crowd_of
from tests.annotate.designs import running_campaign
from tests.annotate.judging.at_work import address
from tests.annotate.judging.test_cost_of_every_page import TEXTS, Visitor, practice, walk
from tests.annotate.pseudo import LANGUAGE, marked_locale, unmarked
from tests.annotate.samples import small_corpus

pytestmark = pytest.mark.django_db

NAME = "Pilot 7"
SCALES = ("Grammaticality", "Fluency", "Meaning", "unreadable", "many errors", "a few errors", "no errors")


class Reader(Visitor):
    """A visitor who looks at each page for texts that are not marked."""

    def _checked(self, page: str, ask: Callable[[], Any]) -> Any:
        response = super()._checked(page, ask)
        if "html" in response.headers.get("Content-Type", ""):
            assert unmarked(response.content.decode(), known=(NAME, *SCALES)) == [], page
        return response


@pytest.fixture(autouse=True)
def every_text_marked(tmp_path: Path, settings: Settings) -> None:
    settings.LOCALE_PATHS = [marked_locale(tmp_path)]


@pytest.fixture(params=PROTOCOLS)
def campaign(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Campaign:
    monkeypatch.setattr(protocols, "current", request.param)
    guidelines = practice(request.param)
    return running_campaign(
        small_corpus(sentences=TEXTS),
        NAME,
        items=10,
        with_replacement=False,
        batch_size=5,
        annotators_per_item=2,
        shared_percent=100,
        repeat_percent=0,
        guidelines=guidelines,
        practice_needed=int("practice" in guidelines),
        practice_tries=2,
        interface_language=LANGUAGE,
    )


def test_with_a_shared_link(campaign: Campaign) -> None:
    walk(Reader(campaign, mint_shared_link(campaign)))


def test_with_a_personal_link(campaign: Campaign) -> None:
    walk(Reader(campaign, mint_personal_link(add_annotator(campaign, name="ada"))))


def test_with_an_address_of_a_platform() -> None:
    campaign = running_campaign(small_corpus(), NAME, interface_language=LANGUAGE)
    crowd = crowd_of(campaign, is_open=True)
    arrives = f"/crowd/{crowd.entrance}/?PROLIFIC_PID=w1&SESSION_ID=s1"
    client = Client()
    for response in (
        client.get(f"/crowd/{crowd.entrance}/"),
        client.get(arrives),
        client.post(arrives, {"decline": "1"}),
        client.post(arrives, {"agree": "another text"}),
        client.post(arrives, {"agree": crowd.consent_digest}),
        client.get(f"{address(campaign)}guidelines/"),
        client.get(f"{address(campaign)}end/"),
    ):
        assert unmarked(response.content.decode(), known=(NAME, "Prolific")) == []
