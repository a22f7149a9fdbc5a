"""The place of an answer: one query reads a showing, its slot and its answers so far."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet, Subquery

from annotate.database.annotator_counts import AnswerTally
from annotate.judging.handout.locks import CHANGING, take_over
from annotate.judging.handout.screens import as_shown
from annotate.judging.prepared import KEY, UNIQUE_ID, PreparedQuery
from annotate.models import Annotator, Judgment, Revision, Showing, Slot, SlotState


@dataclass(frozen=True, slots=True)
class AnswerPlace:
    """The place of an answer, under lock: a showing and its slot.

    Attributes:
        source: the sentence; empty where its text is not known.
        annotator: who has the slot on lease or reserved, or has filled it.
        leased_until: by which claim; None if there is none.
        repeat: the slot of the planned repeat.
        repeats: the slot that this one repeats.
        is_last: whether the annotator has nothing else on lease.
        is_stored: whether the submitted answer is already stored, under its key.
        revisions: how many answers to the showing there are.
        judgment: the answer so far; not saved if there is none.
        item_outputs: in the order shown.
    """

    slot: int
    item: int
    repetition: int
    domain: str
    source: str
    annotator: int | None
    leased_until: datetime | None
    repeat: int | None
    repeats: int | None
    is_last: bool
    is_stored: bool
    revisions: int
    judgment: Judgment
    item_outputs: Sequence[int]

    @property
    def is_first(self) -> bool:
        """Whether it was not answered before."""
        return not self.revisions


def lock_place(annotator: Annotator, showing: UUID, key: UUID, tally: AnswerTally) -> AnswerPlace:
    """Lock the annotator, and read where the answer to this showing, under its key, belongs."""
    tally.assume()
    rows = PLACE.rows(annotator=annotator.pk, showing=showing, key=key)
    if not rows:
        raise Showing.DoesNotExist
    columns = iter(rows[0])
    place = dict(zip(PLACE_COLUMNS, columns, strict=False))
    changing = dict(zip(CHANGING, columns, strict=False))
    stored = dict(zip(JUDGMENT, columns, strict=False))
    showing_key, number, campaign_state, _ = columns
    take_over(annotator, changing, campaign_state)
    annotator.screens -= 1
    if stored["id"] is None:
        judgment = Judgment(
            campaign_id=annotator.campaign_id,
            item_id=place["slot__item"],
            annotator=annotator,
            showing_id=showing_key,
            repetition=place["slot__repetition"],
        )
    else:
        judgment = Judgment.from_db(connection.alias, list(stored), list(stored.values()))
        judgment.annotator = annotator
    # An item without outputs has one row.
    outputs = as_shown([row[-1] for row in rows if row[-1] is not None], number, annotator)
    place["revisions"] = place["revisions"] or 0
    place["slot__item__sentence__text"] = place["slot__item__sentence__text"] or ""
    return AnswerPlace(*[*place.values(), judgment, outputs])


JUDGMENT = tuple(field.attname for field in Judgment._meta.concrete_fields)
PLACE_COLUMNS = (
    "slot",
    "slot__item",
    "slot__repetition",
    "slot__item__sentence__domain",
    "slot__item__sentence__text",
    "slot__annotator",
    "slot__assignment__leased_until",
    "slot__repeat",
    "slot__repeats",
    "is_last",
    "is_stored",
    "revisions",
)


def _place(annotator: int, showing: UUID, key: UUID) -> QuerySet[Showing, Any]:
    """A row of each output, in the order of their keys; one with None if there is none."""
    revisions = Revision.objects.order_by().filter(judgment__showing=OuterRef("pk"))
    others = Slot.objects.filter(annotator=annotator, state=SlotState.LEASED).exclude(pk=OuterRef("slot"))
    return (
        Showing.objects.filter(uuid=showing, annotator=annotator)
        .annotate(
            is_last=~Exists(others),
            is_stored=Exists(revisions.filter(submission_key=key)),
            revisions=Subquery(revisions.filter(is_current=True).values("number")),
        )
        .order_by("slot__item__item_outputs__pk")
        .values_list(
            *PLACE_COLUMNS,
            *(f"annotator__{name}" for name in CHANGING),
            *(f"judgment__{name}" for name in JUDGMENT),
            "pk",
            "slot__item__number",
            "annotator__campaign__state",
            "slot__item__item_outputs",
        )
    )


PLACE = PreparedQuery(_place, annotator=KEY, showing=UNIQUE_ID, key=UNIQUE_ID)
