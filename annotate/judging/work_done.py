"""The work that annotators have done, for allowances and for paying workers."""

from dataclasses import astuple, dataclass

from django.db.models import Count, Exists, OuterRef, QuerySet

from annotate.models import (
    Annotator,
    Assignment,
    AssignmentState,
    Showing,
)


@dataclass(frozen=True, slots=True)
class WorkDone:
    """An amount of work.

    Attributes:
        batches: completed, with at least one answer.
        screens: answered, without skipped ones.
        active_ms: milliseconds with the page in view, including skipped screens.
    """

    batches: int = 0
    screens: int = 0
    active_ms: int = 0

    def __add__(self, other: "WorkDone") -> "WorkDone":
        return WorkDone(*(mine + more for mine, more in zip(astuple(self), astuple(other), strict=True)))

    def __sub__(self, other: "WorkDone") -> "WorkDone":
        return WorkDone(*(mine - less for mine, less in zip(astuple(self), astuple(other), strict=True)))


def work_done(annotators: QuerySet[Annotator]) -> dict[int, WorkDone]:
    """The work of each of the annotators, by key."""
    batches = dict(_done(annotators).values_list("annotator").annotate(Count("pk")))
    return {
        key: WorkDone(batches.get(key, 0), complete + surplus, active_ms)
        for key, complete, surplus, active_ms in annotators.values_list(
            "pk", "complete", "surplus", "active_ms"
        )
    }


def may_work(annotator: Annotator) -> bool:
    """Whether they get work: not if excluded, nor before they pass required practice."""
    waits = annotator.campaign.design.practice_needed and not annotator.has_practised
    return not annotator.excluded_at and not waits


def may_take_batch(annotator: Annotator) -> bool:
    """Whether the annotator's allowance leaves room for another batch.

    It does while the batches so far, left over by others, were too short for a complete visit.
    """
    if annotator.batch_allowance is None:
        return True
    if annotator.answered < (annotator.screens_due or 0):
        return True
    return _done(Annotator.objects.filter(pk=annotator.pk)).count() < annotator.batch_allowance


def _done(annotators: QuerySet[Annotator]) -> QuerySet[Assignment]:
    """The annotators' completed assignments with at least one screen that they did not skip."""
    annotator = OuterRef("annotator")
    answered = Showing.objects.filter(
        slot__assignment=OuterRef("pk"), slot__annotator=annotator, annotator=annotator
    )
    done = Assignment.objects.filter(annotator__in=annotators, state=AssignmentState.DONE)
    return done.filter(Exists(answered)).order_by()
