"""Filtering sentences by an edit type that a system makes, hits, gets wrong or misses."""

from typing import Any

import pytest

from annotate.corpora.edit_filter import EditFilter, Outcome
from annotate.corpora.sentences import sentences
from annotate.models import Corpus, ReferenceEdit
from tests.annotate.labelled import label
from tests.annotate.samples import small_corpus

pytestmark = pytest.mark.django_db

SVA = "R:VERB:SVA"
TENSE = "R:VERB:TENSE"


@pytest.fixture
def corpus() -> Corpus:
    """Labelled, beside another corpus with the same texts."""
    label(small_corpus("other"))
    corpus = small_corpus()
    label(corpus)
    return corpus


def found(corpus: Corpus, **asked: Any) -> list[int]:
    """The positions of the sentences."""
    return [row.position for row in sentences(corpus, **asked)]


@pytest.mark.parametrize(
    ("asked", "positions"),
    [
        ({}, [0, 1, 2, 3]),
        ({"annotator": "1"}, [0, 1, 2, 3]),
        ({"type": SVA}, [0, 1, 3]),
        ({"type": "R:CONJ"}, [3]),
        ({"type": "R:PREP"}, []),
        ({"type": SVA, "outcome": "made"}, [0, 1, 3]),
        ({"system": "Alder"}, [0, 1, 3]),
        ({"system": "INPUT"}, []),
        ({"system": "Cedar", "type": SVA}, []),
        ({"system": "Nobody"}, []),
        # Annotator 0 wrote "goes" and annotator 1 "went"; sentence 3 has no reference.
        ({"system": "Alder", "outcome": "hit"}, [0, 1]),
        ({"system": "Alder", "outcome": "hit", "annotator": "1"}, [1]),
        ({"system": "Cedar", "outcome": "hit", "type": TENSE}, [0]),
        ({"system": "Cedar", "outcome": "hit", "type": SVA}, []),
        ({"outcome": "hit", "type": SVA}, [0, 1]),
        ({"system": "Alder", "outcome": "wrong"}, []),
        ({"system": "Alder", "outcome": "wrong", "annotator": "1"}, [0]),
        ({"system": "Cedar", "outcome": "wrong"}, [1]),
        ({"system": "Cedar", "outcome": "wrong", "annotator": "0"}, [0]),
        ({"outcome": "wrong"}, [1]),
        ({"system": "Alder", "outcome": "missed"}, [0]),
        ({"system": "Alder", "outcome": "missed", "annotator": "0"}, []),
        ({"system": "Birch", "outcome": "missed", "type": "R:NOUN:NUM"}, [1]),
        ({"system": "Birch", "outcome": "missed", "type": SVA}, []),
        ({"system": "INPUT", "outcome": "missed"}, [0, 1]),
        ({"system": "Nobody", "outcome": "missed"}, []),
    ],
)
def test_sentences_have_such_an_edit(corpus: Corpus, asked: dict[str, str], positions: list[int]) -> None:
    assert found(corpus, **asked) == positions


def test_detection_edits_are_neither_hit_nor_missed(corpus: Corpus) -> None:
    ReferenceEdit.objects.update(type="UNK")
    assert found(corpus, type="UNK") == [0, 1, 2]
    assert found(corpus, system="INPUT", outcome="missed") == []
    assert found(corpus, system="Alder", outcome="hit") == []
    assert found(corpus, system="Alder", outcome="wrong") == [0, 1]


def test_a_sentence_whose_output_is_not_labelled_is_not_shown(corpus: Corpus) -> None:
    corpus.systems.get(name="INPUT").productions.all().delete()
    assert found(corpus, system="INPUT", outcome="missed") == []


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (EditFilter("R:PREP"), "a system or a reference makes an edit of type R:PREP (replaced preposition)"),
        (EditFilter("", "AMU"), "Amu makes an edit"),
        (EditFilter("", "", "made"), "a system makes an edit"),
        (EditFilter("M:DET", "AMU", "hit"), ", and a reference makes the same edit"),
        (EditFilter("M:DET", "AMU", "wrong"), ", and no reference makes the same edit"),
        (EditFilter("M:DET", "AMU", "wrong", "7"), ", and the reference of 7 does not make the same edit"),
        (
            EditFilter("M:DET", "AMU", "missed"),
            "a reference makes an edit of type M:DET (missing determiner), and Amu does not make the same",
        ),
    ],
)
def test_it_says_so_in_words(asked: EditFilter, words: str) -> None:
    assert words in asked.in_words("Amu" if asked.system else "")


def test_missed_is_missed_by_a_system() -> None:
    assert EditFilter(outcome=Outcome.MISSED).lacks_a_system
    assert not EditFilter(outcome=Outcome.MISSED, system="AMU").lacks_a_system
