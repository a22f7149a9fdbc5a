from collections.abc import Sequence
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from annotate.api import corpora
from annotate.corpora.sentences import ShownSentence, shown
from annotate.models import Corpus, Sentence
from tests.annotate.api.asking import ask, problem_of, program
from tests.annotate.labelled import label
from tests.annotate.samples import campaign_without_texts, small_corpus

pytestmark = pytest.mark.django_db
WHO = 1
"""Queries to find the token's account."""


@pytest.fixture
def client() -> Client:
    """A researcher's program."""
    return program()


@pytest.fixture
def corpus() -> Corpus:
    """Four sentences, four systems."""
    return small_corpus()


def sentences(client: Client, corpus: Corpus, **filters: Any) -> list[int]:
    """The positions of the sentences that the filters leave."""
    rows = ask(client, f"corpora/{corpus.uuid}/sentences/", **filters)["results"]
    return [row["sentence"] for row in rows]


def test_corpora_are_those_of_the_home_page(
    client: Client, corpus: Corpus, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    campaign_without_texts()
    small_corpus("another")
    with django_assert_num_queries(WHO + 1):
        rows = ask(client, "corpora/")["results"]
    assert [row["name"] for row in rows] == ["another", "small"]
    assert rows[1]["uuid"] == str(corpus.uuid)
    assert (rows[1]["language"], rows[1]["sentence_count"], rows[1]["system_count"]) == ("en", 4, 4)
    assert rows[1]["tokenisation"] == ""


def test_a_corpus_names_its_systems(client: Client, corpus: Corpus) -> None:
    assert ask(client, f"corpora/{corpus.uuid}/")["systems"] == [
        {"name": "Alder", "label": "Alder", "role": "system", "family": ""},
        {"name": "Birch", "label": "Birch", "role": "system", "family": ""},
        {"name": "Cedar", "label": "Cedar", "role": "system", "family": ""},
        {"name": "INPUT", "label": "INPUT", "role": "source", "family": ""},
    ]


def test_a_sentence_has_its_distinct_outputs_and_references(client: Client, corpus: Corpus) -> None:
    first = ask(client, f"corpora/{corpus.uuid}/sentences/")["results"][0]
    assert (first["sentence"], first["document"], first["domain"]) == (0, "letter", "private")
    assert first["text"] == "She go home ."
    outputs = {output["text"]: output["systems"] for output in first["outputs"]}
    assert outputs == {
        "She go home .": ["INPUT"],
        "She goes home .": ["Alder", "Birch"],
        "She went home .": ["Cedar"],
    }
    assert [len(output["output"]) for output in first["outputs"]] == [64] * 3
    assert first["references"][1] == {
        "annotator": "1",
        "text": "She went home .",
        "edits": None,
        "labelled_edits": None,
    }
    assert first["references"][0]["edits"] == [[1, 2, "Vform", ["goes", "went"], "REQUIRED", ""]]


def test_sentences_are_filtered_as_on_the_page(client: Client, corpus: Corpus) -> None:
    assert sentences(client, corpus) == [0, 1, 2, 3]
    assert sentences(client, corpus, containing="GOES") == [0]
    assert sentences(client, corpus, document="report") == [2, 3]
    assert sentences(client, corpus, distinct=3) == [0, 3]
    assert sentences(client, corpus, sentence=2) == [2]


@pytest.mark.parametrize(
    "wrong",
    [
        {"sentence": -1},
        {"sentence": 2**31},
        {"distinct": "x"},
        {"containing": "\0"},
        {"type": "R:X"},
        {"outcome": "x"},
    ],
)
def test_a_filter_that_is_wrong_is_named(client: Client, corpus: Corpus, wrong: dict[str, Any]) -> None:
    response = client.get(f"/api/v1/corpora/{corpus.uuid}/sentences/", wrong)
    assert problem_of(response, 400)["errors"].keys() == wrong.keys()


def test_pages_follow_each_other_forth_and_back(client: Client, corpus: Corpus) -> None:
    first = ask(client, f"corpora/{corpus.uuid}/sentences/", limit=3)
    assert [row["sentence"] for row in first["results"]] == [0, 1, 2]
    assert first["previous"] is None
    last = client.get(first["next"]).json()
    assert [row["sentence"] for row in last["results"]] == [3]
    assert last["next"] is None
    assert client.get(last["previous"]).json()["results"] == first["results"]


def test_longer_pages_take_no_more_queries(
    client: Client, corpus: Corpus, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for limit in (1, 4):
        # The corpus, its sentences, their outputs, who made these and their names, references, all edits.
        with django_assert_num_queries(WHO + 7):
            ask(client, f"corpora/{corpus.uuid}/sentences/", limit=limit)


def test_long_pages_are_read_and_written_some_sentences_at_a_time(
    client: Client, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = ask(client, f"corpora/{corpus.uuid}/sentences/")
    sizes: list[int] = []

    def noted(some: Sequence[Sentence]) -> list[ShownSentence]:
        sizes.append(len(some))
        return shown(some)

    monkeypatch.setattr(corpora, "shown", noted)
    monkeypatch.setattr(corpora, "SENTENCES_PER_PIECE", 3)
    assert ask(client, f"corpora/{corpus.uuid}/sentences/") == whole
    assert sizes == [3, 1]
    nothing: dict[str, object] = {"next": None, "previous": None, "results": []}
    assert ask(client, f"corpora/{corpus.uuid}/sentences/", containing="nowhere") == nothing


def test_labelled_edits_come_with_outputs_and_references(client: Client, corpus: Corpus) -> None:
    address = f"corpora/{corpus.uuid}/sentences/"
    first = ask(client, address)["results"][0]
    assert {each["labelled_edits"] for each in (*first["outputs"], *first["references"])} == {None}
    label(corpus)
    first = ask(client, address)["results"][0]
    goes = {"start": 1, "end": 2, "type": "R:VERB:SVA", "correction": "goes"}
    by_text = {output["text"]: output["labelled_edits"] for output in first["outputs"]}
    assert by_text["She goes home ."] == [goes]
    assert by_text["She go home ."] == []
    assert first["references"][0]["labelled_edits"] == [goes]


def test_sentences_are_filtered_by_their_edits(client: Client, corpus: Corpus) -> None:
    label(corpus)
    assert sentences(client, corpus, type="R:VERB:SVA") == [0, 1, 3]
    assert sentences(client, corpus, system="Alder", outcome="missed") == [0]
    assert sentences(client, corpus, system="Cedar", outcome="wrong", annotator="0") == [0]


@pytest.mark.parametrize(
    ("asked", "fault"),
    [
        ({"outcome": "missed"}, {"system": ["Choose the system that misses the edit."]}),
        ({"system": "Nobody"}, {"system": ["The corpus has no such system."]}),
    ],
)
def test_a_filter_of_edits_that_makes_no_sense_is_named(
    client: Client, corpus: Corpus, asked: dict[str, str], fault: dict[str, list[str]]
) -> None:
    response = client.get(f"/api/v1/corpora/{corpus.uuid}/sentences/", asked)
    assert problem_of(response, 400)["errors"] == fault
