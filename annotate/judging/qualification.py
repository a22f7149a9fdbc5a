"""Qualification: before the work, annotators must agree on enough practice items, in a few attempts."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max

from annotate.database.audit_log import record
from annotate.design.practice import practice_items
from annotate.design.protocols import PROTOCOLS
from annotate.models import Annotator, AuditAction, PracticeAnswer, User


@dataclass(frozen=True, slots=True)
class Qualification:
    """An annotator's progress in the current attempt.

    Attributes:
        needed: number of items on which they must agree.
        tries: number of attempts allowed.
        attempt: the current one, counted from 1.
        missing: numbers of the items that it has no answer to yet.
        agreed: number of its items on which they agreed.
    """

    needed: int
    tries: int
    attempt: int
    missing: tuple[int, ...]
    agreed: int

    @property
    def is_passed(self) -> bool:
        """Whether they may begin the work."""
        return not self.missing and self.agreed >= self.needed

    @property
    def is_failed(self) -> bool:
        """Whether no attempt is left."""
        return not self.missing and not self.is_passed and self.attempt >= self.tries


def qualification(annotator: Annotator) -> Qualification | None:
    """The annotator's progress; None if the campaign requires no agreement."""
    campaign = annotator.campaign
    design = campaign.design
    if not design.practice_needed:
        return None
    protocol = PROTOCOLS[campaign.protocol]
    items = range(1, len(practice_items(design.guidelines, protocol, campaign.options)) + 1)
    stored_answers = PracticeAnswer.objects.filter(annotator=annotator)
    attempt = stored_answers.aggregate(newest=Max("attempt"))["newest"] or 1
    answers = dict(stored_answers.filter(attempt=attempt).values_list("number", "agrees"))
    missing = tuple(number for number in items if number not in answers)
    return Qualification(
        design.practice_needed, design.practice_tries, attempt, missing, sum(answers.values())
    )


def keep_practice(annotator: Annotator, *, number: int, agrees: bool, fields: Mapping[str, str]) -> None:
    """Keep the first answer to an item in an attempt; where all items have one, a new attempt begins.

    After the last attempt, or if the campaign requires no agreement, nothing is stored.
    """
    with transaction.atomic():
        Annotator.objects.select_for_update(no_key=True).get(pk=annotator.pk)
        now = qualification(annotator)
        if now is None or now.is_passed or now.is_failed:
            return
        PracticeAnswer.objects.get_or_create(
            annotator=annotator,
            attempt=now.attempt if now.missing else now.attempt + 1,
            number=number,
            defaults={"agrees": agrees, "fields": dict(fields)},
        )


def kept_practice(annotator: Annotator, number: int) -> dict[str, str] | None:
    """The answer to the item that counts in the newest attempt that has one, as fields; None without any."""
    answers = PracticeAnswer.objects.filter(annotator=annotator, number=number).order_by("-attempt")
    return answers.values_list("fields", flat=True).first()


def finish_practice(annotator: Annotator) -> Qualification | None:
    """Let the annotator begin the work if nothing else is required; otherwise return what is missing."""
    now = qualification(annotator)
    if now is None or now.is_passed:
        _let_begin(annotator)
        return None
    return now


def let_through(annotator: Annotator, *, by: User | None = None) -> None:
    """Let the annotator begin the work regardless of their answers."""
    with transaction.atomic():
        _let_begin(annotator)
        record(
            user=by,
            action=AuditAction.LET_THROUGH,
            subject=annotator.campaign,
            details={"annotator": annotator.in_full},
        )


def _let_begin(annotator: Annotator) -> None:
    Annotator.objects.filter(pk=annotator.pk).update(has_practised=True)
    annotator.has_practised = True
