"""The states of a campaign that is run here."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from annotate.campaigns.launch_plans import plan_launch
from annotate.campaigns.lifecycle import (
    CampaignError,
    clone,
    close,
    create_campaign,
    launch,
    pause,
    resume,
    store_launch,
)
from annotate.database.staging import ABANDONED_AFTER
from annotate.design.sampling import SamplingError
from annotate.models import Batch, Campaign, CampaignState, Design, Item, ItemOutput, Sampling, Slot
from tests.annotate.faults import crash, fail_at, press_ctrl_c
from tests.annotate.protocols import RANKING
from tests.annotate.running import NOON, draft, listed, running
from tests.annotate.samples import no_progress, small_corpus
from tests.annotate.tables import contents

pytestmark = pytest.mark.django_db

LONG_AGO = NOON - 2 * ABANDONED_AFTER


class TestDraft:
    """Before the launch."""

    def test_asks_nobody_yet(self) -> None:
        campaign = draft()
        assert campaign.state == CampaignState.DRAFT
        assert not campaign.items.exists()
        assert campaign.design.batch_size == 2

    @pytest.mark.parametrize("name", ["taken", " blanks ", ""])
    def test_needs_a_name_of_its_own(self, name: str) -> None:
        corpus = small_corpus()
        draft("taken", corpus=corpus)
        before = contents()
        with pytest.raises(ValidationError):
            draft(name, corpus=corpus)
        assert contents() == before

    @pytest.mark.parametrize(
        "changes",
        [
            {"outputs_per_screen": 10},
            {"batch_size": 0},
            {"repeat_percent": 101},
            {"annotators_per_item": 0},
            {"sampling": "by dice"},
        ],
    )
    def test_needs_a_possible_design(self, changes: dict[str, Any]) -> None:
        corpus = small_corpus()
        before = contents()
        with pytest.raises(ValidationError):
            draft(corpus=corpus, protocol=RANKING, **changes)
        assert contents() == before

    def test_can_be_looked_at_before_it_is_launched(self) -> None:
        campaign = draft(items=4, repeat_percent=25)
        plan = plan_launch(campaign)
        slots = plan.assignment
        assert (len(plan.items), len(slots.slots), len(slots.repeats), slots.batches) == (4, 4, 1, 2)
        store_launch(plan, progress=no_progress)
        assert campaign.items.count() + campaign.slots.count() == plan.rows


class TestLaunch:
    """Drawing the items and laying out the slots."""

    def test_stores_items_batches_and_slots_and_opens_the_campaign(self) -> None:
        told: list[int] = []
        campaign = draft(items=5, annotators_per_item=2, shared_percent=40, repeat_percent=20)
        launch(campaign, progress=told.append)
        campaign.refresh_from_db()
        assert campaign.state == CampaignState.RUNNING
        assert campaign.items.count() == 5
        assert sum(told) == campaign.items.count() + campaign.slots.count()
        assert campaign.batches.count() == 3 + 1
        assert campaign.slots.filter(state="free", repeats=None).count() == 5 + 2
        assert campaign.slots.filter(state="reserved").exclude(repeats=None).count() == 1

    def test_items_show_outputs_of_the_chosen_systems_alone(self) -> None:
        corpus = small_corpus()
        chosen = list(corpus.systems.filter(name__in=["Alder", "Cedar"]))
        campaign = create_campaign(
            name="two",
            corpus=corpus,
            protocol="relative-ranking",
            systems=chosen,
            design=Design(**listed(3)),
        )
        launch(campaign, progress=no_progress)
        shown = ItemOutput.objects.filter(item__campaign=campaign)
        assert {name for output in shown for name in output.systems} == {"Alder", "Cedar"}
        assert [output.systems for output in shown.filter(item__number=0)] == [["Alder"], ["Cedar"]]

    def test_an_item_with_one_output_is_not_repeated(self) -> None:
        campaign = running(sampling=Sampling.LISTED, listed_sentences=[0, 2], repeat_percent=100)
        repeat = Slot.objects.exclude(repeats=None).get()
        assert (repeat.campaign, repeat.item.number) == (campaign, 0)

    def test_a_secret_draws_the_same_campaign_again(self) -> None:
        def laid_out(name: str, secret: str) -> list[object]:
            campaign = running(
                name,
                corpus=corpus,
                sampling=Sampling.UNIFORM,
                with_replacement=True,
                items=30,
                secret=secret,
                outputs_per_screen=2,
                annotators_per_item=2,
                shared_percent=50,
                repeat_percent=10,
            )
            items = campaign.items.order_by("number")
            outputs = ItemOutput.objects.filter(item__campaign=campaign).order_by("pk")
            slots = campaign.slots.order_by("batch__number", "position", "item__number")
            return [
                *items.values_list("sentence"),
                *outputs.values_list("item__number", "output"),
                *slots.values_list("item__number", "repetition", "batch__number", "position"),
            ]

        corpus = small_corpus()
        assert laid_out("one", "1") == laid_out("same", "1") != laid_out("other", "2")

    def test_happens_once(self) -> None:
        campaign = running()
        before = contents()
        with pytest.raises(CampaignError, match=r"^Campaign 'campaign' is running\.$"):
            launch(campaign, progress=no_progress)
        assert contents() == before

    def test_two_at_once_are_one(self) -> None:
        one = draft()
        other = Campaign.objects.get(pk=one.pk)
        with pytest.raises(CampaignError, match="is launching"):
            launch(one, progress=lambda _: launch(other, progress=no_progress))

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"sampling": Sampling.DIVERSE, "items": 4, "outputs_per_screen": 5}, "4 systems are fewer than"),
            ({"sampling": Sampling.UNIFORM, "items": 9}, "9 sentences asked for, but only 4 can be drawn"),
            ({"listed_sentences": [0, 9]}, "entry 2 of the list is 9, but the corpus has 4 sentences"),
        ],
    )
    def test_reports_missing_outputs_and_leaves_the_draft(
        self, changes: dict[str, Any], message: str
    ) -> None:
        campaign = draft(**changes)
        before = contents()
        with pytest.raises(SamplingError, match=message):
            launch(campaign, progress=no_progress)
        assert contents() == before

    @pytest.mark.parametrize("table", [Item, ItemOutput, Batch, Slot])
    @pytest.mark.parametrize(("fault", "error"), [(crash, RuntimeError), (press_ctrl_c, KeyboardInterrupt)])
    def test_a_failure_in_the_middle_leaves_the_draft_as_it_was(
        self, monkeypatch: pytest.MonkeyPatch, table: type[Item], fault: object, error: type[BaseException]
    ) -> None:
        campaign = draft()
        before = contents()
        fail_at(monkeypatch, table, 1, fault)  # type: ignore[arg-type]
        with pytest.raises(error):
            launch(campaign, progress=no_progress)
        monkeypatch.undo()
        assert contents() == before
        launch(campaign, progress=no_progress)
        assert campaign.state == CampaignState.RUNNING

    def test_a_killed_one_can_be_repeated_when_it_has_stood_still(self) -> None:
        campaign = running(items=3)
        Campaign.objects.update(state=CampaignState.LAUNCHING, touched_at=timezone.now())
        with pytest.raises(CampaignError, match="is launching"):
            launch(campaign, progress=no_progress)
        Campaign.objects.update(touched_at=LONG_AGO)
        launch(campaign, progress=no_progress)
        assert campaign.state == CampaignState.RUNNING
        assert campaign.items.count() == campaign.slots.count() == 3

    def test_a_launch_known_to_be_killed_is_taken_over_at_once(self) -> None:
        campaign = running(items=3)
        Campaign.objects.update(state=CampaignState.LAUNCHING, touched_at=timezone.now())
        store_launch(plan_launch(campaign), progress=no_progress, takes_over=True)
        assert campaign.state == CampaignState.RUNNING
        assert campaign.items.count() == campaign.slots.count() == 3

    def test_one_that_woke_up_too_late_leaves_the_other_ones_work(self) -> None:
        def fall_asleep(_: int) -> None:
            Campaign.objects.update(touched_at=LONG_AGO)
            launch(Campaign.objects.get(pk=campaign.pk), progress=no_progress)

        campaign = draft(items=3)
        with pytest.raises(CampaignError, match="Another launch of 'campaign' has taken over"):
            launch(campaign, progress=fall_asleep)
        campaign.refresh_from_db()
        assert campaign.state == CampaignState.RUNNING
        assert campaign.items.count() == campaign.slots.count() == 3


class TestStates:
    """Pausing, resuming, closing."""

    def test_a_campaign_is_paused_resumed_closed_and_opened_again(self) -> None:
        campaign = running()
        for verb, state in ((pause, "paused"), (resume, "running"), (close, "closed"), (resume, "running")):
            verb(campaign)
            campaign.refresh_from_db()
            assert campaign.state == state

    @pytest.mark.parametrize("verb", [pause, resume, close])
    def test_a_draft_knows_none_of_this(self, verb: object) -> None:
        with pytest.raises(CampaignError, match=r"^Campaign 'campaign' is draft\.$"):
            verb(draft())  # type: ignore[operator]

    def test_an_outdated_page_gets_the_present_state(self) -> None:
        campaign = running()
        old_page = Campaign.objects.get(pk=campaign.pk)
        close(campaign)
        with pytest.raises(CampaignError, match="is closed"):
            pause(old_page)
        assert old_page.state == CampaignState.CLOSED


class TestClone:
    """A frozen campaign is changed by cloning it."""

    def test_is_a_draft_of_the_same_design(self) -> None:
        campaign = running(batch_size=7, guidelines="# Read me", annotators_per_item=3)
        copy = clone(campaign, name="copy")
        assert copy.state == CampaignState.DRAFT
        assert not copy.items.exists()
        assert list(copy.systems.order_by("pk")) == list(campaign.systems.order_by("pk"))
        fields = [field.name for field in Design._meta.fields if field.name not in ("id", "campaign")]
        original, copied = (Design.objects.filter(campaign=owner) for owner in (campaign, copy))
        assert original.values(*fields)[0] == copied.values(*fields)[0]

    def test_leaves_the_original_its_own_design(self) -> None:
        campaign = running()
        design = clone(campaign, name="copy").design
        design.batch_size = 99
        design.save()
        assert campaign.design.campaign == campaign
        assert Design.objects.get(campaign=campaign).batch_size == 2

    def test_needs_a_name_of_its_own(self) -> None:
        campaign = running()
        with pytest.raises(ValidationError, match="Another campaign has this name"):
            clone(campaign, name="campaign")
        assert campaign.design.campaign == campaign
