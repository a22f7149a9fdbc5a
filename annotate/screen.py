"""What stands on an annotator's screen: never a system, a role or an origin, only texts in a seeded order."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

from django.db.models import Prefetch, QuerySet

from annotate.models import Annotator, Campaign, Judgment, Revision, Sentence, Showing, Slot, SlotState
from annotate.protocols import PROTOCOLS, AnswerError, RatingValue
from annotate.services.handout import shown_outputs

ANSWERS_TO_REVISE = 10


def screen_of(
    showing: Showing, annotator: Annotator, fields: Mapping[str, str], *, fault: AnswerError | None = None
) -> dict[str, Any]:
    """The context of the screen's template: `fields` is what the form holds, `fault` why it was refused.

    Each call makes a new key, under which the answer will be stored once.
    """
    campaign = annotator.campaign
    sentence = showing.slot.item.sentence
    outputs = shown_outputs(showing)
    previous, following = _context(sentence)
    return {
        **form_of(campaign, [output.output.text or "" for output in outputs], fields, fault=fault),
        "frame": "annotate/judging/screen.html",
        "showing": showing,
        "key": uuid4(),
        "previous": previous,
        "sentence": sentence,
        "following": following,
        "answered": annotator.screens,
        "left_in_batch": Slot.objects.filter(annotator=annotator, state=SlotState.LEASED).count(),
    }


def form_of(
    campaign: Campaign, texts: Sequence[str], fields: Mapping[str, str], *, fault: AnswerError | None = None
) -> dict[str, Any]:
    """What the form of any protocol is given: the texts as shown, and what it holds."""
    return {
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


def _context(sentence: Sentence) -> tuple[str, str]:
    """The sentences before and after, of the same document."""
    around = Sentence.objects.filter(
        corpus=sentence.corpus_id,
        document=sentence.document,
        position__in=(sentence.position - 1, sentence.position + 1),
    )
    texts = dict(around.order_by().values_list("position", "text"))
    return texts.get(sentence.position - 1) or "", texts.get(sentence.position + 1) or ""


def answered_fields(showing: Showing) -> dict[str, str]:
    """The fields of the current answer, for whoever comes back to revise it."""
    revision = Revision.objects.filter(judgment__showing=showing, is_current=True).first()
    if revision is None:
        return {}
    ratings = [
        RatingValue(*values)
        for values in revision.ratings.order_by("position").values_list("rank", "score", "meaning_changed")
    ]
    protocol = PROTOCOLS[showing.slot.campaign.protocol]
    return {**protocol.fields(ratings), "note": revision.note}
