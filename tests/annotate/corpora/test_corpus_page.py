from uuid import uuid4

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from annotate.corpora import forms
from annotate.models import CorpusState
from tests.annotate.samples import sentence, small_corpus


def test_outputs_are_collapsed_and_their_edits_marked(researcher: Client) -> None:
    page = researcher.get(small_corpus().get_absolute_url()).content.decode()
    assert page.count("She <ins") == 2 + 2  # two distinct corrections, two references
    assert (
        'She <ins title="instead of: go">goes<span class="unseen"> (instead of: go)</span></ins> home .'
        in page
    )
    assert "<span>Alder</span> <span>Birch</span>" in page


def test_an_empty_output_is_named(researcher: Client) -> None:
    page = researcher.get(small_corpus().get_absolute_url()).content.decode()
    assert '<span class="absent">empty</span>' in page


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("", [0, 1, 2, 3]),
        ("containing=HOME", [0]),
        ("containing=likes", [3]),
        ("document=letter", [0, 1]),
        ("distinct=1", [2]),
        ("distinct=4&document=letter", [1]),
        ("sentence=2", [2]),
        ("containing=nowhere", []),
    ],
)
def test_sentences_can_be_searched(researcher: Client, query: str, shown: list[int]) -> None:
    page = researcher.get(f"{small_corpus().get_absolute_url()}?{query}").content.decode()
    assert [number for number in range(4) if f'id="sentence-{number}"' in page] == shown
    assert ("No sentence matches" in page) == (not shown)


@pytest.mark.parametrize("query", ["distinct=many", "document=novel", "sentence=-1", "sentence=99999999999"])
def test_a_wrong_search_says_so_and_shows_all(researcher: Client, query: str) -> None:
    page = researcher.get(f"{small_corpus().get_absolute_url()}?{query}").content.decode()
    assert "errorlist" in page
    assert 'id="sentence-3"' in page


@pytest.mark.parametrize("number", ["0", "99", "x"])
def test_a_page_that_is_not_there_becomes_one_that_is(researcher: Client, number: str) -> None:
    assert researcher.get(f"{small_corpus().get_absolute_url()}?page={number}").status_code == 200


def test_hostile_and_long_texts_are_text(researcher: Client) -> None:
    script = "<script>alert(1)</script> goes"
    long = "x" * 5000
    corpus = small_corpus(sentences=[sentence(script, f"{script} home", long, "")])
    page = researcher.get(corpus.get_absolute_url()).content.decode()
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert long in page


def test_a_corpus_that_is_not_there_is_404(researcher: Client) -> None:
    assert researcher.get(f"/corpora/{uuid4()}/").status_code == 404


def test_a_corpus_that_is_being_imported_is_404(researcher: Client) -> None:
    corpus = small_corpus()
    corpus.state = CorpusState.IMPORTING
    corpus.save()
    assert researcher.get(corpus.get_absolute_url()).status_code == 404


def test_queries_do_not_grow_with_the_sentences(
    researcher: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    sentences = [sentence(f"Number {n} .", f"Number {n} !", f"Number {n} ?") for n in range(30)]
    corpus = small_corpus(sentences=sentences)
    with django_assert_max_num_queries(14):
        researcher.get(corpus.get_absolute_url())


def test_one_of_many_documents_is_typed(researcher: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    address = small_corpus().get_absolute_url()
    assert '<select name="document"' in researcher.get(address).content.decode()
    monkeypatch.setattr(forms, "MOST_DOCUMENTS", 0)
    assert '<input type="text" name="document" maxlength="200"' in researcher.get(address).content.decode()


def test_essays_are_shown_in_paragraphs_a_few_on_a_page(researcher: Client) -> None:
    source = "My day ¶ ¶ She go home . ¶ It is late ."
    corpus = small_corpus(sentences=[sentence(source, source.replace("go", "goes"))] * 3)
    page = researcher.get(corpus.get_absolute_url()).content.decode()
    assert "3 essays," in page
    assert '<p dir="auto">My day</p><p dir="auto" class="apart">She go home .</p>' in page
    assert '<p dir="auto" class="apart">She <ins data-at="8-10" title="instead of: go">goes' in page
    assert page.count('<h3 id="sentence-') == 2
    assert "¶" not in page
