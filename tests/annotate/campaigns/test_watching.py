"""Campaigns that stop by themselves: the option, when looks are due, and what follows from a look."""

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from annotate.campaigns.lifecycle import CampaignError, clone, close, pause, resume
from annotate.campaigns.watching import (
    due_look,
    planned_judgments,
    put_off_look,
    queue_due_looks,
    store_look,
    watch_again,
)
from annotate.judging.exclusions import exclude, readmit
from annotate.models import AuditEntry, Campaign, CampaignState, StopsWhen, Watch
from annotate.models.job_kinds import LOOK_AT_RANKING
from jobs.models import Job, JobState
from ranking import Look
from tests.annotate.running import answer, cast, draft, running, shown

pytestmark = pytest.mark.django_db

OPEN = Look(judgments=3, sentences=3, settled=1, borders=2)
SETTLED = Look(judgments=3, sentences=3, settled=2, borders=2)


def watched(name: str = "watched", *, stop_after: int = 3) -> Campaign:
    return running(name, stops_when=StopsWhen.ORDER, stop_after=stop_after)


def judge(campaign: Campaign, times: int) -> None:
    annotator = campaign.annotators.first() or cast(campaign, "anna")[0]
    for _ in range(times):
        answer(shown(annotator))


def looks() -> list[Job]:
    return list(Job.objects.filter(kind=LOOK_AT_RANKING, state=JobState.QUEUED))


class TestOption:
    """The option of the design that ends a campaign by itself."""

    def test_a_campaign_stops_by_itself_only_if_asked_to(self) -> None:
        assert not Watch.objects.filter(campaign=running()).exists()
        assert Watch.objects.get(campaign=watched()).next_look == 3

    def test_a_clone_stops_as_the_campaign_does(self) -> None:
        design = clone(watched(), name="again").design
        assert (design.stops_when, design.stop_after, design.stop_confidence) == (StopsWhen.ORDER, 3, 95)

    @pytest.mark.parametrize(
        "changes",
        [
            {"stops_when": "sometimes"},
            {"stop_confidence": 100},
            {"stop_confidence": 50},
            {"stop_after": 0},
            {"stops_when": StopsWhen.FIRST, "protocol": "correction", "outputs_per_screen": 0},
        ],
    )
    def test_impossible_values_are_refused(self, changes: dict[str, object]) -> None:
        with pytest.raises(ValidationError):
            draft(**changes)  # type: ignore[arg-type]  # wrong on purpose
        assert not Campaign.objects.exists()


class TestLooks:
    """When the ranking is looked at."""

    def test_a_look_is_due_at_the_mark_and_queued_once(self) -> None:
        campaign = watched()
        judge(campaign, 2)
        queue_due_looks()
        assert looks() == []
        judge(campaign, 1)
        queue_due_looks()
        queue_due_looks()
        assert [job.parameters for job in looks()] == [{"campaign": str(campaign.uuid)}]

    def test_judgments_of_excluded_annotators_do_not_count(self) -> None:
        campaign = watched()
        judge(campaign, 3)
        anna = campaign.annotators.get()
        exclude(anna, reason="careless")
        assert due_look(campaign) is None
        readmit(anna)
        assert due_look(campaign).counted == 3

    def test_a_campaign_that_is_not_running_is_not_looked_at(self) -> None:
        campaign = watched()
        judge(campaign, 3)
        pause(campaign)
        assert due_look(campaign) is None
        resume(campaign)
        assert due_look(campaign) is not None

    def test_after_a_failed_look_more_judgments_are_awaited(self) -> None:
        campaign = watched()
        judge(campaign, 3)
        put_off_look(campaign)
        assert due_look(campaign) is None
        assert Watch.objects.get().next_look == 4


