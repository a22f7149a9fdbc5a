"""Answers: each is stored once, and its slot is filled or freed."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import (
    Case,
    Exists,
    F,
    PositiveIntegerField,
    Q,
    Subquery,
    Value,
    When,
)
from django.utils import timezone

from annotate.database.annotator_counts import count_answer
from annotate.design.assignment import REPEAT_DISTANCE
from annotate.design.protocols import Answer, Question
from annotate.judging.domains import settle_domain
from annotate.judging.handout.leases import free, is_worth_renewing, renew
from annotate.judging.handout.locks import lock, locked_campaign
from annotate.judging.handout.places import AnswerPlace, place_of
from annotate.judging.handout.screens import Screen, give_screen_on_lease
from annotate.judging.handout.statements import counted_statements
from annotate.judging.stored_answers import add_ratings, beside_ratings
from annotate.models import (
    Annotator,
    Assignment,
    Campaign,
    CampaignState,
    Item,
    Judgment,
    JudgmentState,
    Revision,
    Slot,
    SlotState,
)
from formats.snapshot.vocabulary import Opinion
from formats.text.tokens_back import rules_on_screen

NOBODYS = (SlotState.FREE, SlotState.HELD, SlotState.DROPPED)

Reading = Callable[[Question], Answer]
"""Returns the answer to what is asked; if it raises, nothing is stored."""


@dataclass(frozen=True, slots=True)
class Submission:
    """The data that arrive with an answer.

    Attributes:
        key: made by the browser for this answer; sent twice, it counts once.
        started_at: when the item was opened, by the browser's clock.
        active_ms: milliseconds in which the page was visible and had the focus.
        note: what the annotator reports about the item.
        revises: number of the answer that it is meant to replace, 0 for none; None if unknown.
    """

    key: UUID
    started_at: datetime | None = None
    active_ms: int | None = None
    note: str = ""
    revises: int | None = None


@dataclass(frozen=True, slots=True)
class OpinionToShow:
    """A machine's opinion about this showing is to be shown now that the answer is stored."""

    showing: UUID


class AnsweredMeanwhileError(Exception):
    """The screen has a different answer than the one that this would replace; nothing was stored.

    Attributes:
        number: of the answer that it has.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def submit(
    annotator: Annotator,
    showing: UUID,
    read: Reading,
    submission: Submission,
    *,
    now: datetime | None = None,
) -> Judgment:
    """Store an answer.

    A key that is stored already changes nothing. Another answer to the same showing is a new revision of the
    judgment. An answer whose slot was given to someone else in the meantime is *surplus*.

    Raises:
        Showing.DoesNotExist: the annotator was not shown this.
        AnsweredMeanwhileError: it was answered since the screen was opened.
    """
    with transaction.atomic():
        lock(annotator)
        judgment, _ = _store(annotator, showing, read, submission, now or timezone.now())
        return judgment


def skip(
    annotator: Annotator, showing: UUID, submission: Submission, *, now: datetime | None = None
) -> Judgment:
    """Store that the annotator does not judge the item, and free the slot for someone else.

    An item that was answered before stays answered.

    Raises:
        Showing.DoesNotExist: the annotator was not shown this.
        AnsweredMeanwhileError: it was answered since the screen was opened.
    """
    with transaction.atomic():
        lock(annotator)
        return _pass_over(annotator, showing, submission, now or timezone.now())


def submit_and_go_on(
    annotator: Annotator, showing: UUID, read: Reading, submission: Submission
) -> Screen | OpinionToShow | None:
    """Store an answer of the annotator, who was locked when they were read, and assign their next screen.

    If they are to see a machine's opinion first, nothing is assigned. Returns only a screen that is already
    on lease, else None (`give_next_screen` hands out more): steps that may wait for others, or fail, must not
    delay or roll back an answer. Also returns None after an answer that took unusually many statements.

    Raises:
        Showing.DoesNotExist: the annotator was not shown this.
        AnsweredMeanwhileError: it was answered since the screen was opened.
    """
    now = timezone.now()
    with counted_statements() as statements:
        _, opinion = _store(annotator, showing, read, submission, now)
    if opinion == Opinion.SHOWN_AFTER:
        return OpinionToShow(showing)
    return _next(annotator, now) if statements.leave_room_for_next_screen else None


def skip_and_go_on(annotator: Annotator, showing: UUID, submission: Submission) -> Screen | None:
    """Store that the annotator, who was locked when they were read, does not judge the item.

    Returns the next screen under the conditions of `submit_and_go_on`.

    Raises:
        Showing.DoesNotExist: the annotator was not shown this.
        AnsweredMeanwhileError: it was answered since the screen was opened.
    """
    now = timezone.now()
    with counted_statements() as statements:
        _pass_over(annotator, showing, submission, now)
    return _next(annotator, now) if statements.leave_room_for_next_screen else None


def _next(annotator: Annotator, now: datetime) -> Screen | None:
    # An answer has renewed its lease already.
    return give_screen_on_lease(annotator, now, renews=False)


def _store(
    annotator: Annotator, showing: UUID, read: Reading, submission: Submission, now: datetime
) -> tuple[Judgment, str | None]:
    """The stored judgment, and what its answer says about a machine's opinion."""
    place = place_of(annotator, showing, submission.key)
    judgment = place.judgment
    if place.is_stored:
        return judgment, place.stored_opinion
    _check_revised(submission, place.revisions)
    answer = read(_question(place, annotator.campaign))
    before, was_reported = judgment.state, judgment.is_reported
    _leave(annotator, place, now)
    if judgment.state not in (JudgmentState.COMPLETE, JudgmentState.SURPLUS):
        _take_slot(judgment, place, annotator)
    judgment.is_reported = bool(submission.note)
    if place.is_first or (judgment.state, judgment.is_reported) != (before, was_reported):
        judgment.save()
    revision = _add_revision(place, submission, now, answer, place.opinion)
    add_ratings(revision, answer, place.item_outputs)
    _count(annotator, place, before, submission, now)
    return judgment, place.opinion


