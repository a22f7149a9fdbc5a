"""The numbers that are kept with each annotator, so that no page counts judgments.

They change in the transaction that stores the answer, under the lock of the annotator's row, in the one
statement that writes it anyway. The first answer of an hour adds a row that says how many there were before.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.db.models import F

from annotate.formats import JudgmentRecord
from annotate.models import Annotator, AnsweredHour, JudgmentState

FILLING = (JudgmentState.COMPLETE, JudgmentState.AUTO)
"""States of judgments that fill a slot."""


def hour_of(moment: datetime) -> datetime:
    """The beginning of its hour, in UTC."""
    return moment.astimezone(UTC).replace(minute=0, second=0, microsecond=0)


def count_answer(
    annotator: Annotator, *, before: str, after: str, active_ms: int | None, now: datetime, **fields: Any
) -> None:
    """Count an answer that was just stored.

    Args:
        annotator: whose row is locked, as it was before.
        before: state of the judgment before; empty if it is new.
        after: its state now.
        active_ms: of the revision.
        now: when it arrived.
        fields: what else is to be written of the annotator.
    """
    changes = Counter({after: 1})
    changes.subtract({before: 1} if before else {})
    _count(annotator, changes, answers=1, active_ms=active_ms or 0, now=now, **fields)


def count_single_outputs(annotator: Annotator, number: int, now: datetime) -> None:
    """Count so many judgments of items with one output, which were just stored."""
    _count(annotator, Counter({JudgmentState.AUTO: number}), answers=number, active_ms=0, now=now)


def _count(
    annotator: Annotator,
    changes: Counter[Any],
    *,
    answers: int,
    active_ms: int,
    now: datetime,
    **fields: Any,
) -> None:
    if annotator.answered_at is None or hour_of(annotator.answered_at) != hour_of(now):
        begun = AnsweredHour(
            annotator=annotator, hour=hour_of(now), filled_before=annotator.complete + annotator.auto
        )
        AnsweredHour.objects.bulk_create([begun], ignore_conflicts=True)
    annotator.answered_at = now
    for state, change in changes.items():
        setattr(annotator, state, getattr(annotator, state) + change)
    Annotator.objects.filter(pk=annotator.pk).update(
        **{state: getattr(annotator, state) for state in changes},
        answers_sent=F("answers_sent") + answers,
        active_ms=F("active_ms") + active_ms,
        answered_at=now,
        **fields,
    )


def counted_annotator(judgments: Iterable[JudgmentRecord]) -> dict[str, Any]:
    """What an annotator's row says of judgments that are imported."""
    counts: Counter[str] = Counter()
    newest: datetime | None = None
    for judgment in judgments:
        counts[judgment.state] += 1
        for answer in judgment.answers:
            counts["answers_sent"] += 1
            counts["active_ms"] += answer.active_ms or 0
            if answer.submitted_at and (newest is None or answer.submitted_at > newest):
                newest = answer.submitted_at
    return {**counts, "answered_at": newest}
