"""Follow-up campaigns: from undecided pairs to a draft, and the ranking with the campaign that it follows."""

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from analysis.analyses.planning.when_to_stop import STOPPING
from analysis.analyses.systems.ranking import RANKING, RankingParameters
from annotate.campaigns.launch_plans import plan_launch
from annotate.campaigns.lifecycle import store_launch
from annotate.models import Campaign, User
from jobs.refusals import RefusedError
from tests.analysis.scored_campaigns import result_of
from tests.annotate.running import answer_all, cast
from tests.annotate.samples import (
    campaign_without_texts,
    no_progress,
    ranking,
    sentence,
    small_campaign,
    small_corpus,
)

WISHES = {"pairs": ["0"], "ordinary_percent": "25", "rate": "12", "items": "30", "name": "second"}


@pytest.fixture
def campaign(db: None) -> Campaign:
    """Alder beats the others on 40 sentences; Birch and Cedar are almost equal."""
    texts = [
        sentence(f"He go {place} .", f"He goes {place} .", f"He went {place} .", f"He gone {place} .")
        for place in range(40)
    ]
    orders = ["Alder > Birch > Cedar > INPUT", "Alder > Cedar > Birch > INPUT"]
    rankings = [ranking("anna", number, orders[number * 7 % 16 < 7]) for number in range(40)]
    made = small_campaign(small_corpus(sentences=texts), rankings=rankings)
    result_of(STOPPING, made)
    return made


def address(campaign: Campaign) -> str:
    return f"/campaigns/{campaign.uuid}/analyses/stopping/follow-up/"


def shown(client: Client, campaign: Campaign, **wishes: Any) -> str:
    response = client.post(address(campaign), wishes) if wishes else client.get(address(campaign))
    assert response.status_code == 200
    return str(response.content.decode())


def drafted(admin: Client, campaign: Campaign) -> Campaign:
    response = admin.post(address(campaign), {**WISHES, "make": "yes"})
    assert response.status_code == 302
    return Campaign.objects.get(name="second")


def launched(campaign: Campaign) -> Campaign:
    store_launch(plan_launch(campaign), progress=no_progress)
    for annotator in cast(campaign):
        answer_all(annotator)
    return campaign


def test_admins_are_led_there_while_a_pair_is_undecided(
    admin: Client, researcher: Client, campaign: Campaign
) -> None:
    page = f"/campaigns/{campaign.uuid}/analyses/stopping/"
    assert "Plan a follow-up" in admin.get(page).content.decode()
    assert "Plan a follow-up" not in researcher.get(page).content.decode()


def test_it_shows_undecided_pairs_and_the_judgments_they_need(admin: Client, campaign: Campaign) -> None:
    page = shown(admin, campaign)
    assert "and INPUT" in page or "Birch and Cedar" in page or "Cedar and Birch" in page
    assert 'value="20"' in page
    priced = shown(admin, campaign, **{**WISHES, "estimate": "yes"})
    assert "hours of work" in priced
    assert "in all" in priced


def test_its_place_is_that_of_the_analyses(admin: Client, campaign: Campaign) -> None:
    page = admin.get(f"/campaigns/{campaign.uuid}/analyses/stopping/follow-up/").content.decode()
    assert f'href="/campaigns/{campaign.uuid}/analyses/" aria-current="true">Analyses<' in page


def test_the_judgments_to_make_are_those_that_the_pair_needs(admin: Client, campaign: Campaign) -> None:
    """Repeats are judgments too, in the follow-up as in the campaign before it."""
    page = shown(admin, campaign, **{**WISHES, "estimate": "yes"})
    [judgments] = re.findall(r"About ([\d,]+) judgments", page)
    [needed] = re.findall(r'class="number">([\d,]+)</td></tr>', page)
    assert 0 <= int(judgments.replace(",", "")) - int(needed.replace(",", "")) <= 2


def test_before_the_first_judgment_nothing_is_said_to_be_settled(admin: Client, campaign: Campaign) -> None:
    empty = drafted(admin, campaign)
    store_launch(plan_launch(empty), progress=no_progress)
    result_of(STOPPING, empty)
    page = shown(admin, empty)
    assert "No two systems have been compared yet" in page
    assert "settled, so there is nothing" not in page


def test_it_makes_a_draft_with_the_same_corpus_that_says_what_it_asks(
    admin: Client, campaign: Campaign
) -> None:
    draft = drafted(admin, campaign)
    assert (draft.follows, draft.corpus, draft.state) == (campaign, campaign.corpus, "draft")
    assert set(draft.systems.all()) == set(campaign.systems.all())
    assert draft.design.items == 30
    assert draft.design.follow_up
    assert draft.design.follow_up["ordinary_percent"] == 25
    page = admin.get(f"/campaigns/{draft.uuid}/manage/").content.decode()
    assert "Pairs of this follow-up" in page
    assert "25 % of the items" in page


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        ({"pairs": []}, "Tick at least one pair."),
        ({"ordinary_percent": "4"}, "at least 5"),
        ({"items": "0"}, "at least 1"),
        ({"name": "judged"}, "Another campaign has this name."),
    ],
)
def test_faults_are_reported_and_nothing_is_made(
    admin: Client, campaign: Campaign, wrong: dict[str, Any], fault: str
) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(name="judged")
    assert fault in shown(admin, campaign, **{**WISHES, **wrong, "make": "yes"})
    assert Campaign.objects.count() == 1


