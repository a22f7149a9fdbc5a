"""A machine's opinion, which annotators may see once their own answer is stored."""

from dataclasses import dataclass
from uuid import UUID

from annotate.design.protocols import Answer
from annotate.judging.handout.places import SEEN, answers_of
from annotate.judging.handout.screens import Screen, screen_again
from annotate.judging.stored_answers import stored_answer
from annotate.models import Annotator, Revision


@dataclass(frozen=True, slots=True)
class ShownOpinion:
    """A machine's answer to a screen that the annotator has answered.

    Attributes:
        screen: that they answered.
        own: their answer.
        answer: the machine's, with the outputs in the order of the screen.
    """

    screen: Screen
    own: Answer
    answer: Answer


def opinion_on(annotator: Annotator, showing: UUID) -> ShownOpinion | None:
    """The machine's answer, for an annotator whose current answer says that they may see it, else None.

    What may be seen was decided when the answer was stored, so nothing is shown before it.
    """
    own = (
        Revision.objects.filter(
            judgment__showing__uuid=showing,
            judgment__annotator=annotator,
            is_current=True,
            opinion__in=SEEN,
        )
        .select_related("judgment")
        .first()
    )
    if own is None:
        return None
    of_machine = answers_of(annotator.campaign.design.opinion_of, own.judgment.item_id).values("pk")[:1]
    theirs = Revision.objects.filter(judgment__in=of_machine, is_current=True).first()
    if theirs is None:
        return None
    screen = screen_again(annotator, showing)
    return ShownOpinion(screen, stored_answer(own), _in_order_of(own, theirs))


def _in_order_of(own: Revision, theirs: Revision) -> Answer:
    """The machine's answer with the outputs in the order in which the annotator saw them."""
    places = {key: place for place, key in enumerate(_outputs(theirs))}
    return stored_answer(theirs).with_outputs_in_order([places[key] for key in _outputs(own)])


def _outputs(revision: Revision) -> list[int]:
    return list(revision.ratings.order_by("position").values_list("item_output", flat=True))
