"""The guidelines are shown once before the first screen, with the expected time."""

from collections.abc import Callable

import pytest
from django.test import Client

from annotate.judging.entering import add_annotator, mint_personal_link, mint_shared_link
from annotate.judging.exclusions import exclude
from annotate.judging.work_time import duration
from annotate.models import Annotator, Campaign, CampaignState, User
from tests.annotate.crowds import crowd_of
from tests.annotate.design.test_practice import GUIDELINES as WITH_PRACTICE
from tests.annotate.designs import running_campaign
from tests.annotate.samples import small_corpus

pytestmark = pytest.mark.django_db

GUIDELINES = "# What counts\n\nBe *fair* <b>always</b>."


@pytest.fixture
def campaign() -> Campaign:
    return running_campaign(small_corpus(), guidelines=GUIDELINES, batch_size=4)


def by_personal_link(client: Client, campaign: Campaign) -> None:
    client.post(f"/join/{mint_personal_link(add_annotator(campaign, name='ada'))}/")


def by_shared_link(client: Client, campaign: Campaign) -> None:
    client.post(f"/join/{mint_shared_link(campaign)}/")


def by_account(client: Client, campaign: Campaign) -> None:
    user = User.objects.create_user("ada")
    add_annotator(campaign, name="ada", user=user)
    client.force_login(user)


def from_a_crowd(client: Client, campaign: Campaign) -> None:
    crowd = crowd_of(campaign, batches_per_visit=3)
    address = f"/crowd/{crowd.entrance}/?PROLIFIC_PID=w1&SESSION_ID=s1&STUDY_ID=study"
    client.post(address, {"agree": crowd.consent_digest})


def work_of(campaign: Campaign) -> str:
    return f"/judge/{campaign.uuid}/"


def guidelines_of(campaign: Campaign) -> str:
    return f"/judge/{campaign.uuid}/guidelines/"


def words(client: Client, campaign: Campaign) -> str:
    return " ".join(client.get(guidelines_of(campaign)).content.decode().split())


@pytest.mark.parametrize("way_in", [by_personal_link, by_shared_link, by_account, from_a_crowd])
def test_they_come_once_whichever_way_one_came_in(
    campaign: Campaign, way_in: Callable[[Client, Campaign], None]
) -> None:
    client = Client()
    way_in(client, campaign)
    for _ in range(2):
        assert client.get(work_of(campaign))["Location"] == guidelines_of(campaign)
    page = words(client, campaign)
    assert "Be <em>fair</em> &lt;b&gt;always" in page
    assert client.post(guidelines_of(campaign))["Location"] == work_of(campaign)
    assert "data-showing" in client.get(work_of(campaign), follow=True).content.decode()


@pytest.mark.parametrize("guidelines", ["", " ", "```practice\nA .\n1 | B .\n2 | C .\n```"])
def test_without_words_there_is_no_such_page(guidelines: str) -> None:
    campaign = running_campaign(small_corpus(), guidelines=guidelines)
    client = Client()
    by_personal_link(client, campaign)
    assert "/guidelines/" not in client.get(work_of(campaign)).headers.get("Location", "")
    assert client.get(guidelines_of(campaign))["Location"] == work_of(campaign)


def test_practice_follows_and_is_not_given_away() -> None:
    campaign = running_campaign(small_corpus(), guidelines=WITH_PRACTICE)
    client = Client()
    by_personal_link(client, campaign)
    page = words(client, campaign)
    assert "First comes 1 practice item." in page
    assert "Each of the" not in page
    client.post(guidelines_of(campaign))
    assert client.get(work_of(campaign))["Location"].endswith("/practice/1/")


def test_the_time_is_a_guess_until_others_have_answered(campaign: Campaign) -> None:
    client = Client()
    by_personal_link(client, campaign)
    page = words(client, campaign)
    assert "You work in batches of up to 4 screens: about <strong>2 minutes</strong> a batch." in page
    assert "A rough estimate of 30 seconds a screen" in page
    Annotator.objects.create(campaign=campaign, name="ben", answers_sent=60, active_ms=60 * 150_000)
    page = words(client, campaign)
    assert "about <strong>10 minutes</strong> a batch" in page
    assert "Annotators have taken 2 minutes a screen on average here (60 answers)." in page


def test_a_worker_is_told_of_the_visit(campaign: Campaign) -> None:
    Campaign.objects.update(slot_count=100)
    client = Client()
    from_a_crowd(client, campaign)
    assert "This task is up to 12 screens: about <strong>6 minutes</strong>." in words(client, campaign)


def test_of_single_screens_the_time_of_one_is_told() -> None:
    campaign = running_campaign(small_corpus(), guidelines=GUIDELINES, batch_size=1)
    client = Client()
    by_personal_link(client, campaign)
    assert "A screen takes about <strong>30 seconds</strong>." in words(client, campaign)


def test_nobody_reads_guidelines_for_nothing(campaign: Campaign) -> None:
    client = Client()
    by_personal_link(client, campaign)
    Campaign.objects.update(state=CampaignState.PAUSED)
    assert "paused" in client.get(work_of(campaign)).content.decode()
    Campaign.objects.update(state=CampaignState.RUNNING)
    exclude(Annotator.objects.get(), reason="Clicked at random.")
    assert "Thank you for your work" in client.get(work_of(campaign)).content.decode()


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "1 minute"),
        (89, "1 minute"),
        (600, "10 minutes"),
        (700, "10 minutes"),
        (800, "15 minutes"),
        (5100, "85 minutes"),
        (5300, "1.5 hours"),
        (7200, "2 hours"),
    ],
)
def test_times_are_rough(seconds: float, said: str) -> None:
    assert duration(seconds) == said
