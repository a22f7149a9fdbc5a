"""The page of a running campaign: progress, annotators, items, pausing and closing."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from analysis.analyses.annotators.agreement import AGREEMENT, AgreementParameters
from analysis.analyses.systems.ranking import RANKING, RankingParameters
from analysis.runs.queries import in_this_process
from analysis.runs.requests import request_of
from annotate.campaigns import progress
from annotate.campaigns.lifecycle import close, pause
from annotate.campaigns.views import ITEMS_PER_PAGE
from annotate.judging.handout import Submission, give_next_showing, submit
from annotate.judgments.queries import annotators
from annotate.models import Campaign, CampaignState, Corpus
from core.progress import NoProgress
from tests.annotate.campaigns.running import (
    address,
    all_alike,
    annotator_of,
    answer,
    held_item,
    skip_item,
)
from tests.annotate.designs import draft_campaign, running_campaign
from tests.annotate.samples import small_campaign, small_corpus
from tests.annotate.terms import without_meanings

STEPS = {"pause": pause, "close": close}


def counted_items(campaign: Campaign) -> list[progress.CountedItem]:
    """All items of the campaign."""
    return progress.with_counts(list(progress.items(campaign)))


def test_items_are_counted_from_indexes_alone(campaign: Campaign) -> None:
    """Their rows would be a read each of hundreds of annotators' judgments, for every item of the page."""
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL reads small tables as a whole.")
    with CaptureQueriesContext(connection) as captured:
        items = list(progress.items(campaign))
        progress.with_counts(items)
    _, *counts = [query["sql"] for query in captured]
    assert len(counts) == 2
    with connection.cursor() as cursor:
        for sql in counts:
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
            assert all("COVERING INDEX" in row[-1] for row in cursor.fetchall())


def test_imported_items_want_nothing(db: None) -> None:
    counted = counted_items(small_campaign(small_corpus()))
    assert {(item.wanted, item.done) for item in counted} == {(0, 0)}


def test_it_shows_how_many_judgments_are_in(admin: Client, campaign: Campaign) -> None:
    answer(campaign, "anna", times=3)
    page = admin.get(address(campaign)).content.decode()
    assert "3 of 8 judgments done (37 %)" in page
    assert '<progress value="3" max="8"' in page
    figures = dict(re.findall(r"<dt>(.*?)</dt><dd>(\d+)</dd>", without_meanings(page)))
    assert figures == {
        "In progress": "1",
        "Free": "4",
        "Planned repeats to come": "0",
        "Held": "0",
    }
    assert "Items that need your decision" not in page


def test_the_end_is_estimated_from_the_last_day(campaign: Campaign) -> None:
    """Two of eight judgments in two hours leave six for six hours."""
    now = timezone.now().replace(minute=0, second=0, microsecond=0)
    slots = progress.slot_counts(campaign)
    assert progress.pace(campaign, slots, now) == progress.Pace(0, None)
    for hours in (2, 1):
        showing = give_next_showing(annotator_of(campaign, "anna"), now=now - timedelta(hours=hours))
        assert showing is not None
        submission = Submission(uuid4())
        submit(showing.annotator, showing.uuid, all_alike, submission, now=now - timedelta(hours=hours))
    slots = progress.slot_counts(campaign)
    assert progress.pace(campaign, slots, now) == progress.Pace(2, now + timedelta(hours=6))
    later = now + timedelta(hours=23)
    assert progress.pace(campaign, slots, later) == progress.Pace(1, later + 6 * progress.LATELY)
    assert progress.pace(campaign, slots, now + timedelta(days=9)) == progress.Pace(0, None)


def test_it_shows_the_remaining_work(admin: Client, corpus: Corpus) -> None:
    campaign = running_campaign(corpus, annotators_per_item=2, shared_percent=50, repeat_percent=100)
    answer(campaign, "anna", times=4)
    assert give_next_showing(annotator_of(campaign, "anna")) is None
    page = admin.get(address(campaign)).content.decode()
    assert "4 of 10 judgments done" in page
    assert "The remaining judgments need another annotator" in page
    answer(campaign, "ben", times=2)
    page = admin.get(address(campaign)).content.decode()
    assert "6 of 6 judgments done (100 %)" in page
    assert "All judgments are in. Close the campaign to end it." in page
    assert "<dt>Planned repeats dropped</dt><dd>4</dd>" in page
    assert "4 planned repeats will not come" in page


