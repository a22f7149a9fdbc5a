"""Looks at the ranking of a campaign that stops by itself, as jobs."""

from pathlib import Path

import pytest

from analysis.runs.looking import look_at_campaign
from annotate.campaigns.lifecycle import launch
from annotate.campaigns.watching import queue_due_looks
from annotate.design.protocols import RatingValue
from annotate.judging.exclusions import exclude
from annotate.judging.handout import give_next_showing, shown_outputs
from annotate.judgments import kept_snapshots
from annotate.models import AuditEntry, Campaign, CampaignState, StopsWhen, SystemRole, Watch
from core.progress import NoProgress
from jobs.models import Job, JobState
from jobs.queue import cancel
from jobs.worker import sweep
from tests.annotate.protocols import RANKING
from tests.annotate.running import answer, cast, draft
from tests.annotate.samples import SYSTEMS, no_progress, sentence, small_corpus
from tests.jobs.kinds import after_working
from tests.jobs.workers import held_worker, run_out

SENTENCES = 45


def stopping_campaign(stops_when: StopsWhen = StopsWhen.ORDER) -> Campaign:
    """A campaign of sentences on which no two systems agree, looked at when all are judged."""
    sentences = [sentence(f"{n} one", f"{n} two", f"{n} three", f"{n} four") for n in range(SENTENCES)]
    campaign = draft(
        items=SENTENCES,
        corpus=small_corpus(sentences=sentences),
        protocol=RANKING,
        sampling="uniform",
        outputs_per_screen=len(SYSTEMS),
        annotators_per_item=2,
        shared_percent=100,
        stops_when=stops_when,
        stop_after=SENTENCES,
    )
    launch(campaign, progress=no_progress)
    return campaign


def judge_all(campaign: Campaign, *, name: str = "anna", alike: tuple[str, ...] = ()) -> None:
    """Rank systems as `SYSTEMS` names them, the last the best, and some now so, now in reverse order."""
    [annotator] = cast(campaign, name)
    turn = 0
    while (showing := give_next_showing(annotator)) is not None:
        turn += 1
        order = [*SYSTEMS]
        if turn % 2:
            places = sorted(map(SYSTEMS.index, alike))
            for place, system in zip(places, reversed([SYSTEMS[place] for place in places]), strict=True):
                order[place] = system
        shown = [order.index(one.systems[0]) for one in shown_outputs(showing)]
        answer(showing, ratings=[RatingValue(rank=len(order) - place) for place in shown])


def look(campaign: Campaign) -> Job:
    queue_due_looks()
    return after_working(Job.objects.get())


def state_of(campaign: Campaign) -> str:
    campaign.refresh_from_db()
    return campaign.state


@pytest.mark.any_database
@pytest.mark.django_db
class TestLooks:
    """From the judgments to the state of the campaign."""

    def test_a_settled_order_closes_the_campaign(self) -> None:
        campaign = stopping_campaign()
        judge_all(campaign)
        job = look(campaign)
        assert job.state == JobState.DONE
        assert job.result is not None
        assert job.result["summary"] == "3 of 3 borders settled. The campaign is closed."
        assert state_of(campaign) == CampaignState.CLOSED
        assert AuditEntry.objects.filter(action="close").count() == 1
        assert look_at_campaign(campaign, NoProgress()) == "No look is due."

    def test_two_equal_systems_keep_the_order_open_but_not_the_first_place(self) -> None:
        campaign = stopping_campaign()
        judge_all(campaign, alike=("Alder", "Birch"))
        look(campaign)
        watch = Watch.objects.get()
        assert (watch.settled, watch.borders, watch.judgments) == (2, 3, SENTENCES)
        assert state_of(campaign) == CampaignState.RUNNING
        campaign.design.stops_when = StopsWhen.FIRST
        campaign.design.save()
        Watch.objects.update(next_look=SENTENCES)
        assert look_at_campaign(campaign, NoProgress()) == "3 of 3 borders settled. The campaign is closed."

    def test_controls_and_excluded_annotators_do_not_count(self) -> None:
        campaign = stopping_campaign()
        campaign.systems.filter(name="Alder").update(role=SystemRole.CONTROL)
        judge_all(campaign, name="anna", alike=("Alder", "Birch"))
        judge_all(campaign, name="ben", alike=("Birch", "Cedar"))
        exclude(campaign.annotators.get(name="ben"), reason="careless")
        assert look_at_campaign(campaign, NoProgress()) == "2 of 2 borders settled. The campaign is closed."
        assert Watch.objects.get().judgments == SENTENCES

    def test_pieces_of_any_size_give_the_same(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(kept_snapshots, "JUDGMENTS_PER_PIECE", 7)
        campaign = stopping_campaign()
        judge_all(campaign, alike=("Alder", "Birch"))
        assert look_at_campaign(campaign, NoProgress()) == "2 of 3 borders settled."

    def test_a_cancelled_look_is_not_repeated_at_once(self) -> None:
        campaign = stopping_campaign()
        judge_all(campaign)
        queue_due_looks()
        cancel(Job.objects.get())
        queue_due_looks()
        assert Job.objects.count() == 1
        assert Watch.objects.get().next_look == 48

    def test_a_campaign_too_large_to_read_is_not_looked_at_every_minute(
        self, settings: pytest.FixtureRequest
    ) -> None:
        settings.SNAPSHOT_MAX_RATINGS = 10  # type: ignore[attr-defined]  # of pytest-django
        campaign = stopping_campaign()
        judge_all(campaign)
        assert "too many to analyse" in look(campaign).error
        queue_due_looks()
        assert Job.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_a_killed_look_is_repeated_and_closes_the_campaign_once(tmp_path: Path) -> None:
    campaign = stopping_campaign()
    judge_all(campaign)
    queue_due_looks()
    job = Job.objects.get()
    with held_worker(tmp_path, step="Looking at the ranking") as victim:
        victim.kill()
    assert state_of(campaign) == CampaignState.RUNNING
    run_out(job)
    sweep()
    assert after_working(job).state == JobState.DONE
    assert state_of(campaign) == CampaignState.CLOSED
    assert AuditEntry.objects.filter(action="close").count() == 1
