"""Running campaigns of the tests: their addresses, and answers and skips of annotators."""

from uuid import uuid4

from django.urls import reverse

from annotate.campaigns import progress
from annotate.design.protocols import Answer, Question, RatingValue
from annotate.judging.handout import Submission, give_next_showing, skip, submit
from annotate.models import Annotator, Campaign, Corpus, Item
from tests.annotate.samples import sentence, small_corpus


def corpus_of_thirty() -> Corpus:
    """Thirty sentences with three outputs each."""
    return small_corpus(
        sentences=[sentence(f"Say {n} .", f"Say {n} !", f"Say {n} ?", f"Say {n} .") for n in range(30)]
    )


def address(campaign: Campaign, page: str = "manage") -> str:
    return reverse(f"{page}-campaign", args=[campaign.uuid])


def annotator_of(campaign: Campaign, name: str) -> Annotator:
    return Annotator.objects.get_or_create(campaign=campaign, name=name)[0]


def all_alike(question: Question) -> Answer:
    """All outputs of a screen are the best."""
    return Answer((RatingValue(rank=1),) * question.outputs)


def answer(campaign: Campaign, name: str, *, times: int = 1) -> None:
    """Judge what is given out next."""
    for _ in range(times):
        showing = give_next_showing(annotator_of(campaign, name))
        assert showing is not None
        submit(showing.annotator, showing.uuid, all_alike, Submission(uuid4()))


def skip_item(campaign: Campaign, name: str, *, note: str = "") -> Item:
    """Skip what is given out next."""
    showing = give_next_showing(annotator_of(campaign, name))
    assert showing is not None
    skip(showing.annotator, showing.uuid, Submission(uuid4(), note=note))
    return showing.slot.item


def held_item(campaign: Campaign) -> Item:
    """Two annotators skip all they get; the first item that waits for the admin is returned."""
    for name in ("anna", "ben"):
        while give_next_showing(annotator_of(campaign, name)) is not None:
            skip_item(campaign, name, note="two meanings" if name == "anna" else "")
    return progress.held_items(campaign)[0]
