"""Counts that are stored with each annotator, so that no page counts judgments.

They change in the transaction that stores the answer, which has locked the annotator's row. The first answer
of an hour adds a row that says how many slots the annotator had filled before.
"""

from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime

from annotate.models import Annotator, AnsweredHour, JudgmentState
from formats import JudgmentRecord

CHANGED_BY_ANSWERS = (
    *("screens", "answers_sent", "active_ms", "answered_at", "domain", "domain_day"),
    *JudgmentState.values,
)
"""Fields of an annotator that an answer changes."""


def count_answer(annotator: Annotator, *, before: str, after: str, active_ms: int, now: datetime) -> None:
    """Count an answer, and store what it changed in the locked annotator.

    Args:
        before: the judgment's state before the answer; empty if the judgment is new.
        after: its state now.
    """
    _begin_hour(annotator, now)
    if before:
        setattr(annotator, before, getattr(annotator, before) - 1)
    setattr(annotator, after, getattr(annotator, after) + 1)
    annotator.active_ms += active_ms
    _add(annotator, answers=1, now=now)


def count_single_outputs(annotator: Annotator, number: int, now: datetime) -> None:
    """Count this many newly stored judgments of items with one output; the annotator is locked."""
    _begin_hour(annotator, now)
    annotator.auto += number
    _add(annotator, answers=number, now=now)


def _begin_hour(annotator: Annotator, now: datetime) -> None:
    last = annotator.answered_at
    if last is None or hour_of(last) != hour_of(now):
        filled = annotator.complete + annotator.auto
        begun = AnsweredHour(annotator=annotator, hour=hour_of(now), filled_before=filled)
        AnsweredHour.objects.bulk_create([begun], ignore_conflicts=True)


def _add(annotator: Annotator, *, answers: int, now: datetime) -> None:
    annotator.answers_sent += answers
    annotator.answered_at = now
    annotator.save(update_fields=CHANGED_BY_ANSWERS)


def hour_of(moment: datetime) -> datetime:
    """The beginning of its hour, in UTC."""
    return moment.astimezone(UTC).replace(minute=0, second=0, microsecond=0)


def counted_annotator(judgments: Iterable[JudgmentRecord]) -> dict[str, object]:
    """The counts for an annotator of imported judgments."""
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
