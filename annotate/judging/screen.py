"""The content of an annotator's screen: never a system, a role or an origin, only texts in a seeded order."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

from django.db.models import Prefetch, QuerySet

from annotate.design.protocols import PROTOCOLS, AnswerError
from annotate.judging.handout import Screen
from annotate.judging.stored_answers import stored_answer
from annotate.models import Annotator, Campaign, Judgment, JudgmentState, Revision, Showing

ANSWERS_TO_REVISE = 10


def screen_of(
    screen: Screen, fields: Mapping[str, str], *, revises: int = 0, fault: AnswerError | None = None
) -> dict[str, Any]:
    """The context of the screen's template: `fields` is what the form holds, `fault` why it was refused.

    The form `revises` the answer with that number, 0 if there is none; its drafts belong to that revision
    only. Each call makes a new key, under which the answer will be stored once.
    """
    annotator = screen.showing.annotator
    return {
        **form_of(annotator.campaign, screen.texts, fields, fault=fault),
        "frame": "annotate/judging/screen.html",
        "showing": screen.showing,
        "key": uuid4(),
        "revises": revises,
        "previous": screen.previous,
        "sentence": {"text": screen.source},
        "following": screen.following,
        "annotator": annotator,
        # Not shown for a batch of one screen.
        "left_in_batch": screen.left_in_batch if annotator.campaign.design.batch_size > 1 else 0,
    }


def form_of(
    campaign: Campaign, texts: Sequence[str], fields: Mapping[str, str], *, fault: AnswerError | None = None
) -> dict[str, Any]:
    """What the form of any protocol is given: the texts as shown, and what it holds."""
    return {
        "page": "base.html",
        "campaign": campaign,
        "design": campaign.design,
        "fields": fields,
        "fault": fault,
        "incomplete": PROTOCOLS[campaign.protocol].incomplete(len(texts)),
        "outputs": [
            {"text": text, "position": position, "number": position + 1}
            for position, text in enumerate(texts)
        ],
    }


def recent_answers(annotator: Annotator) -> QuerySet[Judgment]:
    """What the annotator answered last, newest first."""
    current = Revision.objects.filter(is_current=True)
    return (
        Judgment.objects.filter(annotator=annotator, showing__isnull=False)
        .select_related("item__sentence", "showing")
        .prefetch_related(Prefetch("revisions", current, to_attr="current_revisions"))
        .order_by("-pk")[:ANSWERS_TO_REVISE]
    )


def form_again(showing: Showing) -> tuple[int, dict[str, str]]:
    """The number of the current answer, and the draft of its revision or else the answer itself.

    The number is 0 where nothing was answered yet.
    """
    answers = Revision.objects.filter(judgment__showing=showing, is_current=True)
    revision = answers.select_related("judgment").first()
    number = revision.number if revision else 0
    if showing.draft.get("revises", "0") == str(number) and showing.draft:
        return number, showing.draft
    if revision is None:
        return number, {}
    if revision.judgment.state == JudgmentState.SKIPPED:
        return number, {"note": revision.note}
    protocol = PROTOCOLS[showing.annotator.campaign.protocol]
    return number, {**protocol.fields(stored_answer(revision)), "note": revision.note}