class TestOutcome:
    """The effects of a look."""

    def test_without_a_settled_ranking_the_next_look_is_after_5_percent_more(self) -> None:
        campaign = watched()
        judge(campaign, 3)
        watch = due_look(campaign)
        watch.counted = 100
        assert not store_look(watch, OPEN)
        seen = Watch.objects.get()
        assert (seen.judgments, seen.settled, seen.borders, seen.next_look) == (100, 1, 2, 105)
        campaign.refresh_from_db()
        assert campaign.state == CampaignState.RUNNING

    def test_a_settled_ranking_closes_the_campaign_once_on_record(self) -> None:
        campaign = watched()
        judge(campaign, 3)
        watch = due_look(campaign)
        assert store_look(watch, SETTLED)
        assert not store_look(watch, SETTLED), "repeated after a kill"
        campaign.refresh_from_db()
        assert campaign.state == CampaignState.CLOSED
        entry = AuditEntry.objects.get(action="close")
        assert (entry.user, entry.details) == (
            None,
            {"reason": "every place is settled after 3 judgments"},
        )
        assert Watch.objects.get().stopped_at is not None

    def test_a_screen_that_is_open_may_still_be_answered(self) -> None:
        campaign = watched()
        judge(campaign, 3)
        open_screen = shown(campaign.annotators.get())
        store_look(due_look(campaign), SETTLED)
        assert answer(open_screen).state == "surplus"

    def test_a_look_that_an_admin_was_faster_than_changes_nothing(self) -> None:
        campaign = watched()
        judge(campaign, 3)
        watch = due_look(campaign)
        pause(campaign)
        assert not store_look(watch, SETTLED)
        assert Watch.objects.get().next_look == 3

    def test_a_reopened_campaign_stops_by_itself_only_if_asked_again(self) -> None:
        campaign = watched()
        judge(campaign, 3)
        store_look(due_look(campaign), SETTLED)
        with pytest.raises(CampaignError, match="not running"):
            watch_again(campaign)
        resume(campaign)
        judge(campaign, 2)
        watch = Watch.objects.get()
        assert (due_look(campaign), watch.next_look, watch.stopped_at) == (None, None, None)
        watch_again(campaign)
        assert due_look(campaign).next_look == 4
        with pytest.raises(CampaignError, match="already"):
            watch_again(campaign)

    def test_a_campaign_that_an_admin_closed_is_watched_when_it_is_resumed(self) -> None:
        campaign = watched()
        close(campaign)
        resume(campaign)
        judge(campaign, 3)
        assert due_look(campaign) is not None

    def test_a_design_without_a_line_cannot_be_watched(self) -> None:
        with pytest.raises(CampaignError, match="does not say when it stops"):
            watch_again(running())


class TestPages:
    """The admin's pages."""

    def page(self, admin: Client, campaign: Campaign) -> str:
        page = admin.get(reverse("manage-campaign", args=[campaign.uuid])).content.decode()
        return " ".join(page.split())

    def test_the_overview_says_how_far_the_ranking_is(self, admin: Client) -> None:
        campaign = watched()
        assert "The first look is after 3 judgments." in self.page(admin, campaign)
        judge(campaign, 3)
        store_look(due_look(campaign), OPEN)
        page = self.page(admin, campaign)
        assert "After 3 judgments, 1 of 2 comparisons of systems was settled." in page
        assert "The next look is after 4 judgments." in page

    def test_the_overview_leads_to_the_intervals_of_the_looks(self, admin: Client) -> None:
        """By default the page *When to stop* has others, and would deny what a look has settled."""
        campaign = watched()
        assert "stopping/?planned=10&amp;confidence=0.95" in self.page(admin, campaign)
        campaign.slot_count = 400
        assert planned_judgments(campaign) == 100

    def test_a_campaign_that_stopped_says_so_until_it_is_reopened(self, admin: Client) -> None:
        campaign = watched()
        judge(campaign, 3)
        store_look(due_look(campaign), SETTLED)
        page = self.page(admin, campaign)
        assert "Stopped by itself on" in page
        assert (
            f"after 3 of {campaign.slot_count} judgments: every place is settled at 95 % confidence" in page
        )
        assert "after 3 judgments: every place is settled" in admin.get("/").content.decode()
        admin.post(reverse("resume-campaign", args=[campaign.uuid]))
        assert "no longer stops by itself" in self.page(admin, campaign)
        admin.post(reverse("watch-campaign", args=[campaign.uuid]))
        assert "Stops by itself once every place is settled" in self.page(admin, campaign)
        assert AuditEntry.objects.filter(action="watch").count() == 1

    def test_the_draft_says_when_it_will_stop(self, admin: Client) -> None:
        page = self.page(admin, draft(stops_when=StopsWhen.FIRST))
        assert "once the first place is settled at 95 % confidence" in page
        assert "at the earliest after 200 judgments" in page
        assert "It has only" in page

    @pytest.mark.parametrize("role", ["researcher", "annotator", "client"])
    def test_nobody_else_lets_it_stop(self, role: str, request: pytest.FixtureRequest) -> None:
        campaign = watched()
        Watch.objects.update(next_look=None)
        request.getfixturevalue(role).post(reverse("watch-campaign", args=[campaign.uuid]))
        assert Watch.objects.get().next_look is None
