"""A live warning to admins about annotators who answer faster than anybody reads."""

import pytest
from django.test import Client

from annotate.judging.hasty import hasty_annotators
from annotate.models import Annotator, Campaign
from tests.annotate.running import cast, running

pytestmark = [pytest.mark.django_db, pytest.mark.any_protocol]


@pytest.fixture
def campaign() -> Campaign:
    """Three annotators by their counts: too fast, fast, and too fast on too few screens to tell."""
    campaign = running()
    for annotator, screens, seconds in zip(
        cast(campaign, "anna ben cleo"), (5, 50, 4), (0.4, 3, 0.4), strict=True
    ):
        Annotator.objects.filter(pk=annotator.pk).update(
            complete=screens, answers_sent=screens, active_ms=1000 * seconds * screens
        )
    return campaign


def test_they_are_found_by_stored_numbers(campaign: Campaign) -> None:
    found = hasty_annotators(campaign, campaign.annotators.all())
    assert [(each.annotator.name, each.seconds, each.screens) for each in found.annotators] == [
        ("anna", 0.4, 5)
    ]
    # Sentences of a few words, and two keys.
    assert 0.5 < found.least < 1


def test_who_is_excluded_is_left_alone(campaign: Campaign) -> None:
    anna = campaign.annotators.get(name="anna")
    anna.excluded_at = campaign.created_at
    assert not hasty_annotators(campaign, [anna]).annotators


@pytest.mark.parametrize("place", ["manage", "quality"])
def test_overview_and_quality_page_warn_admins(admin: Client, campaign: Campaign, place: str) -> None:
    page = admin.get(f"/campaigns/{campaign.uuid}/{place}/").content.decode()
    assert "Faster than anybody reads" in page
    assert "(0.4 s on 5 screens)" in page
    assert f'href="/campaigns/{campaign.uuid}/quality/">Look at their work' in page or place == "quality"


def test_nobody_is_warned_about_where_all_take_their_time(admin: Client, campaign: Campaign) -> None:
    campaign.annotators.update(active_ms=1_000_000)
    assert "Faster than" not in admin.get(f"/campaigns/{campaign.uuid}/manage/").content.decode()
