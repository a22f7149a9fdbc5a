"""The pause between two batches: annotators see what they have done, and decide whether to continue."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, Sum

from annotate.judging.handout.free_slots import free_for
from annotate.models import Annotator, Assignment, AssignmentState, SlotState

SHORTEST_WITH_PAUSE = 5
"""Screens of the shortest batch that a pause follows; after fewer it would only interrupt."""


@dataclass(frozen=True, slots=True)
class Pause:
    """The batch that an annotator has completed.

    Attributes:
        screens: how many of it they answered.
        active_ms: milliseconds that these took with the page in view; 0 if browsers did not say.
    """

    screens: int
    active_ms: int


def pause_after_batch(annotator: Annotator, now: datetime) -> Pause | None:
    """The pause after the annotator's last batch, if they completed it and there is more for them."""
    if not annotator.screens or annotator.campaign.design.batch_size < SHORTEST_WITH_PAUSE:
        return None
    assignments = Assignment.objects.filter(annotator=annotator).annotate(
        has_next=Exists(free_for(annotator, now))
    )
    last = assignments.order_by("-pk").first()
    if last is None or last.state != AssignmentState.DONE or not last.has_next:
        return None
    done = last.slots.filter(annotator=annotator, state=SlotState.FILLED).aggregate(
        screens=Count("pk", distinct=True), active_ms=Sum("judgment__revisions__active_ms")
    )
    if done["screens"] < SHORTEST_WITH_PAUSE:
        return None
    return Pause(done["screens"], done["active_ms"] or 0)
