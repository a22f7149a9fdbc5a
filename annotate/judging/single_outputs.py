"""Items with one output: there is nothing to ask, so they are stored as answered."""

from collections.abc import Mapping
from datetime import datetime

from annotate.database.annotator_counts import count_single_outputs
from annotate.design.protocols import Answer
from annotate.judging.stored_answers import beside_ratings, ratings_of
from annotate.models import Annotator, Judgment, JudgmentState, Rating, Revision, Slot, SlotState


def answer_single_outputs(
    single: Mapping[Slot, int], answer: Answer, annotator: Annotator, now: datetime
) -> None:
    """Fill free slots that ask nothing with the answer; each is given with its item's only output.

    No assignment is created: batches count only what annotators were actually asked.
    """
    Slot.objects.filter(pk__in=[slot.pk for slot in single]).update(
        state=SlotState.FILLED, annotator=annotator
    )
    judgments = Judgment.objects.bulk_create(
        Judgment(
            campaign_id=slot.campaign_id,
            item_id=slot.item_id,
            annotator=annotator,
            slot=slot,
            repetition=slot.repetition,
            state=JudgmentState.AUTO,
        )
        for slot in single
    )
    revisions = Revision.objects.bulk_create(
        Revision(judgment=judgment, submitted_at=now, **beside_ratings(answer)) for judgment in judgments
    )
    Rating.objects.bulk_create(
        rating
        for revision, output in zip(revisions, single.values(), strict=True)
        for rating in ratings_of(revision, answer, [output])
    )
    count_single_outputs(annotator, len(single), now)