def _question(place: AnswerPlace, campaign: Campaign) -> Question:
    # How outputs are shown depends on their texts, and does not matter for an answer that rates them.
    rules = None if place.item_outputs else rules_on_screen(campaign.text_rules, place.source)
    return Question(
        place.source,
        len(place.item_outputs),
        campaign.options,
        rules,
        prepared=place.prepared,
        texts=place.texts,
    )


def _pass_over(annotator: Annotator, showing: UUID, submission: Submission, now: datetime) -> Judgment:
    place = place_of(annotator, showing, submission.key)
    judgment, before = place.judgment, place.judgment.state
    if place.is_stored:
        return judgment
    _check_revised(submission, place.revisions)
    if before in (JudgmentState.COMPLETE, JudgmentState.SURPLUS):
        return judgment
    _leave(annotator, place, now)
    if place.is_first:
        judgment.state = JudgmentState.SKIPPED
        judgment.save()
    # Nothing is shown after a skip, which may still become an answer.
    opinion = Opinion.NOT_SHOWN if place.opinion == Opinion.SHOWN_AFTER else place.opinion
    _add_revision(place, submission, now, Answer(), opinion)
    _give_on(place, annotator)
    _count(annotator, place, before, submission, now)
    return judgment


def _count(
    annotator: Annotator, place: AnswerPlace, before: str, submission: Submission, now: datetime
) -> None:
    active_ms = submission.active_ms or 0
    count_answer(annotator, before=before, after=place.judgment.state, active_ms=active_ms, now=now)


def _check_revised(submission: Submission, current: int) -> None:
    """AnsweredMeanwhileError if another tab has answered since this answer's screen was opened."""
    if submission.revises is not None and submission.revises != current:
        raise AnsweredMeanwhileError(current)


def _leave(annotator: Annotator, place: AnswerPlace, now: datetime) -> None:
    """The annotator is done with the screen, for the first time or once more, and active."""
    # An annotator without a claim on the slot cannot get one in the meantime, and has no lease to end.
    is_theirs = place.annotator == annotator.pk
    if is_theirs and (place.is_last or is_worth_renewing(place.leased_until, annotator, now)):
        renew(annotator, now, is_done=place.is_last)
    if not place.is_first:
        return
    annotator.screens += 1
    if is_theirs or place.annotator is None:
        settle_domain(annotator, place.domain, now)


