"""Counts that are stored with each annotator, so that no page counts judgments.

They change in the transaction that stores the answer. Its first statement, which locks the annotator's row,
adds the counts of a typical answer; a statement at the end, which few answers need, corrects them. The first
answer of an hour adds a row that says how many slots the annotator had filled before.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from django.db.models import F

from annotate.models import Annotator, AnsweredHour, JudgmentState
from formats import JudgmentRecord

FILLING = (JudgmentState.COMPLETE, JudgmentState.AUTO)
"""States of judgments that fill a slot."""


@dataclass(slots=True)
class AnswerTally:
    """The counts that one answer adds to those of its annotator.

    Attributes:
        annotator: whose answer it is, as they were read before.
        state: that the judgment most likely gets.
        active_ms: of the answer.
        now: when it arrived.
        last: when the one before it had arrived.
    """

    annotator: Annotator
    state: JudgmentState
    active_ms: int
    now: datetime
    last: datetime | None = field(init=False)

    def __post_init__(self) -> None:
        self.last = self.annotator.answered_at

    @property
    def _assumed(self) -> Counter[str]:
        """A first answer to its screen, with the likely state."""
        return Counter({"screens": 1, str(self.state): 1, "answers_sent": 1, "active_ms": self.active_ms})

    def assume(self) -> None:
        """Add what is likely, which locks the annotator's row."""
        _add(self.annotator, self._assumed, answered_at=self.now)

    def put_right(self, *, before: str, after: str, is_first: bool, **fields: object) -> None:
        """Set the judgment's state before the answer, empty if it is new, and after it.

        `fields` are further fields to store in the annotator's row.
        """
        real = Counter({"screens": int(is_first), "answers_sent": 1, "active_ms": self.active_ms})
        real.update({str(after): 1})
        real.subtract({str(before): 1} if before else {})
        filled = self.annotator.complete + self.annotator.auto - (self.state in FILLING)
        self._add_difference(real, **fields)
        _begin_hour(self.annotator, last=self.last, now=self.now, filled=filled)

    def withdraw(self) -> None:
        """Undo the count: the answer had been stored before, or came too late to change anything."""
        self._add_difference(Counter())

    def _add_difference(self, real: Counter[str], **fields: object) -> None:
        real.subtract(self._assumed)
        difference = Counter({name: number for name, number in real.items() if number})
        if difference or fields:
            _add(self.annotator, difference, **fields)
        # The annotator was read after the likely numbers were added, and is shown on the next screen.
        for state in difference.keys() & JudgmentState.values:
            setattr(self.annotator, state, getattr(self.annotator, state) + difference[state])


def count_single_outputs(annotator: Annotator, number: int, now: datetime) -> None:
    """Count this many newly stored judgments of items with one output."""
    filled = annotator.complete + annotator.auto
    _begin_hour(annotator, last=annotator.answered_at, now=now, filled=filled)
    _add(annotator, Counter({"auto": number, "answers_sent": number}), answered_at=now)
    annotator.auto += number
    annotator.answered_at = now


def hour_of(moment: datetime) -> datetime:
    """The beginning of its hour, in UTC."""
    return moment.astimezone(UTC).replace(minute=0, second=0, microsecond=0)


def _begin_hour(annotator: Annotator, *, last: datetime | None, now: datetime, filled: int) -> None:
    if last is None or hour_of(last) != hour_of(now):
        begun = AnsweredHour(annotator=annotator, hour=hour_of(now), filled_before=filled)
        AnsweredHour.objects.bulk_create([begun], ignore_conflicts=True)


def _add(annotator: Annotator, numbers: Counter[str], **fields: object) -> None:
    added = {name: F(name) + number for name, number in numbers.items()}
    Annotator.objects.filter(pk=annotator.pk).update(**added, **fields)


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
