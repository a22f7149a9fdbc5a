"""A trial of a draft: the annotators' screens for an admin, with which nothing is stored."""

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotate.campaigns.lifecycle import launch
from annotate.models import Campaign
from tests.annotate.designs import draft_campaign
from tests.annotate.protocols import filled_in
from tests.annotate.samples import SYSTEMS, small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("protocol")]


@pytest.fixture
def draft() -> Campaign:
    return draft_campaign(small_corpus())


def address(draft: Campaign, number: int) -> str:
    return reverse("try-campaign", args=[draft.uuid, number])


def rows() -> dict[str, int]:
    """The number of rows of each table of the app."""
    return {
        model.__name__: model._default_manager.count()
        for model in apps.get_app_config("annotate").get_models()
    }


def test_nothing_is_written_from_the_first_screen_to_the_end(admin: Client, draft: Campaign) -> None:
    before = rows()
    number = 1
    with CaptureQueriesContext(connection) as queries:
        while "outputs" in (page := admin.get(address(draft, number))).context:
            screen = address(draft, number)
            assert admin.post(screen, {}).status_code == 422, "it is checked as an answer is"
            fields = filled_in(range(1, len(page.context["outputs"]) + 1))
            assert admin.post(screen, fields)["Location"] == address(draft, number + 1)
            assert admin.post(f"{screen}?skip", {"note": "odd"})["Location"] == address(draft, number + 1)
            number += 1
    assert number > 2
    assert "The trial is over" in page.content.decode()
    assert {query["sql"].split()[0] for query in queries} <= {"SELECT", "SAVEPOINT", "RELEASE"}
    assert rows() == before


def test_it_is_marked_as_a_trial_and_names_no_system(admin: Client, draft: Campaign) -> None:
    text = admin.get(address(draft, 1)).content.decode()
    assert "<b>Trial.</b> Nothing is stored." in text
    assert "data-trial" in text
    assert "data-showing" not in text
    assert "data-draft" not in text
    assert not [name for name in SYSTEMS if name in text]


def test_a_page_of_a_draft_leads_to_it(admin: Client, draft: Campaign) -> None:
    assert address(draft, 1) in admin.get(reverse("manage-campaign", args=[draft.uuid])).content.decode()


def test_there_is_no_screen_beyond_the_end(admin: Client, draft: Campaign) -> None:
    assert admin.get(address(draft, 0)).status_code == 404
    assert admin.get(address(draft, 99)).status_code == 404


def test_a_launched_campaign_is_not_tried(admin: Client, draft: Campaign) -> None:
    launch(draft, progress=lambda stored: None)
    page = admin.get(address(draft, 1), follow=True)
    assert "Only a draft can be tried" in page.content.decode()


def test_a_draft_that_cannot_be_drawn_says_why(admin: Client, draft: Campaign) -> None:
    draft.design.items = 99
    draft.design.save()
    page = admin.get(address(draft, 1), follow=True)
    assert "There is nothing to try yet: 99 sentences asked for" in page.content.decode()
