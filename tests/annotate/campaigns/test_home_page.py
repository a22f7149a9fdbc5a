import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from annotate.models import CorpusState
from tests.annotate.samples import campaign_without_texts, small_campaign, small_corpus


def test_it_lists_corpora_and_judgments(researcher: Client) -> None:
    corpus = small_corpus()
    campaign = small_campaign(corpus)
    page = researcher.get("/").content.decode()
    assert f'href="{corpus.get_absolute_url()}"' in page
    assert f'href="{campaign.get_absolute_url()}"' in page


def test_it_says_what_to_do_when_there_is_nothing(researcher: Client) -> None:
    page = researcher.get("/").content.decode()
    assert "import_corpus" in page
    assert "import_judgments" in page


def test_an_annotator_without_work_is_told_so(annotator: Client) -> None:
    small_corpus("secret")
    page = annotator.get("/").content.decode()
    assert "Nothing to judge right now" in page
    assert "secret" not in page


def test_a_corpus_without_texts_is_no_corpus_to_read(researcher: Client) -> None:
    campaign = campaign_without_texts("alone")
    page = researcher.get("/").content.decode()
    assert campaign.get_absolute_url() in page
    assert campaign.corpus.get_absolute_url() not in page


def test_what_is_being_imported_does_not_show(researcher: Client) -> None:
    corpus = small_corpus("half")
    corpus.state = CorpusState.IMPORTING
    corpus.save()
    assert "half" not in researcher.get("/").content.decode()


def test_queries_do_not_grow_with_the_lists(
    researcher: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(4):
        small_campaign(small_corpus(f"corpus-{number}"), f"campaign-{number}")
    with django_assert_max_num_queries(4):
        researcher.get("/")


@pytest.mark.parametrize("name", ["<script>alert(1)</script>"])
def test_names_are_text(researcher: Client, name: str) -> None:
    small_corpus(name)
    page = researcher.get("/").content.decode()
    assert name not in page
    assert "&lt;script&gt;" in page