def test_a_draft_of_a_follow_up_of_a_follow_up_keeps_the_settings_of_the_first(
    admin: Client, campaign: Campaign
) -> None:
    second = launched(drafted(admin, campaign))
    result_of(STOPPING, second)
    page = shown(admin, second)
    assert "<h1>Follow-up campaign" in page
    response = admin.post(address(second), {**WISHES, "name": "third", "make": "yes"})
    assert response.status_code == 302
    third = Campaign.objects.get(name="third")
    form = admin.get(f"/campaigns/{third.uuid}/edit/").content.decode()
    assert third.followed == [second, campaign]
    assert form.count(" disabled") >= 5


def test_without_texts_nobody_can_be_asked(admin: Client, db: None) -> None:
    orders = ["Alder > Birch > Cedar", "Alder > Cedar > Birch"] * 20
    alone = campaign_without_texts(rankings=[ranking("anna", *each) for each in enumerate(orders)])
    result_of(STOPPING, alone)
    assert "texts of these judgments are not known" in shown(admin, alone)


def test_without_a_result_it_leads_to_the_page_that_makes_one(admin: Client, db: None) -> None:
    other = small_campaign(small_corpus())
    response = admin.get(address(other))
    assert response.status_code == 302
    assert urlsplit(response["Location"]).path == f"/campaigns/{other.uuid}/analyses/stopping/"


class TestRanking:
    """The ranking of a follow-up."""

    @pytest.fixture
    def second(self, admin: Client, campaign: Campaign) -> Campaign:
        return launched(drafted(admin, campaign))

    def test_weighs_by_default_and_counts_each_once_on_request(
        self, researcher: Client, second: Campaign
    ) -> None:
        page = researcher.get(f"/campaigns/{second.uuid}/ranking/").content.decode()
        assert "inverse of how often it is asked" in page
        assert "?weights=none" in page
        plain = researcher.get(f"/campaigns/{second.uuid}/ranking/?weights=none").content.decode()
        assert "These scores are biased." in plain

    @pytest.mark.any_database
    def test_says_that_trueskill_cannot_weigh(self, researcher: Client, second: Campaign) -> None:
        page = researcher.get(f"/campaigns/{second.uuid}/ranking/?method=trueskill&replicates=20")
        assert "cannot be weighted" in page.content.decode()

    def test_takes_in_the_campaign_that_it_follows(
        self, researcher: Client, second: Campaign, campaign: Campaign
    ) -> None:
        page = researcher.get(f"/campaigns/{second.uuid}/ranking/?combined=yes").content.decode()
        assert "These are the judgments of this campaign and of" in page
        combined = result_of(RANKING, second, RankingParameters(combined=True))
        alone = result_of(RANKING, second, RankingParameters())
        assert combined.signature != alone.signature
        assert "|weights:propensities|" in combined.signature
        unweighted = result_of(RANKING, second, RankingParameters(combined=True, weights="none"))
        assert "|weights:none|" in unweighted.signature

    def test_is_computed_anew_when_the_first_campaign_gets_answers(
        self, second: Campaign, campaign: Campaign
    ) -> None:
        before = result_of(RANKING, second, RankingParameters(combined=True))
        annotator = campaign.annotators.get()
        annotator.answers_sent += 1
        annotator.save()
        campaign.judgments.order_by("pk").first().delete()  # type: ignore[union-attr]
        assert result_of(RANKING, second, RankingParameters(combined=True)).signature != before.signature

    def test_of_an_ordinary_campaign_offers_nothing_of_this(
        self, researcher: Client, campaign: Campaign
    ) -> None:
        page = researcher.get(f"/campaigns/{campaign.uuid}/ranking/").content.decode()
        assert "inverse" not in page
        refused = researcher.get(f"/campaigns/{campaign.uuid}/ranking/?combined=yes")
        assert refused.status_code == 400
        assert "follows no other" in refused.content.decode()
        assert "weights:" not in result_of(RANKING, campaign).signature

    def test_with_the_first_campaign_is_not_published(self, second: Campaign) -> None:
        from analysis.publishing.publications import publish

        Campaign.objects.filter(pk=second.pk).update(state="closed")
        second.refresh_from_db()
        with pytest.raises(RefusedError, match="publish the follow-up and the first campaign separately"):
            publish(
                second,
                RANKING,
                title="Both",
                with_names=True,
                parameters=RankingParameters(combined=True),
                by=User.objects.create_user("ada", role="admin"),
            )


@pytest.mark.any_database
def test_the_links_keep_the_settings(admin: Client, campaign: Campaign) -> None:
    page = admin.get(f"/campaigns/{campaign.uuid}/analyses/stopping/?planned=500").content.decode()
    query = page.partition(f"{address(campaign)}?")[2].partition('"')[0]
    assert parse_qs(query) == {"planned": ["500"]}
