"""Addresses of running campaigns, and answers and skips of their annotators."""

from uuid import uuid4

from django.urls import reverse

from annotate.campaigns import progress
from annotate.design.protocols import Answer, Question, RatingValue
from annotate.judging.handout import Submission, give_next_showing, skip, submit
from annotate.models import Annotator, Campaign, Item


def address(campaign: Campaign, page: str = "manage") -> str:
    return reverse(f"{page}-campaign", args=[campaign.uuid])


def annotator_of(campaign: Campaign, name: str) -> Annotator:
    return Annotator.objects.get_or_create(campaign=campaign, name=name)[0]


def all_alike(question: Question) -> Answer:
    """Rank all outputs of a screen first."""
    return Answer((RatingValue(rank=1),) * question.outputs)


def answer(campaign: Campaign, name: str, *, times: int = 1) -> None:
    """Judge the next screens."""
    for _ in range(times):
        showing = give_next_showing(annotator_of(campaign, name))
        assert showing is not None
        submit(showing.annotator, showing.uuid, all_alike, Submission(uuid4()))


def skip_item(campaign: Campaign, name: str, *, note: str = "") -> Item:
    """Skip the next screen."""
    showing = give_next_showing(annotator_of(campaign, name))
    assert showing is not None
    skip(showing.annotator, showing.uuid, Submission(uuid4(), note=note))
    return showing.slot.item


def held_item(campaign: Campaign) -> Item:
    """Two annotators skip all items; returns the first one that waits for the admin."""
    for name in ("anna", "ben"):
        while give_next_showing(annotator_of(campaign, name)) is not None:
            skip_item(campaign, name, note="two meanings" if name == "anna" else "")
    return progress.items_to_decide(campaign)[0]
