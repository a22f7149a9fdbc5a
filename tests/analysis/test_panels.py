"""Results so far on the overview of a campaign, and flags on the home page: from stored runs alone."""

from collections import defaultdict
from unittest.mock import patch

import pytest
from django.test import Client
from django.utils.html import escape

from analysis.models import Run
from analysis.runs import queries
from annotate.models import Campaign, Design
from tests.annotate.references.answers import judging_campaign
from tests.annotate.running import answer_all, cast, running
from tests.annotate.samples import small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def campaign(db: None) -> Campaign:
    """Six items, judged by two annotators."""
    campaign = running("pilot", items=6, annotators_per_item=2, shared_percent=100)
    for annotator in cast(campaign):
        answer_all(annotator)
    return campaign


def overview(admin: Client, campaign: Campaign) -> str:
    return admin.get(f"/campaigns/{campaign.uuid}/manage/").content.decode()


def test_nothing_is_computed_for_it(admin: Client, campaign: Campaign) -> None:
    with patch.object(queries, "_computed_now", side_effect=AssertionError):
        page = overview(admin, campaign)
    assert page.count("Not computed yet.") == 2
    assert page.count(f'action="/campaigns/{campaign.uuid}/ranking/compute/"') == 2
    assert not Run.objects.exists()


def test_it_shows_what_the_ranking_page_has_computed(
    admin: Client, researcher: Client, campaign: Campaign
) -> None:
    admin.get(f"/campaigns/{campaign.uuid}/ranking/")
    page = overview(admin, campaign)
    assert "Ranking so far" not in page
    headline = researcher.get(f"/campaigns/{campaign.uuid}/ranking/").context["headline"]
    assert f'<h2 id="ranking-so-far">{escape(headline)}</h2>' in page
    assert page.count("from all answers") == 2
    assert page.count('<circle cx="') == campaign.systems.count()
    assert "Krippendorff" in page


def test_it_says_how_old_a_result_is_and_offers_a_new_one(admin: Client, campaign: Campaign) -> None:
    admin.get(f"/campaigns/{campaign.uuid}/ranking/")
    Run.objects.update(inputs="before", size=3)
    answers = sum(campaign.annotators.values_list("answers_sent", flat=True))
    page = overview(admin, campaign)
    assert page.count(escape(f"{answers - 3} answers or skips came since.")) == 2
    assert page.count("Compute anew</button>") == 2


def test_it_says_that_other_inputs_have_changed(admin: Client, campaign: Campaign) -> None:
    admin.get(f"/campaigns/{campaign.uuid}/ranking/")
    Run.objects.update(inputs="before")
    page = overview(admin, campaign)
    assert page.count("; the inputs have changed since.") == 2
    assert "came since" not in page
    assert page.count("Compute anew</button>") == 2


def test_it_works_before_the_first_answer(admin: Client) -> None:
    page = overview(admin, running("new"))
    assert page.count("once there are answers") == 2


def test_flags_of_the_last_look_are_on_the_home_page(admin: Client, campaign: Campaign) -> None:
    assert "flag" not in admin.get("/").content.decode().partition("<main")[2].replace("flagged", "")
    with patch("analysis.analyses.annotators.quality.reasons_to_look") as reasons:
        reasons.return_value = defaultdict(tuple, {"annotator-1": ("too fast",)})
        admin.get(f"/campaigns/{campaign.uuid}/quality/")
        page = admin.get("/").content.decode()
    assert f'<a class="state flagged" href="/campaigns/{campaign.uuid}/quality/">1 flag</a>' in page


def test_the_home_page_says_who_wins(admin: Client, researcher: Client, campaign: Campaign) -> None:
    assert "finding" not in researcher.get("/").content.decode()
    admin.get(f"/campaigns/{campaign.uuid}/ranking/?unit=pair")
    assert "finding" not in researcher.get("/").content.decode()
    headline = admin.get(f"/campaigns/{campaign.uuid}/ranking/").context["headline"]
    for page in (researcher.get("/"), researcher.get("/?search=pilot")):
        assert f'<span class="sub finding">{escape(headline)}</span>' in page.content.decode()


@pytest.mark.parametrize(("protocol", "analysis"), [("correction", "corrections"), ("validity", "validity")])
def test_a_campaign_without_ratings_has_the_analysis_of_its_answers_in_place_of_a_ranking(
    admin: Client, protocol: str, analysis: str
) -> None:
    campaign = running("asked", protocol=protocol, outputs_per_screen=int(protocol == "validity"))
    page = overview(admin, campaign)
    assert f'href="/campaigns/{campaign.uuid}/analyses/{analysis}/"' in page
    assert "once there are answers" in page
    for rankings in ("Ranking so far", "Agreement so far", ">Ranking</", ">Metrics</"):
        assert rankings not in page, rankings


def test_it_says_what_people_found_valid_once_that_is_computed(admin: Client) -> None:
    campaign = judging_campaign(small_corpus())
    Campaign.objects.filter(pk=campaign.pk).update(state="closed")
    Design.objects.create(campaign=campaign, outputs_per_screen=1)
    admin.post(f"/campaigns/{campaign.uuid}/analyses/validity/compute/")
    finding = admin.get(f"/campaigns/{campaign.uuid}/analyses/validity/").context["finding"]
    page = overview(admin, campaign)
    assert f"<h2>{escape(finding)}</h2>" in page
    assert "from all answers" in page
