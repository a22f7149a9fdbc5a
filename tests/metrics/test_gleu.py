"""GLEU and charGLEU: equal to the official tool to six digits, and to a plain implementation."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dev.benchmarks import plain_gleu
from metrics import EvaluationSet, bootstrap_scores, score
from metrics.gleu import CharGleu, CharGleuParameters, Gleu, GleuParameters, reference_draws
from tests.metrics.reference_data import CoNLL14

OFFICIAL = {
    "AMU": 0.583256,
    "CAMB": 0.592553,
    "CUUI": 0.589398,
    "IITB": 0.566563,
    "IPN": 0.553389,
    "NTHU": 0.572567,
    "PKU": 0.578599,
    "POST": 0.569170,
    "RAC": 0.565503,
    "SJTU": 0.570336,
    "UFC": 0.569016,
    "UMC": 0.572689,
}
"""Printed by the official tool for AMU, CAMB and UFC; from an independent program for the others."""

CHARACTERS = {"AMU": 0.851735, "CAMB": 0.854602}
"""From an independent program; the code that GMEG used is not public."""

texts = st.lists(st.sampled_from(["a", "b", "c", "aa"]), max_size=9).map(" ".join)
corpora = st.integers(1, 3).flatmap(
    lambda number: st.lists(
        st.tuples(texts, texts, st.lists(texts, min_size=number, max_size=number)), min_size=1, max_size=6
    )
)
Corpus = list[tuple[str, str, list[str]]]


def scores(metric: Gleu | CharGleu, corpus: Corpus) -> tuple[float | None, list[float]]:
    data = EvaluationSet(
        tuple(source for source, _, _ in corpus), tuple(tuple(references) for _, _, references in corpus)
    )
    scored = score(metric, data, {"x": [output for _, output, _ in corpus]})
    return scored.corpus("x").value, [float(each) for each in scored.sentences("x")]


def plain(corpus: list[tuple[list[str], list[str], list[list[str]]]], iterations: int, order: int) -> float:
    sources, outputs = [source for source, _, _ in corpus], [output for _, output, _ in corpus]
    references = [references for _, _, references in corpus]
    return plain_gleu.corpus_gleu(sources, outputs, references, iterations, order)


def test_gleu_equals_the_official_tool(conll14: CoNLL14) -> None:
    outputs = {system: conll14.outputs(system) for system in OFFICIAL}
    scored = score(Gleu(), conll14.references("NUCLEA", "NUCLEB"), outputs)
    assert {system: round(scored.corpus(system).value or 0, 6) for system in OFFICIAL} == OFFICIAL


def test_chargleu_of_five_characters(conll14: CoNLL14) -> None:
    outputs = {system: conll14.outputs(system) for system in CHARACTERS}
    scored = score(CharGleu(), conll14.references("NUCLEA", "NUCLEB"), outputs)
    assert {system: round(scored.corpus(system).value or 0, 6) for system in CHARACTERS} == CHARACTERS


@given(corpora, st.integers(1, 5), st.sampled_from([1, 60]))
def test_gleu_equals_a_plain_statement(corpus: Corpus, order: int, iterations: int) -> None:
    value, sentences = scores(Gleu(GleuParameters(order, iterations)), corpus)
    split = [
        (source.split(), output.split(), [ref.split() for ref in refs]) for source, output, refs in corpus
    ]
    expected = plain(split, iterations, order)
    assert value == pytest.approx(expected, abs=1e-12)
    for ours, (source, output, refs) in zip(sentences, split, strict=True):
        each = [
            plain_gleu.gleu(plain_gleu.statistics(source, output, ref, order), smooth=True) for ref in refs
        ]
        assert ours == pytest.approx(sum(each) / len(each), abs=1e-12)


@given(corpora)
def test_chargleu_is_gleu_of_characters(corpus: Corpus) -> None:
    value, _ = scores(CharGleu(CharGleuParameters(5, 20)), corpus)
    spaced = [(list(source), list(output), [list(ref) for ref in refs]) for source, output, refs in corpus]
    expected = plain(spaced, 20, 5)
    assert value == pytest.approx(expected, abs=1e-12)


def test_references_are_drawn_from_python_s_stream() -> None:
    draws = reference_draws(range(3), np.arange(50), np.full(50, 7))
    for iteration in range(3):
        random.seed(iteration * 101)
        assert draws[:, iteration].tolist() == [int(random.random() * 7) for _ in range(50)]  # noqa: S311


def test_one_reference_needs_one_iteration() -> None:
    corpus: Corpus = [("a b c d e", "a b c d f", ["a b c d f"]), ("a b c d e", "a b c d e", ["a b c x e"])]
    assert scores(Gleu(GleuParameters(iterations=1)), corpus) == scores(Gleu(), corpus)


def test_a_sentence_keeps_its_draws_when_sentences_are_resampled() -> None:
    rng = np.random.default_rng(1)

    def text() -> str:
        return " ".join(rng.choice(list("ab"), size=8))

    corpus: Corpus = [(text(), text(), [text(), text(), text()]) for _ in range(12)]
    metric = Gleu(GleuParameters(order=2, iterations=120))
    data = EvaluationSet(tuple(case[0] for case in corpus), tuple(tuple(case[2]) for case in corpus))
    scored = score(metric, data, {"x": [case[1] for case in corpus]})
    replicates = bootstrap_scores(scored, ("x",), range(20), seed=4)[:, 0]
    drawn = np.random.default_rng(np.random.SeedSequence(4, spawn_key=(0,))).integers(12, size=(50, 12))
    draws = reference_draws(range(120), np.arange(12), np.full(12, 3))
    for replicate, sentences in zip(replicates, drawn, strict=False):
        expected = []
        for iteration in range(120):
            sums = np.zeros(6, dtype=int)
            for sentence in sentences:
                source, output, references = corpus[sentence]
                reference = references[draws[sentence, iteration]]
                sums += plain_gleu.statistics(source.split(), output.split(), reference.split(), 2)
            expected.append(plain_gleu.gleu(sums.tolist()))
        assert replicate == pytest.approx(np.mean(expected), abs=1e-12)


def test_a_sentence_without_references_is_not_scored() -> None:
    data = EvaluationSet(("a b c d", "a"), (("a b c d",), ()))
    scored = score(Gleu(), data, {"x": ["a b c d", "b"]})
    assert scored.not_scored("x") == {1: "the sentence has no reference"}
    assert scored.corpus("x").value == 1