def test_it_says_when_only_the_admin_can_go_on(admin: Client, campaign: Campaign) -> None:
    held_item(campaign)
    page = admin.get(address(campaign)).content.decode()
    assert 'The rest <a href="#held">needs your decision</a>' in page


def test_it_says_when_nobody_has_come(admin: Client, campaign: Campaign) -> None:
    page = admin.get(address(campaign)).content.decode()
    assert "0 of 8 judgments" in page
    assert "No annotators yet." in page


def test_its_judgments_begin_with_none(researcher: Client, campaign: Campaign) -> None:
    page = researcher.get(campaign.get_absolute_url()).content.decode()
    assert "No judgments yet." in page
    assert "<table" not in page
    assert "<select" not in page


def test_annotators_are_shown_with_their_counts(campaign: Campaign) -> None:
    answer(campaign, "anna", times=2)
    skip_item(campaign, "anna")
    annotator_of(campaign, "ben")
    anna, ben = annotators(campaign)
    assert (anna.name, anna.complete, anna.skipped, anna.surplus) == ("anna", 2, 1, 0)
    assert (ben.name, ben.complete, ben.last_seen) == ("ben", 0, None)


def test_an_annotator_who_only_looked_was_seen(admin: Client, campaign: Campaign) -> None:
    earlier = timezone.now() - timedelta(hours=2)
    give_next_showing(annotator_of(campaign, "anna"), now=earlier)
    [anna] = annotators(campaign)
    assert anna.last_seen == earlier
    assert "2\N{NO-BREAK SPACE}hours ago</time>" in admin.get(address(campaign)).content.decode()


def test_last_seen_is_the_newer_of_screen_and_answer(campaign: Campaign) -> None:
    shown = timezone.now() - timedelta(hours=2)
    sent = shown + timedelta(minutes=5)
    showing = give_next_showing(annotator_of(campaign, "anna"), now=shown)
    assert showing is not None
    submit(showing.annotator, showing.uuid, all_alike, Submission(uuid4()), now=sent)
    [anna] = annotators(campaign)
    assert anna.last_seen == sent


def test_items_are_shown_with_their_progress(campaign: Campaign) -> None:
    answer(campaign, "anna", times=3)
    item = skip_item(campaign, "anna")
    rows = {row.item.number: (row.wanted, row.done, row.skips) for row in counted_items(campaign)}
    assert rows == {number: (2, 0, 1) if number == item.number else (2, 1, 0) for number in range(4)}


def test_items_come_page_by_page(admin: Client, corpus: Corpus) -> None:
    campaign = running_campaign(corpus, "long", items=30)
    rows = [
        admin.get(f"{address(campaign)}?{asked}").content.decode().count("Judgments of item")
        for asked in ("", f"after={ITEMS_PER_PAGE - 1}", "before=", "after=99", "after=x", "page=2")
    ]
    assert rows == [ITEMS_PER_PAGE, 5, ITEMS_PER_PAGE, ITEMS_PER_PAGE, ITEMS_PER_PAGE, ITEMS_PER_PAGE]


def test_work_of_others_is_not_counted(corpus: Corpus, campaign: Campaign) -> None:
    other = running_campaign(corpus, "other")
    answer(other, "anna", times=2)
    held_item(other)
    waiting = progress.SlotCounts(filled=0, leased=0, free=8, reserved=0, lapsed=0, held=0, dropped=0)
    assert progress.slot_counts(campaign) == waiting
    assert not annotators(campaign)
    assert not progress.items_to_decide(campaign)
    assert {(row.done, row.skips) for row in counted_items(campaign)} == {(0, 0)}


