"""The place of an answer: one query reads a showing, its slot and its answers so far."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from annotate.design.protocols import Prepared
from annotate.judging.handout.screens import as_shown
from annotate.judging.prepared import KEY, TEXT, UNIQUE_ID, PreparedQuery, Row, columns_of, instance_in
from annotate.models import Annotator, Judgment, JudgmentState, Revision, Showing, Slot, SlotState
from formats.snapshot.vocabulary import Opinion

TEXT_OF_OUTPUT = "slot__item__item_outputs__output__text"

SEEN = (Opinion.SHOWN_AFTER, Opinion.SHOWN_BEFORE)
"""What answers say whose annotator may see the machine's."""


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
        prepared: what the protocol fixed about each of them; None for nothing.
        texts: of these outputs, as stored.
        opinion: what is to be stored of an answer about a machine's opinion; None where the campaign shows
            none.
        stored_opinion: what is stored of the submitted answer, if it is stored already.
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
    prepared: Sequence[Prepared]
    texts: Sequence[str]
    opinion: Opinion | None
    stored_opinion: str | None

    @property
    def is_first(self) -> bool:
        """Whether it was not answered before."""
        return not self.revisions


def place_of(annotator: Annotator, showing: UUID, key: UUID) -> AnswerPlace:
    """Where the answer to this showing belongs, under its key; the annotator must be locked.

    Raises:
        Showing.DoesNotExist: the annotator was not shown this.
    """
    if machine := annotator.campaign.design.opinion_of:
        rows = PLACE_BESIDE_MACHINE.rows(annotator=annotator.pk, showing=showing, key=key, machine=machine)
    else:
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
    outputs = [row for row in rows if row["slot__item__item_outputs"] is not None]
    shown = as_shown(outputs, row["slot__item__number"], annotator)
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
        item_outputs=[output["slot__item__item_outputs"] for output in shown],
        prepared=[output["slot__item__item_outputs__prepared"] for output in shown],
        texts=[output[TEXT_OF_OUTPUT] or "" for output in shown],
        opinion=_opinion(row) if machine else None,
        stored_opinion=row.get("stored_opinion"),
    )


def _opinion(row: Row) -> Opinion:
    if row["has_seen"]:
        return Opinion.SHOWN_BEFORE
    # The answer of a planned repeat must not be influenced by what was shown after the first one.
    return Opinion.SHOWN_AFTER if row["machine_answered"] and not row["is_to_come"] else Opinion.NOT_SHOWN


def answers_of(machine: Any, item: Any) -> QuerySet[Judgment]:
    """The usable answers of the machine of this name to an item, the first one first."""
    answered = Judgment.every.filter(item=item, by_machine=1, state=JudgmentState.COMPLETE)
    return answered.filter(annotator__name=machine).order_by("repetition")


def _place(annotator: int, showing: UUID, key: UUID, *more: str, **columns: Any) -> QuerySet[Showing, Row]:
    """A row of each output, in the order of their keys; one with None if there is none."""
    revisions = Revision.objects.order_by().filter(judgment__showing=OuterRef("pk"))
    others = Slot.objects.filter(annotator=annotator, state=SlotState.LEASED).exclude(pk=OuterRef("slot"))
    places: QuerySet[Showing, Row] = (
        Showing.objects.filter(uuid=showing, annotator=annotator)
        .annotate(
            is_last=~Exists(others),
            is_stored=Exists(revisions.filter(submission_key=key)),
            revisions=Subquery(revisions.filter(is_current=True).values("number")),
            **columns,
        )
        .order_by("slot__item__item_outputs__pk")
        .values(
            *("pk", "slot", "slot__repetition", "slot__annotator", "slot__assignment__leased_until"),
            *("slot__repeat", "slot__repeats", "slot__item", "slot__item__number"),
            *("slot__item__sentence__domain", "slot__item__sentence__text"),
            *("slot__item__item_outputs", "slot__item__item_outputs__prepared", TEXT_OF_OUTPUT),
            *("is_last", "is_stored", "revisions", "annotator__campaign__state"),
            *columns_of(Judgment, "judgment__"),
            *more,
        )
    )
    return places


def _place_beside_machine(annotator: int, showing: UUID, key: UUID, machine: str) -> QuerySet[Showing, Row]:
    """The rows of `_place`, with what is known of the machine's answer and of who has seen it."""
    own = Revision.objects.order_by().filter(judgment__annotator=annotator)
    # Also of another item: what a machine says of some outputs of a sentence tells about the others.
    seen = own.filter(judgment__item__sentence=OuterRef("slot__item__sentence"), opinion__in=SEEN)
    theirs = Q(annotator=annotator, state__in=(SlotState.LEASED, SlotState.RESERVED))
    planned = Q(repeats=OuterRef("slot"), annotator=None, state=SlotState.RESERVED)
    to_come = Slot.objects.order_by().filter(theirs | planned, item=OuterRef("slot__item"))
    columns = {
        "has_seen": Exists(seen),
        "machine_answered": Exists(answers_of(machine, OuterRef("slot__item"))),
        "is_to_come": Exists(to_come.exclude(pk=OuterRef("slot"))),
        "stored_opinion": Subquery(
            own.filter(judgment__showing=OuterRef("pk"), submission_key=key).values("opinion")
        ),
    }
    return _place(annotator, showing, key, *columns, **columns)


PLACE = PreparedQuery(_place, annotator=KEY, showing=UNIQUE_ID, key=UNIQUE_ID)
PLACE_BESIDE_MACHINE = PreparedQuery(
    _place_beside_machine, annotator=KEY, showing=UNIQUE_ID, key=UNIQUE_ID, machine=TEXT
)