def _add_revision(
    place: AnswerPlace, submission: Submission, now: datetime, answer: Answer, opinion: Opinion | None
) -> Revision:
    """Add a revision to the stored judgment that is now the current one."""
    if not place.is_first:
        place.judgment.revisions.filter(is_current=True).update(is_current=False)
    return Revision.objects.create(
        judgment=place.judgment,
        number=place.revisions + 1,
        submission_key=submission.key,
        started_at=submission.started_at,
        submitted_at=now,
        active_ms=submission.active_ms,
        note=submission.note,
        opinion=opinion,
        **beside_ratings(answer),
    )


def _take_slot(judgment: Judgment, place: AnswerPlace, annotator: Annotator) -> None:
    """Fill the slot with the judgment if it is still available; else the judgment is surplus."""
    is_open = annotator.campaign.state != CampaignState.CLOSED
    if is_open and (_fill_own(place, annotator) or _fill_late(place, annotator)):
        judgment.state = JudgmentState.COMPLETE
        judgment.slot_id = place.slot
    else:
        judgment.state = JudgmentState.SURPLUS


def _fill_own(place: AnswerPlace, annotator: Annotator) -> bool:
    """Fill the slot if the annotator has it on lease or reserved, and reserve its planned repeat for them."""
    if place.annotator != annotator.pk:
        return False
    slot = Slot.objects.filter(pk=place.slot, annotator=annotator).exclude(state=SlotState.FILLED)
    # A repeat belongs to the batch in which it is answered, so that progress counts it.
    batch = {} if place.repeats is None else {"assignment": _last_assignment(annotator)}
    if not slot.update(state=SlotState.FILLED, **batch):
        return False
    if place.repeat is not None:
        Slot.objects.filter(pk=place.repeat).update(annotator=annotator, due_at_screen=_due(annotator))
    return True


def _fill_late(place: AnswerPlace, annotator: Annotator) -> bool:
    """Fill the slot if it is free by now, and reserve its planned repeat.

    One statement is enough because the row of the campaign is locked.
    """
    locked_campaign(annotator.campaign_id)
    late = Slot.objects.filter(pk=place.slot, annotator=None, repeats=None, state__in=NOBODYS)
    slot = When(pk=place.slot, then=Value(SlotState.FILLED))
    due = Value(_due(annotator), output_field=PositiveIntegerField())
    repeat = When(pk=place.repeat, then=due)
    filled = Slot.objects.filter(Exists(late), Q(pk=place.slot) | Q(pk=place.repeat)).update(
        annotator=annotator,
        assignment=Case(When(pk=place.slot, then=_last_assignment(annotator)), default=F("assignment")),
        state=Case(slot, default=F("state")),
        due_at_screen=Case(repeat, default=F("due_at_screen")),
    )
    return bool(filled)


def _last_assignment(annotator: Annotator) -> Subquery:
    """The batch that the annotator began last."""
    return Subquery(Assignment.objects.filter(annotator=annotator).order_by("-pk").values("pk")[:1])


def _due(annotator: Annotator) -> int:
    """How many screens the annotator will have answered when a repeat of this one is due."""
    return annotator.screens + REPEAT_DISTANCE


def _give_on(place: AnswerPlace, annotator: Annotator) -> None:
    """Free a skipped slot for someone else; an item that two annotators skipped waits for an admin."""
    slot = Q(pk=place.slot, annotator=annotator)
    if place.repeats is not None:
        Slot.objects.filter(slot, state=SlotState.RESERVED).update(state=SlotState.HELD)
        return
    locked_campaign(annotator.campaign_id)
    skipped = Judgment.objects.filter(item=place.item, state=JudgmentState.SKIPPED)
    by_others = Exists(skipped.exclude(annotator=annotator))
    is_held = Item.objects.filter(by_others, pk=place.item).update(is_held=True)
    to_leave = slot & Q(state=SlotState.LEASED)
    free(Slot.objects.filter(to_leave | Q(item=place.item, state=SlotState.FREE) if is_held else to_leave))
