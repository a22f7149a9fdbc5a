"""Answers of machines. They fill no slot and count for no person."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from annotate.design.protocols import PROTOCOLS, Answer, AnswerError, Question
from annotate.judging.stored_answers import beside_ratings, ratings_of
from annotate.machines.items import ShownItem, check_open, lock_machine, shown_items
from annotate.models import (
    Annotator,
    Campaign,
    Item,
    Judgment,
    JudgmentState,
    MachineLease,
    Rating,
    Revision,
)
from formats import MAX_NOTE_CHARS
from formats.text.tokens_back import rules_on_screen
from jobs.refusals import RefusedError


class MachineAnswerError(RefusedError):
    """An answer that cannot be stored; the message names its item. None of the answers beside it was."""


class AnsweredOtherwiseError(RefusedError):
    """The machine has answered the item already, under another key."""


@dataclass(frozen=True, slots=True)
class MachineAnswer:
    """An answer as the screen would send it.

    Attributes:
        item: number of the item.
        key: made by the program for this answer; sent twice, it counts once.
        fields: of the protocol's form; None if the machine gave no usable answer.
        note: why not, such as a refusal or a reply that could not be read.
        repetition: how often the machine was asked about the item before.
    """

    item: int
    key: UUID
    fields: Mapping[str, str] | None
    note: str = ""
    repetition: int = 0


@transaction.atomic
def store_answers(
    annotator: Annotator, answers: Sequence[MachineAnswer], *, now: datetime | None = None
) -> int:
    """Store the answers of a machine, all or none, and return how many were new.

    Each answer is stored once: one with a key that is stored already changes nothing.

    Raises:
        NotOpenError: the campaign is not launched yet.
        MachineAnswerError: there is no such item, or an answer is not complete or not legal.
        AnsweredOtherwiseError: an item was answered already.
    """
    check_open(annotator.campaign)
    now = now or timezone.now()
    lock_machine(annotator)
    numbers = {answer.item for answer in answers}
    repetitions = {answer.repetition for answer in answers}
    items = Item.objects.filter(campaign=annotator.campaign, number__in=numbers)
    shown = {
        (each.number, repetition): each
        for repetition in repetitions
        for each in shown_items(annotator, items, repetition=repetition)
    }
    stored = _stored(annotator, items, repetitions)
    new: list[tuple[MachineAnswer, ShownItem, Answer]] = []
    options = annotator.campaign.options
    for answer in answers:
        item = shown.get((answer.item, answer.repetition))
        if item is None:
            raise MachineAnswerError(f"Item {answer.item}: there is no such item.")
        place = item.key, answer.repetition
        if stored.get(place, answer.key) != answer.key:
            raise AnsweredOtherwiseError(f"Item {answer.item} is answered already, under another key.")
        if place in stored:
            continue
        stored[place] = answer.key
        new.append((answer, item, _read(answer, item, annotator.campaign, options)))
    _store(annotator, new, now)
    return len(new)


def _stored(
    annotator: Annotator, items: QuerySet[Item], repetitions: Collection[int]
) -> dict[tuple[int, int], UUID]:
    """The keys of the machine's answers to these items in these repetitions, by item and repetition."""
    rows = Revision.objects.filter(
        judgment__annotator=annotator,
        judgment__by_machine=1,
        judgment__item__in=items,
        judgment__repetition__in=repetitions,
        is_current=True,
    )
    values = rows.values_list("judgment__item", "judgment__repetition", "submission_key")
    return {(item, repetition): key for item, repetition, key in values}


def _read(answer: MachineAnswer, item: ShownItem, campaign: Campaign, options: Any) -> Answer:
    if answer.fields is None:
        return Answer()
    protocol = PROTOCOLS[campaign.protocol]
    rules = rules_on_screen(campaign.text_rules, item.source, item.texts)
    question = Question(
        item.source, len(item.outputs), options, rules, prepared=item.prepared, texts=item.texts
    )
    try:
        return protocol.answer(protocol.fields_of_shown(answer.fields, question), question)
    except AnswerError as error:
        raise MachineAnswerError(f"Item {answer.item}: {error}") from error


def _store(
    annotator: Annotator, new: Sequence[tuple[MachineAnswer, ShownItem, Answer]], now: datetime
) -> None:
    judgments = Judgment.every.bulk_create(
        Judgment(
            campaign_id=annotator.campaign_id,
            item_id=item.key,
            annotator=annotator,
            repetition=sent.repetition,
            state=JudgmentState.SKIPPED if sent.fields is None else JudgmentState.COMPLETE,
            by_machine=1,
        )
        for sent, item, _ in new
    )
    revisions = Revision.objects.bulk_create(
        Revision(
            judgment=judgment,
            submission_key=sent.key,
            submitted_at=now,
            note=sent.note[:MAX_NOTE_CHARS],
            **beside_ratings(answer),
        )
        for judgment, (sent, _, answer) in zip(judgments, new, strict=True)
    )
    Rating.objects.bulk_create(
        rating
        for revision, (_, item, answer) in zip(revisions, new, strict=True)
        for rating in ratings_of(revision, answer, item.outputs)
    )
    MachineLease.objects.filter(annotator=annotator, item__in=[item.key for _, item, _ in new]).delete()
    skipped = sum(sent.fields is None for sent, _, _ in new)
    if new:
        Annotator.every.filter(pk=annotator.pk).update(
            complete=F("complete") + len(new) - skipped,
            skipped=F("skipped") + skipped,
            answers_sent=F("answers_sent") + len(new),
            answered_at=now,
        )
