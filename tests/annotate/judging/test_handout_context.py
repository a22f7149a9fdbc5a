"""The sentences before and after the judged sentence."""

from typing import Any

import pytest

from annotate.campaigns.lifecycle import clone
from annotate.judging.handout import give_next_screen, screen_again
from annotate.models import Annotator, Campaign
from tests.annotate.running import answer, cast, running
from tests.annotate.samples import sentence, small_corpus

pytestmark = pytest.mark.django_db

DOCUMENTS = ("", "", "a", "a", "a", "b")


def campaign_of(documents: tuple[str, ...] = DOCUMENTS, **design: Any) -> Campaign:
    """One item a sentence, in the order of the corpus."""
    sentences = [
        sentence(f"Source {n} .", f"Alder {n} .", f"Birch {n} .", document=document)
        for n, document in enumerate(documents)
    ]
    corpus = small_corpus(sentences=sentences)
    listed: dict[str, Any] = {"sampling": "listed", "listed_sentences": list(range(len(documents)))}
    return running(corpus=corpus, batch_size=len(documents), **listed, **design)


def contexts(annotator: Annotator) -> dict[str, tuple[str, str]]:
    """The context of each sentence, as shown and as shown again."""
    contexts = {}
    while (screen := give_next_screen(annotator)) is not None:
        again = screen_again(annotator, screen.showing.uuid)
        assert (again.previous, again.following) == (screen.previous, screen.following)
        contexts[screen.source] = (screen.previous, screen.following)
        answer(screen.showing)
    return contexts


def test_neighbours_are_those_of_the_document() -> None:
    [ada] = cast(campaign_of(), "ada")
    assert contexts(ada) == {
        "Source 0 .": ("", ""),
        "Source 1 .": ("", ""),
        "Source 2 .": ("", "Source 3 ."),
        "Source 3 .": ("Source 2 .", "Source 4 ."),
        "Source 4 .": ("Source 3 .", ""),
        "Source 5 .": ("", ""),
    }


def test_a_campaign_can_go_without() -> None:
    campaign = campaign_of(shows_context=False)
    [ada] = cast(campaign, "ada")
    assert set(contexts(ada).values()) == {("", "")}
    assert clone(campaign, name="again").design.shows_context is False
