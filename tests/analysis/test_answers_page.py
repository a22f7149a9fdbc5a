"""The answers about a campaign on their page: from stored results alone."""

from unittest.mock import patch

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils.html import escape

from analysis.analyses.quality import Quality
from analysis.models import Run
from analysis.pages.registered import page_address
from analysis.runs import queries
from analysis.runs.answering import renew_answers, requests_of
from analysis.runs.queries import in_this_process
from annotate.design.protocols import Validity
from annotate.judging.exclusions import exclude
from annotate.judgments.pseudonyms import pseudonym
from annotate.models import Campaign, CampaignState
from core.progress import NoProgress
from jobs.models import Job
from tests.annotate.running import answer_all, cast, running

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def campaign(db: None) -> Campaign:
    """Six items, judged by two annotators."""
    campaign = running("pilot", items=6, annotators_per_item=2, shared_percent=100)
    for annotator in cast(campaign):
        answer_all(annotator)
    return campaign


def page_of(client: Client, campaign: Campaign) -> str:
    return client.get(f"/campaigns/{campaign.uuid}/answers/").content.decode()


def test_opening_it_computes_nothing(researcher: Client, campaign: Campaign) -> None:
    with patch.object(queries, "_computed_now", side_effect=AssertionError):
        page = page_of(researcher, campaign)
    assert page.count("Not computed yet.") == 3
    assert "Compute the answers</button>" in page
    assert not Job.objects.exists()


def test_the_button_has_them_computed(researcher: Client, campaign: Campaign) -> None:
    address = f"/campaigns/{campaign.uuid}/answers/"
    assert researcher.post(f"{address}compute/").headers["Location"] == address
    assert Job.objects.count() == 5
    page = page_of(researcher, campaign)
    assert "5 of the results are being computed." in page
    assert "Compute the answers</button>" not in page


def test_it_shows_the_answers_with_their_age(admin: Client, researcher: Client, campaign: Campaign) -> None:
    for request in requests_of(campaign):
        in_this_process(request, NoProgress())
    page = page_of(admin, campaign)
    headline = researcher.get(f"/campaigns/{campaign.uuid}/ranking/").context["headline"]
    assert f'<p class="finding">{escape(headline)}</p>' in page
    assert "neighbouring systems" in page
    assert "annotators agree" in page
    assert page.count("computed <time") == 3
    assert "annotators is flagged" in page
    assert "Compute the answers</button>" not in page


def test_excluded_annotators_no_longer_count_among_the_flagged(admin: Client, campaign: Campaign) -> None:
    for request in requests_of(campaign):
        in_this_process(request, NoProgress())
    names = set(campaign.annotators.values_list("name", flat=True))
    keys = {pseudonym(campaign, name) for name in names}
    with patch.object(Quality, "flagged", keys):
        before = page_of(admin, campaign)
        exclude(campaign.annotators.get(name=min(names)), reason="Clicked at random.")
        for request in requests_of(campaign):
            in_this_process(request, NoProgress())
        after = page_of(admin, campaign)
    assert f"{len(keys)} of {len(keys)} annotators are flagged" in before
    assert "1 of 1 annotator is flagged" in after


def test_flagged_annotators_are_for_admins(researcher: Client, campaign: Campaign) -> None:
    for request in requests_of(campaign):
        in_this_process(request, NoProgress())
    assert "flagged" not in page_of(researcher, campaign)


def test_there_is_nothing_to_compute_before_the_first_judgment(researcher: Client) -> None:
    campaign = running("empty", items=2)
    page = page_of(researcher, campaign)
    assert "There are no judgments yet." in page
    assert "<button>Compute" not in page


@pytest.fixture
def renewed(campaign: Campaign) -> Campaign:
    """Its answers have been computed."""
    cache.clear()
    for request in requests_of(campaign):
        in_this_process(request, NoProgress())
    return campaign


def test_they_are_computed_by_themselves_with_the_first_judgments(campaign: Campaign) -> None:
    cache.clear()
    renew_answers()
    assert {job.kind for job in Job.objects.all()} == {"run-short-analysis"}
    assert Job.objects.count() == 5
    renew_answers()
    assert Job.objects.count() == 5


@pytest.mark.parametrize(("before", "jobs"), [(11, 0), (8, 5)])
def test_and_again_when_there_are_a_tenth_more(renewed: Campaign, before: int, jobs: int) -> None:
    """There are twelve answers."""
    Run.objects.update(inputs="before", size=before)
    renew_answers()
    assert Job.objects.count() == jobs


@pytest.mark.parametrize("state", [CampaignState.DRAFT, CampaignState.DELETING])
def test_not_for_campaigns_without_judgments(campaign: Campaign, state: CampaignState) -> None:
    cache.clear()
    Campaign.objects.update(state=state)
    renew_answers()
    assert not Job.objects.exists()


def test_campaigns_without_ranks_show_the_findings_of_their_analyses(researcher: Client) -> None:
    campaign = running("other", items=4, protocol=Validity.name, outputs_per_screen=Validity.most_outputs)
    assert "There are no judgments yet." in page_of(researcher, campaign)
    for annotator in cast(campaign):
        answer_all(annotator)
    request, *_ = requests_of(campaign)
    question = f'<h2 class="question">{request.analysis.title}</h2>'
    assert question in page_of(researcher, campaign)
    in_this_process(request, NoProgress())
    headline = researcher.get(page_address(request)).context["finding"]
    assert f'<p class="finding">{escape(headline)}</p>' in page_of(researcher, campaign)