@pytest.mark.parametrize(
    ("before", "verb", "after", "message"),
    [
        ([], "pause", CampaignState.PAUSED, "Paused."),
        ([], "close", CampaignState.CLOSED, "Closed."),
        (["pause"], "resume", CampaignState.RUNNING, "Running again."),
        (["pause"], "close", CampaignState.CLOSED, "Closed."),
        (["close"], "resume", CampaignState.RUNNING, "Running again."),
        ([], "resume", CampaignState.RUNNING, "is running."),
        (["pause"], "pause", CampaignState.PAUSED, "is paused."),
        (["close"], "pause", CampaignState.CLOSED, "is closed."),
        (["close"], "close", CampaignState.CLOSED, "is closed."),
    ],
)
def test_it_can_be_paused_resumed_and_closed(
    admin: Client, campaign: Campaign, before: list[str], verb: str, after: CampaignState, message: str
) -> None:
    for step in before:
        STEPS[step](campaign)
    response = admin.post(address(campaign, verb), follow=True)
    assert response.redirect_chain == [(address(campaign), 302)]
    page = response.content.decode()
    assert message in page
    campaign.refresh_from_db()
    assert campaign.state == after
    offered = {verb for verb in ("pause", "resume", "close") if f'action="{address(campaign, verb)}"' in page}
    assert (
        offered
        == {
            CampaignState.RUNNING: {"pause", "close"},
            CampaignState.PAUSED: {"resume", "close"},
            CampaignState.CLOSED: {"resume"},
        }[after]
    )


@pytest.mark.parametrize("verb", ["pause", "resume", "close"])
def test_a_draft_is_neither_paused_nor_closed(admin: Client, corpus: Corpus, verb: str) -> None:
    campaign = draft_campaign(corpus)
    assert "is draft." in admin.post(address(campaign, verb), follow=True).content.decode()
    campaign.refresh_from_db()
    assert campaign.state == CampaignState.DRAFT


def test_a_campaign_that_is_being_laid_out_can_be_looked_at(admin: Client, campaign: Campaign) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.LAUNCHING)
    page = admin.get(address(campaign)).content.decode()
    assert "Its items are being prepared." in page
    assert f'action="{address(campaign, "pause")}"' not in page


def test_a_clone_asks_the_same_under_another_name(admin: Client, campaign: Campaign) -> None:
    response = admin.post(address(campaign, "clone"), {"name": "again"}, follow=True)
    clone = Campaign.objects.get(name="again")
    assert response.redirect_chain == [(address(clone), 302)]
    assert clone.state == CampaignState.DRAFT
    assert set(clone.systems.all()) == set(campaign.systems.all())
    assert clone.design.pk != Campaign.objects.get(pk=campaign.pk).design.pk
    assert (clone.design.items, clone.design.shared_percent) == (4, 100)


@pytest.mark.parametrize(
    ("name", "advice"), [("", "required"), ("running", "Another campaign has this name"), ("a\tb", "control")]
)
def test_a_clone_needs_a_name_of_its_own(admin: Client, campaign: Campaign, name: str, advice: str) -> None:
    page = admin.post(address(campaign, "clone"), {"name": name}).content.decode()
    assert advice in page
    assert Campaign.objects.count() == 1


def test_the_way_to_it_leads_from_home_and_from_the_judgments(
    admin: Client, researcher: Client, campaign: Campaign
) -> None:
    for page in ("/", campaign.get_absolute_url()):
        assert address(campaign) in admin.get(page).content.decode()
        assert address(campaign) not in researcher.get(page).content.decode()


@pytest.mark.parametrize("role", ["stranger", "annotator", "researcher"])
def test_nobody_else_can_change_it(role: str, campaign: Campaign, request: pytest.FixtureRequest) -> None:
    client: Client = request.getfixturevalue(role)
    for verb in ("pause", "close", "clone"):
        assert client.post(address(campaign, verb), {"name": "mine"}).status_code in (302, 403)
    assert Campaign.objects.get().state == CampaignState.RUNNING


@pytest.mark.any_database
def test_queries_do_not_grow_with_the_campaign(
    admin: Client, corpus: Corpus, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """Nor with judgments, annotators and runs."""
    for items, names, runs in ((3, "anna ben", 1), (30, "anna ben cora dan eve fay guy", 4)):
        campaign = running_campaign(
            corpus, f"of {items}", items=items, annotators_per_item=9, shared_percent=100
        )
        skip_item(campaign, "anna")
        for run, name in enumerate(names.split()):
            answer(campaign, name, times=items // 2)
            if run < runs:
                compute_results(campaign)
        admin.get(address(campaign))
        with django_assert_num_queries(23):
            admin.get(address(campaign))


def compute_results(campaign: Campaign) -> None:
    """Store what the page shows of results."""
    for analysis, parameters in ((RANKING, RankingParameters()), (AGREEMENT, AgreementParameters())):
        in_this_process(request_of(analysis, campaign, parameters), NoProgress())
