"""The answers about a campaign on their page: from stored results alone."""

from unittest.mock import patch

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils.html import escape

from analysis.analyses.annotators.quality import Quality
from analysis.analyses.systems.edits_one_by_one import EDITS
from analysis.answers.collected import ARE_THEY_ENOUGH, HOW_MANY_CORRECTIONS, WHICH_ARE_VALID
from analysis.answers.ranked import CAN_I_TRUST
from analysis.models import Run
from analysis.results.registered_pages import page_address
from analysis.runs import answering, queries
from analysis.runs.answering import renew_answers, requests_of
from analysis.runs.queries import compute_anew, newest_result
from analysis.runs.requests import Request
from analysis.runs.sources import Version
from annotate.design.protocols import Validity
from annotate.judging.exclusions import exclude
from annotate.judgments.pseudonyms import pseudonym
from annotate.models import Campaign, CampaignState
from jobs.models import Job
from jobs.worker import run_queued_jobs
from tests.analysis.campaigns_of_edits import campaign_of_edits
from tests.analysis.scored_campaigns import compute_answers
from tests.annotate.references.answers import CORRECTED, correcting_campaign, judging_campaign
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
    compute_answers(campaign)
    page = page_of(admin, campaign)
    headline = researcher.get(f"/campaigns/{campaign.uuid}/ranking/").context["headline"]
    assert f'<p class="finding">{escape(headline)}</p>' in page
    assert "neighbouring systems" in page
    assert "annotators agree" in page
    assert page.count("computed <time") == 3
    assert "annotators is flagged" in page
    assert "Compute the answers</button>" not in page


def test_excluded_annotators_no_longer_count_among_the_flagged(admin: Client, campaign: Campaign) -> None:
    compute_answers(campaign)
    names = set(campaign.annotators.values_list("name", flat=True))
    keys = {pseudonym(campaign, name) for name in names}
    with patch.object(Quality, "flagged", keys):
        before = page_of(admin, campaign)
        exclude(campaign.annotators.get(name=min(names)), reason="Clicked at random.")
        compute_answers(campaign)
        after = page_of(admin, campaign)
    assert f"{len(keys)} of {len(keys)} annotators are flagged" in before
    assert "1 of 1 annotator is flagged" in after


def test_flagged_annotators_are_for_admins(researcher: Client, campaign: Campaign) -> None:
    compute_answers(campaign)
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
    compute_answers(campaign)
    return campaign


def test_they_are_computed_by_themselves_with_the_first_judgments(campaign: Campaign) -> None:
    cache.clear()
    renew_answers()
    assert {job.kind for job in Job.objects.all()} == {"run-short-analysis"}
    assert Job.objects.count() == 5
    renew_answers()
    assert Job.objects.count() == 5


@pytest.mark.parametrize(("before", "jobs"), [(11, 0), (8, 5), (12, 5)])
def test_and_again_when_there_are_a_tenth_more_or_scores_change(
    renewed: Campaign, before: int, jobs: int
) -> None:
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


class TestValidity:
    """Answers of a campaign in which people judge whether outputs are valid."""

    @pytest.fixture
    def campaign(self) -> Campaign:
        return running("other", items=4, protocol=Validity.name, outputs_per_screen=Validity.most_outputs)

    def test_its_questions_are_its_own(self, researcher: Client, campaign: Campaign) -> None:
        assert "There are no judgments yet." in page_of(researcher, campaign)
        for annotator in cast(campaign):
            answer_all(annotator)
        page = page_of(researcher, campaign)
        for question in (WHICH_ARE_VALID, CAN_I_TRUST):
            assert f'<h2 class="question">{question}</h2>' in page
        assert page.count("Not computed yet.") == 2
        request, *_ = compute_answers(campaign)
        headline = researcher.get(page_address(request)).context["finding"]
        page = page_of(researcher, campaign)
        assert f'<p class="finding">{escape(headline)}</p>' in page
        assert "Compute the answers</button>" not in page

    def test_they_say_which_outputs_are_valid_and_how_far_people_agree(self, researcher: Client) -> None:
        campaign = judging_campaign(small_corpus(language="de"))
        compute_answers(campaign)
        page = page_of(researcher, campaign)
        assert '<p class="finding">60\N{NO-BREAK SPACE}% of 4 outputs were judged valid</p>' in page
        assert "Annotators agree" in page
        assert page.count('<table class="marks">') == 2


