"""Hand-out under any sequence of annotators' actions, with a clock that moves."""

from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

import pytest
from django.db import transaction
from django.db.models import Q
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from annotate.campaigns.lifecycle import pause, resume
from annotate.design.protocols import Answer, RatingValue
from annotate.judging.handout import answers, give_next_showing, save_draft, shown_outputs
from annotate.judging.skipped_items import drop, release
from annotate.judgments.queries import snapshot
from annotate.models import (
    Annotator,
    Assignment,
    AssignmentState,
    Campaign,
    CampaignState,
    Corpus,
    Item,
    Judgment,
    JudgmentState,
    Revision,
    Sampling,
    Showing,
    Slot,
    SlotState,
)
from tests.annotate.protocols import said
from tests.annotate.running import LEASE, MANY_OUTPUTS, NOON, ONE_OUTPUT, answer, cast, pass_over, running
from tests.annotate.samples import small_corpus
from tests.depth import DEEP, examples

SECOND = timedelta(seconds=1)
DISTANCE = 3
"""Screens before a repeat; ten would need longer stories."""

COUNTING = (JudgmentState.COMPLETE, JudgmentState.AUTO)
CROWDED = {"listed_sentences": [0, 1], "annotators_per_item": 2, "shared_percent": 100, "batch_size": 2}
"""Fewer slots than people want: what one leaves is soon another's."""
REPEATED = {
    "listed_sentences": [*MANY_OUTPUTS, ONE_OUTPUT, *MANY_OUTPUTS],
    "annotators_per_item": 2,
    "shared_percent": 60,
    "repeat_percent": 60,
    "batch_size": 3,
}

SEPARATED = {
    "listed_sentences": [*MANY_OUTPUTS, *MANY_OUTPUTS],
    "annotators_per_item": 2,
    "shared_percent": 100,
    "repeat_percent": 50,
    "batch_size": 2,
    "separates_domains": True,
    "time_zone": "Asia/Kolkata",
}
"""Two domains, one a day; midnight comes in the afternoon of the clock."""

PERSONS = st.integers(0, 2)
TABS = st.integers(0, 50)
RANKS = st.lists(st.integers(1, 4), min_size=4, max_size=4)


