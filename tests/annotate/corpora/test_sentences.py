from typing import Any

import pytest
from django.db import connection
from django.db.models.signals import pre_init
from pytest_django import DjangoAssertNumQueries

from annotate.corpora.sentences import ShownOutput, ShownReference, sentences, shown
from annotate.database.corpus_counts import COUNTED_FIELDS, count_corpus
from annotate.models import Output, Sentence
from tests.annotate.samples import sentence, small_corpus

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("criteria", "positions"),
    [
        ({}, [0, 1, 2, 3]),
        ({"containing": "HOME"}, [0]),
        ({"containing": "cats"}, [1]),  # only in an output
        ({"containing": "<b>"}, [3]),
        ({"containing": "%"}, []),
        ({"document": "report"}, [2, 3]),
        ({"distinct": 3}, [0, 3]),
        ({"distinct": 1, "document": "report"}, [2]),
        ({"distinct": 2}, []),
        ({"containing": "She", "distinct": 3, "document": "letter"}, [0]),
    ],
)
def test_sentences_can_be_searched(criteria: dict[str, Any], positions: list[int]) -> None:
    small_corpus("other")
    assert [row.position for row in sentences(small_corpus(), **criteria)] == positions


@pytest.mark.parametrize("words", ["Über", "über die", "DIE BR", "_rücke", "ss"])
def test_words_beyond_ascii_are_found(words: str) -> None:
    corpus = small_corpus(sentences=[sentence("Er ging über die Brücke .", "Er ging Über die_rücke ss .")])
    assert [row.position for row in sentences(corpus, containing=words)] == [0]


def test_postgresql_compares_ascii_without_the_locale() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("The locale is PostgreSQL's.")
    sql = str(sentences(small_corpus(), containing="home").query)
    assert sql.count('COLLATE "C"') == 2
    assert "COLLATE" not in str(sentences(small_corpus("other"), containing="über").query)


def test_a_number_of_outputs_that_no_sentence_has_is_not_looked_for(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    corpus = small_corpus()
    with django_assert_num_queries(0):
        assert [list(sentences(corpus, distinct=number)) for number in (2, 5, 500)] == [[], [], []]


def test_sentences_without_any_output_are_found() -> None:
    corpus = small_corpus()
    Sentence.objects.create(corpus=corpus, position=4, text="Nobody corrected it .")
    count_corpus(corpus)
    corpus.save(update_fields=COUNTED_FIELDS)
    assert [row.position for row in sentences(corpus, distinct=0)] == [4]


def test_sentences_are_counted_in_order_until_a_page_is_full() -> None:
    plan = sentences(small_corpus(), distinct=3)[:10].explain()
    assert "TEMP B-TREE" not in plan
    assert "Aggregate" not in plan.split("SubPlan")[0]


def test_sentences_come_with_outputs_systems_and_references(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    corpus = small_corpus()
    with django_assert_num_queries(6):
        first, second, *_ = shown(sentences(corpus))
    assert [(output.text, output.systems) for output in first.outputs] == [
        ("She go home .", ("INPUT",)),
        ("She goes home .", ("Alder", "Birch")),
        ("She went home .", ("Cedar",)),
    ]
    assert [reference.annotator for reference in first.references] == ["0", "1"]
    assert first.references[1] == ShownReference("1", "She went home .", None)
    digest = Output.objects.get(sentence__corpus=corpus, text="").digest
    assert second.outputs[-1] == ShownOutput(digest, "", ("Cedar",))
    assert shown([]) == []


def test_parts_of_a_sentence_are_read_as_values() -> None:
    """A page of a thousand sentences has some twenty thousand rows: as objects, they take seconds."""
    rows = sentences(small_corpus())
    made: list[type] = []

    def note(sender: type, **_: Any) -> None:
        made.append(sender)

    pre_init.connect(note)
    try:
        shown(rows)
    finally:
        pre_init.disconnect(note)
    assert made == [Sentence] * 4


@pytest.mark.parametrize("words", ["don't know, he", "n't know", "(he said)."])
def test_natural_text_of_a_tokenised_corpus_is_found_as_tokens(words: str) -> None:
    texts = [sentence("I do n't know , he is .", "I do n't know ( he said ) .")]
    corpus = small_corpus(sentences=texts, tokenisation="tokens")
    assert [row.position for row in sentences(corpus, containing=words)] == [0]
    other = small_corpus("other", sentences=texts)
    assert len(sentences(other, containing=words)) == (words == "n't know")