def test_of_edits_agreement_is_that_on_edits(researcher: Client) -> None:
    """Each output is judged alone, so that annotators seldom compare the same two."""
    campaign = campaign_of_edits(small_corpus(language="de"))
    compute_answers(campaign)
    page = page_of(researcher, campaign)
    edits = next(request for request in requests_of(campaign) if request.analysis is EDITS)
    stored = newest_result(edits)
    assert stored is not None
    assert stored.result is not None
    kappa = stored.result["between"]["value"]
    assert f"κ\N{NO-BREAK SPACE}{kappa:.2f} on a scale from 0, chance, to 1" in page


class TestCorrections:
    """Answers of a campaign in which people write corrections."""

    @pytest.fixture
    def campaign(self) -> Campaign:
        return correcting_campaign(small_corpus(language="de"))

    def test_its_questions_are_its_own(self, researcher: Client, campaign: Campaign) -> None:
        page = page_of(researcher, campaign)
        for question in (HOW_MANY_CORRECTIONS, ARE_THEY_ENOUGH, CAN_I_TRUST):
            assert f'<h2 class="question">{question}</h2>' in page
        assert page.count("Not computed yet.") == 3
        assert "Compute the answers</button>" in page

    def test_they_say_how_many_there_are_what_they_cover_and_how_far_people_agree(
        self, researcher: Client, campaign: Campaign
    ) -> None:
        requests = compute_answers(campaign)
        page = page_of(researcher, campaign)
        headlines = [
            researcher.get(page_address(request)).context["finding"].removesuffix(".") for request in requests
        ]
        assert headlines[0] == "3 sentences have 2.7 corrections on average, 2.0 of them distinct"
        for headline in headlines:
            assert f'<p class="finding">{escape(headline)}</p>' in page
        assert "1 sentence could not be corrected." in page
        assert "of an annotator’s edits are also made by another annotator" in page
        assert page.count('<table class="marks">') == 3
        assert "Compute the answers</button>" not in page

    def test_before_the_first_correction_it_says_so(self, researcher: Client, campaign: Campaign) -> None:
        campaign.judgments.all().delete()
        campaign.annotators.all().delete()
        assert "There are no judgments yet." in page_of(researcher, campaign)

    def test_what_could_not_be_computed_says_why(self, researcher: Client) -> None:
        """Nobody corrected a sentence that another corrected, so that coverage is not known."""
        alone = [(0, "ada", CORRECTED, ("She goes home .",)), (1, "ben", CORRECTED, ("I have two cats .",))]
        campaign = correcting_campaign(small_corpus(language="de"), corrections=alone)
        for request in requests_of(campaign):
            compute_anew(request, asked_by=None)
        run_queued_jobs()
        page = page_of(researcher, campaign)
        assert "How far annotators agree is not known" in page
        assert "Not computed: no sentence" in page


def test_results_are_read_once_for_the_words_that_they_give(
    researcher: Client, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"/campaigns/{campaign.uuid}/answers/"
    researcher.get(f"/campaigns/{campaign.uuid}/ranking/")
    before = researcher.get(address).context["answers"].answered
    assert any(each.computed_at for each in before)

    def fail(request: Request, version: Version) -> None:
        raise AssertionError("a stored result is read again")

    monkeypatch.setattr(answering, "stored", fail)
    assert researcher.get(address).context["answers"].answered == before
    campaign.annotators.update(skipped=7)
    with pytest.raises(AssertionError, match="read again"):
        researcher.get(address)
