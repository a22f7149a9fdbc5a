"""The page of a corpus's references lists those that there are, whoever gave them."""

import pytest
from django.test import Client

from annotate.references.collecting import make_references
from annotate.references.queries import references_of
from annotate.references.views import MOST_ANNOTATORS
from formats import Reference
from tests.annotate.references.answers import correcting_campaign
from tests.annotate.samples import no_progress, sentence, small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def test_references_are_counted_by_sentence_and_annotator() -> None:
    there = references_of(small_corpus(language="de"))
    assert [
        (each.annotator, each.sentences, each.unchanged, each.with_edits, each.origin)
        for each in there.annotators
    ] == [("0", 2, 1, 2, None), ("1", 2, 0, 0, None)]
    assert (there.total, there.sentences, there.covered, there.fewest, there.most) == (4, 4, 3, 1, 2)
    assert there.annotators[0].share_unchanged == 0.5


@pytest.mark.parametrize(
    ("references", "finding"),
    [
        ([["He goes ."], ["I am ."]], "Each of 2 sentences has 1 reference"),
        ([["He goes .", "He went ."], ["I am .", "I was ."]], "Each of 2 sentences has 2 references"),
        ([["He goes ."], ["I am .", "I was ."]], "Each of 2 sentences has 1 to 2 references"),
        ([["He goes ."], []], "1 of 2 sentences has a reference"),
        ([["He goes .", "He went ."], []], "1 of 2 sentences has references, 2 each"),
        ([[], []], "No sentence has a reference yet"),
    ],
)
def test_the_heading_says_how_many_sentences_have_how_many(references: list[list[str]], finding: str) -> None:
    corpus = small_corpus(
        sentences=[
            sentence(f"{place} .", references=[Reference(str(n), text, None) for n, text in enumerate(texts)])
            for place, texts in enumerate(references)
        ]
    )
    assert references_of(corpus).finding == finding


def test_the_page_lists_imported_references_and_those_of_a_campaign(researcher: Client) -> None:
    corpus = small_corpus(language="de")
    campaign = correcting_campaign(corpus)
    address = f"/corpora/{corpus.uuid}/references/"
    before = researcher.get(address).content.decode()
    assert "<h1>3 of 4 sentences have references, 1 to 2 each</h1>" in before
    assert before.count("<td>import</td>") == 2
    made = make_references(campaign, by=None, progress=no_progress)
    page = researcher.get(address).content.decode()
    of_campaign = f'<td><a href="/campaigns/{campaign.uuid}/">written</a></td>'
    assert page.count(of_campaign) == len(made.collected.values("reference__annotator").distinct())
    assert "Add references" not in page


def test_sentences_without_a_reference_are_explained(researcher: Client) -> None:
    """Of M2 files, they may come from a missing line that means "left unchanged"."""
    corpus = small_corpus(language="de")
    page = researcher.get(f"/corpora/{corpus.uuid}/references/").content.decode()
    assert "1 sentence has no reference, so metrics that compare with references do not score it." in page
    assert "<code>--absent unchanged</code>" in page
    texts = small_corpus(
        "texts", sentences=[sentence("a", references=[Reference("0", "b", None)]), sentence("c")]
    )
    page = researcher.get(f"/corpora/{texts.uuid}/references/").content.decode()
    assert "1 sentence has no reference" in page
    assert "--absent" not in page


def test_a_crowd_is_listed_up_to_a_number(researcher: Client) -> None:
    crowd = [Reference(f"{place:03}", f"{place} .", None) for place in range(MOST_ANNOTATORS + 3)]
    corpus = small_corpus(sentences=[sentence("He go .", references=crowd)])
    page = researcher.get(f"/corpora/{corpus.uuid}/references/").content.decode()
    assert page.count("<td>import</td>") == MOST_ANNOTATORS
    assert "3 annotators with fewer references are not listed" in page


def test_an_empty_page_says_how_references_come(researcher: Client, admin: Client) -> None:
    corpus = small_corpus(sentences=[sentence("He go .", "He goes .")])
    address = f"/corpora/{corpus.uuid}/references/"
    assert "write corrections" in researcher.get(address).content.decode()
    assert f"/corpora/{corpus.uuid}/add/" in admin.get(address).content.decode()