class HandOut(RuleBasedStateMachine):
    """Three annotators of a campaign. A tab is a showing that somebody has opened, however long ago."""

    def __init__(self, corpus: Corpus, design: dict[str, Any]) -> None:
        super().__init__()
        self.story = transaction.atomic()
        self.story.__enter__()
        self.campaign = running(corpus=corpus, sampling=Sampling.LISTED, **design)
        self.people = cast(self.campaign, "anna ben cleo")
        self.now = NOON
        self.tabs: list[Showing] = []
        self.answers: dict[UUID, tuple[Showing, Answer]] = {}
        self.days: dict[tuple[int, date], set[str]] = defaultdict(set)
        """The domains of what each annotator has answered or skipped on a day while it was theirs."""
        self.screens: dict[int, list[int]] = {person.pk: [] for person in self.people}
        """The showings that each annotator has answered or skipped, by the time of their first answer."""
        self.here = set(range(len(self.people)))

    def teardown(self) -> None:
        try:
            self.run_to_the_end()
            self.what_is_left_cannot_be_given_out()
            self.nothing_waits_for_annotators_who_left()
        finally:
            transaction.set_rollback(True)
            self.story.__exit__(None, None, None)

    @precondition(lambda self: len(self.here) > 1)
    @rule(person=PERSONS)
    def leave_for_good(self, person: int) -> None:
        self.here.discard(person)
        self.tabs = [tab for tab in self.tabs if tab.annotator != self.people[person]]

    @rule(person=PERSONS)
    def ask(self, person: int) -> None:
        if person not in self.here:
            return
        showing = give_next_showing(self.people[person], now=self.now)
        if showing is None:
            return
        assert not Judgment.objects.filter(showing=showing).exclude(state=JudgmentState.SKIPPED).exists()
        self.tabs.append(showing)

    @precondition(lambda self: self.tabs)
    @rule(tab=TABS, ranks=RANKS)
    def answer(self, tab: int, ranks: list[int]) -> None:
        showing = self.tabs[-1 - tab % len(self.tabs)]
        given = said(ranks, len(shown_outputs(showing)))
        key = uuid4()
        self.answers[key] = (showing, given)
        self.pass_screen(showing)
        answer(showing, self.now, key=key, said=given)

    @precondition(lambda self: self.answers)
    @rule(which=TABS)
    def send_again(self, which: int) -> None:
        key = list(self.answers)[-1 - which % len(self.answers)]
        showing, given = self.answers[key]
        stored = answer(showing, self.now, key=key, said=given)
        assert stored.revisions.filter(submission_key=key).exists()

    @precondition(lambda self: self.tabs)
    @rule(tab=TABS)
    def pass_over(self, tab: int) -> None:
        showing = self.tabs[-1 - tab % len(self.tabs)]
        self.pass_screen(showing)
        pass_over(showing, self.now)

    @precondition(lambda self: self.tabs)
    @rule(tab=TABS)
    def enter_something(self, tab: int) -> None:
        showing = self.tabs[-1 - tab % len(self.tabs)]
        save_draft(showing.annotator, showing.uuid, {"rank-0": "1"}, now=self.now)

    @rule(pause=st.sampled_from([LEASE / 4, LEASE - SECOND, LEASE + SECOND, 10 * LEASE]))
    def wait(self, pause: timedelta) -> None:
        self.now += pause

    @rule()
    def release_what_is_held(self) -> None:
        for item in Item.objects.filter(slots__state=SlotState.HELD).distinct():
            release(item)

    @rule()
    def drop_one_that_is_held(self) -> None:
        item = Item.objects.filter(slots__state=SlotState.HELD).first()
        if item is not None:
            drop(item)

    @rule()
    def rest_or_go_on(self) -> None:
        (pause if self.campaign.state == CampaignState.RUNNING else resume)(self.campaign)

    @invariant()
    def no_slot_is_filled_twice(self) -> None:
        counting = Judgment.objects.filter(state__in=COUNTING)
        filled = Slot.objects.filter(state=SlotState.FILLED)
        assert sorted(counting.values_list("slot", flat=True)) == sorted(filled.values_list("pk", flat=True))
        assert not Judgment.objects.exclude(state__in=COUNTING).exclude(slot=None).exists()

    @invariant()
    def nobody_judges_an_item_twice_but_for_planned_repeats(self) -> None:
        judged = Counter(
            Judgment.objects.filter(state__in=COUNTING, slot__repeats=None).values_list("annotator", "item")
        )
        assert set(judged.values()) <= {1}
        for slot in Slot.objects.exclude(repeats=None).filter(state=SlotState.FILLED):
            assert slot.repeats is not None
            assert slot.judgment.annotator == slot.repeats.judgment.annotator

    @invariant()
    def repeats_keep_their_distance(self) -> None:
        for showing in Showing.objects.exclude(slot__repeats=None).select_related("slot__repeats__judgment"):
            assert showing.slot.repeats is not None
            screens = self.screens[showing.annotator_id]
            first = screens.index(showing.slot.repeats.judgment.showing_id or 0)
            again = screens.index(showing.pk) if showing.pk in screens else len(screens)
            assert again - first > DISTANCE

    @invariant()
    def leases_are_claims_on_items_not_met_before(self) -> None:
        leased = Slot.objects.filter(state=SlotState.LEASED).select_related("assignment")
        for slot in leased:
            assert slot.assignment is not None
            assert slot.assignment.annotator_id == slot.annotator_id
            assert slot.assignment.state == AssignmentState.ACTIVE
            met = Judgment.objects.filter(annotator=slot.annotator_id, item=slot.item_id)
            assert not met.exists()
        active = Assignment.objects.filter(state=AssignmentState.ACTIVE)
        assert {claim.pk for claim in active} == {slot.assignment_id for slot in leased}
        assert set(Counter(claim.annotator_id for claim in active).values()) <= {1}

    @invariant()
    def kept_numbers_are_what_counting_gives(self) -> None:
        for annotator in Annotator.objects.filter(campaign=self.campaign):
            judgments = Judgment.objects.filter(annotator=annotator)
            revisions = Revision.objects.filter(judgment__annotator=annotator)
            states = Counter(judgments.values_list("state", flat=True))
            assert {state: getattr(annotator, state) for state in JudgmentState.values} == {
                state: states[state] for state in JudgmentState.values
            }
            assert annotator.answers_sent == revisions.count()
            assert annotator.active_ms == sum(filter(None, revisions.values_list("active_ms", flat=True)))
            hours = annotator.answered_hours.order_by("hour").values_list("filled_before", flat=True)
            assert list(hours) == sorted(hours)
        assert self.campaign.slots.count() == Campaign.objects.get(pk=self.campaign.pk).slot_count

    @invariant()
    def a_day_has_one_domain(self) -> None:
        if self.campaign.design.separates_domains:
            assert all(len(domains) == 1 for domains in self.days.values())

    @invariant()
    def held_items_have_no_free_slots(self) -> None:
        assert not Slot.objects.filter(item__is_held=True, state=SlotState.FREE).exists()

    @invariant()
    def every_answer_is_stored_once_as_given(self) -> None:
        said_something = Q(ratings__isnull=False) | Q(verdict__isnull=False)
        stored = Revision.objects.exclude(judgment__state=JudgmentState.AUTO).filter(said_something)
        assert sorted(stored.distinct().values_list("submission_key", flat=True)) == sorted(self.answers)
        for revision in stored.distinct().prefetch_related("ratings").select_related("judgment"):
            showing, given = self.answers[revision.submission_key]
            stored_values = [
                RatingValue(rating.rank, rating.score, rating.meaning_changed, rating.touched)
                for rating in revision.ratings.all()
            ]
            beside = (revision.texts, revision.verdict, revision.details or {})
            assert Answer(tuple(stored_values), *beside) == given
            assert (revision.judgment.showing_id, revision.judgment.annotator_id) == (
                showing.pk,
                showing.annotator_id,
            )

    @invariant()
    def the_snapshot_holds_what_counts(self) -> None:
        frame = snapshot(self.campaign).drop_duplicates("judgment")
        counted = Judgment.objects.exclude(state=JudgmentState.SURPLUS)
        assert sorted(frame["judgment"]) == sorted(
            str(uuid) for uuid in counted.values_list("uuid", flat=True)
        )
        answered = frame[frame["state"].isin(COUNTING)]
        assert not answered.duplicated(["item", "repetition"]).any()

    def pass_screen(self, showing: Showing) -> None:
        if showing.pk not in self.screens[showing.annotator_id]:
            self.screens[showing.annotator_id].append(showing.pk)
            if Slot.objects.filter(showings=showing, annotator=showing.annotator_id).exists():
                day = self.now.astimezone(ZoneInfo(self.campaign.design.time_zone)).date()
                self.days[showing.annotator_id, day].add(showing.slot.item.sentence.domain)

    def run_to_the_end(self) -> None:
        if self.campaign.state == CampaignState.PAUSED:
            self.rest_or_go_on()
        self.now += LEASE + SECOND
        asked = -1
        while asked != len(self.tabs):
            asked = len(self.tabs)
            self.now += timedelta(days=1)
            for person in self.here:
                while True:
                    before = len(self.tabs)
                    self.ask(person)
                    if len(self.tabs) == before:
                        break
                    self.answer(0, [1, 2, 3, 4])
        self.check_invariants_at_the_end()

    def check_invariants_at_the_end(self) -> None:
        checks: list[Callable[[], None]] = [
            self.no_slot_is_filled_twice,
            self.nobody_judges_an_item_twice_but_for_planned_repeats,
            self.repeats_keep_their_distance,
            self.a_day_has_one_domain,
            self.leases_are_claims_on_items_not_met_before,
            self.held_items_have_no_free_slots,
            self.every_answer_is_stored_once_as_given,
            self.the_snapshot_holds_what_counts,
        ]
        for check in checks:
            check()

    def nothing_waits_for_annotators_who_left(self) -> None:
        slots = self.campaign.slots
        assert not slots.filter(state=SlotState.LEASED).exists()
        if not slots.filter(state=SlotState.FREE).exists():
            waiting = slots.filter(state=SlotState.RESERVED, lapsed_at=None)
            assert not waiting.exclude(repeats__state=SlotState.HELD).exists()

    def what_is_left_cannot_be_given_out(self) -> None:
        for slot in self.campaign.slots.exclude(
            state__in=(SlotState.FILLED, SlotState.HELD, SlotState.DROPPED)
        ):
            if slot.state == SlotState.RESERVED:
                annotator = slot.annotator and Annotator.objects.get(pk=slot.annotator.pk)
                has_left = annotator not in [self.people[person] for person in self.here]
                assert annotator is None or has_left or annotator.screens < (slot.due_at_screen or 0)
                assert (annotator is None) == (slot.repeats is not None and slot.repeats.state != "filled")
            else:
                assert slot.state == SlotState.FREE
                met = set(Judgment.objects.filter(item=slot.item).values_list("annotator", flat=True))
                assert met >= {self.people[person].pk for person in self.here}


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.any_protocol
@pytest.mark.usefixtures("protocol")
@pytest.mark.parametrize(
    "design",
    [
        pytest.param(CROWDED, id="crowded"),
        pytest.param(REPEATED, marks=pytest.mark.any_database, id="repeated"),
        pytest.param(SEPARATED, marks=pytest.mark.any_database, id="separated"),
    ],
)
def test_random_actions_of_annotators(monkeypatch: pytest.MonkeyPatch, design: dict[str, Any]) -> None:
    monkeypatch.setattr(answers, "REPEAT_DISTANCE", DISTANCE)
    corpus = small_corpus()
    run_state_machine_as_test(
        lambda: HandOut(corpus, design),  # type: ignore[arg-type]  # it calls what it is given
        settings=settings(
            max_examples=examples(15),
            stateful_step_count=40 if DEEP else 25,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        ),
    )
