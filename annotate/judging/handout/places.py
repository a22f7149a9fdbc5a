"""The place of an answer: one query reads a showing, its slot and its answers so far."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from annotate.judging.handout.screens import as_shown
from annotate.judging.prepared import KEY, UNIQUE_ID, PreparedQuery, Row, columns_of, instance_in
from annotate.models import Annotator, Judgment, Revision, Showing, Slot, SlotState


@dataclass(frozen=True, slots=True)
class AnswerPlace:
    """The place of an answer: a showing and its slot.

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


def place_of(annotator: Annotator, showing: UUID, key: UUID) -> AnswerPlace:
    """Where the answer to this showing belongs, under its key; the annotator must be locked.

    Raises:
        Showing.DoesNotExist: the annotator was not shown this.
    """
    rows = PLACE.rows(annotator=annotator.pk, showing=showing, key=key)
    if not rows:
        raise Showing.DoesNotExist
    row = rows[0]
    annotator.campaign.state = row["annotator__campaign__state"]
    if row["judgment__id"]:
        judgment = instance_in(row, Judgment, "judgment__")
    else:
        judgment = Judgment(
            campaign_id=annotator.campaign_id,
            item_id=row["slot__item"],
            showing_id=row["pk"],
            repetition=row["slot__repetition"],
        )
    judgment.annotator = annotator
    # An item without outputs has one row.
    outputs = [output for row in rows if (output := row["slot__item__item_outputs"]) is not None]
    return AnswerPlace(
        slot=row["slot"],
        item=row["slot__item"],
        domain=row["slot__item__sentence__domain"],
        source=row["slot__item__sentence__text"] or "",
        annotator=row["slot__annotator"],
        leased_until=row["slot__assignment__leased_until"],
        repeat=row["slot__repeat"],
        repeats=row["slot__repeats"],
        is_last=row["is_last"],
        is_stored=row["is_stored"],
        revisions=row["revisions"] or 0,
        judgment=judgment,
        item_outputs=as_shown(outputs, row["slot__item__number"], annotator),
    )


def _place(annotator: int, showing: UUID, key: UUID) -> QuerySet[Showing, Row]:
    """A row of each output, in the order of their keys; one with None if there is none."""
    revisions = Revision.objects.order_by().filter(judgment__showing=OuterRef("pk"))
    others = Slot.objects.filter(annotator=annotator, state=SlotState.LEASED).exclude(pk=OuterRef("slot"))
    places: QuerySet[Showing, Row] = (
        Showing.objects.filter(uuid=showing, annotator=annotator)
        .annotate(
            is_last=~Exists(others),
            is_stored=Exists(revisions.filter(submission_key=key)),
            revisions=Subquery(revisions.filter(is_current=True).values("number")),
        )
        .order_by("slot__item__item_outputs__pk")
        .values(
            *("pk", "slot", "slot__repetition", "slot__annotator", "slot__assignment__leased_until"),
            *("slot__repeat", "slot__repeats", "slot__item", "slot__item__number"),
            *("slot__item__sentence__domain", "slot__item__sentence__text", "slot__item__item_outputs"),
            *("is_last", "is_stored", "revisions", "annotator__campaign__state"),
            *columns_of(Judgment, "judgment__"),
        )
    )
    return places


PLACE = PreparedQuery(_place, annotator=KEY, showing=UNIQUE_ID, key=UNIQUE_ID)
