"""METEOR: equal to NLTK, which matches words in the same stages, and sums for corpora."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.meteor_score import meteor_score
from snowballstemmer import stemmer

from metrics import EvaluationSet, metric_from_text, score
from metrics.meteor import Meteor, MeteorParameters
from tests.metrics.reference_data import CoNLL14

WORDS = ("The", "the", "cat", "cats", "sit", "sits", "sitting", "relate", "related", "on", ".")
SENTENCES = 60

texts = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)


class Snowball:
    """The stemmer as NLTK calls it."""

    def __init__(self) -> None:
        self.stem = stemmer("english").stemWord


class NoSynonyms:
    """A WordNet without words."""

    def synsets(self, word: str) -> list[object]:
        return []


class NoStems:
    def stem(self, word: str) -> str:
        return word


def nltk_score(output: str, references: list[str], *, stem: bool = True, **weights: float) -> float:
    value: float = meteor_score(
        [reference.split() for reference in references],
        output.split(),
        stemmer=Snowball() if stem else NoStems(),
        wordnet=NoSynonyms(),
        **weights,
    )
    return value


def ours(output: str, references: list[str], parameters: MeteorParameters | None = None) -> float:
    data = EvaluationSet(("",), (tuple(references),))
    return float(score(Meteor(parameters), data, {"x": [output]}).sentences("x")[0])


@given(texts, st.lists(texts, min_size=1, max_size=3), st.booleans(), st.sampled_from([0.5, 0.9]))
def test_sentences_score_as_in_nltk(output: str, references: list[str], stem: bool, alpha: float) -> None:
    found = ours(output, references, MeteorParameters(stem=stem, alpha=alpha, beta=2.0, gamma=0.4))
    expected = nltk_score(output, references, stem=stem, alpha=alpha, beta=2.0, gamma=0.4)
    assert found == pytest.approx(expected, abs=1e-12)


def test_the_example_of_nltk() -> None:
    output = "It is a guide to action which ensures that the military always obeys the commands of the party"
    reference = "It is a guide to action that ensures that the military will forever heed Party commands"
    assert ours(output, [reference]) == pytest.approx(0.6944, abs=5e-5)


def test_real_sentences_score_as_in_nltk(conll14: CoNLL14) -> None:
    data, outputs = conll14.references("NUCLEA", "NUCLEB"), conll14.outputs("NTHU")
    found = score(Meteor(), data, {"x": outputs}).sentences("x")
    assert data.references is not None
    for place in range(0, len(outputs), len(outputs) // SENTENCES):
        assert found[place] == pytest.approx(
            nltk_score(outputs[place], list(data.references[place])), abs=1e-12
        )


def test_stems_match_only_if_wanted() -> None:
    assert ours("the cat sits", ["the cats sit"]) == ours("the cat sits", ["the cat sits"])
    alone = ours("the cat sits", ["the cats sit"], MeteorParameters(stem=False))
    assert alone == pytest.approx(1 / 3 * (1 - 0.5))


def test_a_corpus_has_the_score_of_its_sums() -> None:
    """Seven matches in four chunks, of eight words and nine in the references."""
    data = EvaluationSet(("", ""), (("a b c d e",), ("f g h i", "x")))
    scored = score(Meteor(), data, {"x": ["a b d e", "f g y h"]})
    precision, recall = 7 / 8, 7 / 9
    mean = precision * recall / (0.9 * precision + 0.1 * recall)
    assert scored.corpus("x").value == pytest.approx(mean * (1 - 0.5 * (4 / 7) ** 3))


def test_its_signature_says_what_matches() -> None:
    data = EvaluationSet(("a",), (("a",),))
    assert "modules:exact,stem|snowball:3.1.1" in metric_from_text("meteor").signature(data)
    assert "modules:exact|" in metric_from_text("meteor:stem=no").signature(data)
