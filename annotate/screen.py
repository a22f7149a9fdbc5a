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
    showing: Showing,
    annotator: Annotator,
    fields: Mapping[str, str],
    *,
    revises: int = 0,
    fault: AnswerError | None = None,
) -> dict[str, Any]:
    """The context of the screen's template: `fields` is what the form holds, `fault` why it was refused.

    The form `revises` the answer of that number, 0 where there is none; its drafts are drafts for that alone.
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
        "revises": revises,
        "previous": previous,
        "sentence": sentence,
        "following": following,
        "answered": annotator.screens,
        "left_in_batch": _left_in_batch(annotator),
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


def _left_in_batch(annotator: Annotator) -> int:
    """How many screens are to go; 0, of which nothing is said, where a batch is one screen."""
    if annotator.campaign.design.batch_size == 1:
        return 0
    return Slot.objects.filter(annotator=annotator, state=SlotState.LEASED).count()


def _context(sentence: Sentence) -> tuple[str, str]:
    """The sentences before and after, of the same document."""
    around = Sentence.objects.filter(
        corpus=sentence.corpus_id,
        document=sentence.document,
        position__in=(sentence.position - 1, sentence.position + 1),
    )
    texts = dict(around.order_by().values_list("position", "text"))
    return texts.get(sentence.position - 1) or "", texts.get(sentence.position + 1) or ""


def form_again(showing: Showing) -> tuple[int, dict[str, str]]:
    """The number of the current answer, and what was entered since to revise it, or else the answer itself.

    The number is 0 where nothing was answered yet.
    """
    revision = Revision.objects.filter(judgment__showing=showing, is_current=True).first()
    number = revision.number if revision else 0
    if showing.draft.get("revises", "0") == str(number) and showing.draft:
        return number, showing.draft
    if revision is None:
        return number, {}
    ratings = [
        RatingValue(*values)
        for values in revision.ratings.order_by("position").values_list("rank", "score", "meaning_changed")
    ]
    protocol = PROTOCOLS[showing.slot.campaign.protocol]
    return number, {**protocol.fields(ratings), "note": revision.note}
