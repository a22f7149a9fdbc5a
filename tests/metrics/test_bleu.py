"""BLEU and iBLEU: corpora against sacreBLEU, sentences against NLTK."""

import warnings

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.bleu_score import SmoothingFunction
from nltk.translate.bleu_score import sentence_bleu as nltk_sentence_bleu

from metrics import EvaluationSet, metric_from_text, score
from tests.metrics.reference_data import CoNLL14

SYSTEMS = ("CAMB", "POST")
SENTENCES = st.lists(st.sampled_from("abc"), max_size=7).map(" ".join)


def by_nltk(references: tuple[str, ...], output: str) -> float:
    """Sentence BLEU with smoothing method 3; NLTK warns where an order has no match."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value = nltk_sentence_bleu(
            [text.split() for text in references],
            output.split(),
            smoothing_function=SmoothingFunction().method3,
        )
    return float(value)


def by_sacrebleu(references: list[tuple[str, ...]], outputs: list[str]) -> float:
    bleu = sacrebleu.BLEU(tokenize="none", force=True)
    return float(bleu.corpus_score(outputs, [list(column) for column in zip(*references, strict=True)]).score)


def test_corpora_equal_sacrebleu(conll14: CoNLL14) -> None:
    """To rounding: 1e-12 of scores up to 1."""
    data = conll14.references("NUCLEA", "NUCLEB")
    outputs = {system: conll14.outputs(system) for system in SYSTEMS}
    scored = score(metric_from_text("bleu"), data, outputs)
    assert data.references is not None
    for system in SYSTEMS:
        expected = by_sacrebleu(list(data.references), outputs[system]) / 100
        assert scored.corpus(system).value == pytest.approx(expected, abs=1e-12)
    assert scored.corpus("CAMB").value == pytest.approx(0.807, abs=0.01)


def test_300_sentences_equal_nltk(conll14: CoNLL14) -> None:
    """Smoothing method 3, to rounding: 1e-12 of scores up to 1."""
    data = conll14.references("NUCLEA", "NUCLEB")
    outputs = conll14.outputs("CAMB")[:300]
    assert data.references is not None
    data = EvaluationSet(data.sources[:300], data.references[:300])
    scores = score(metric_from_text("bleu"), data, {"CAMB": outputs}).sentences("CAMB")
    expected = [
        by_nltk(references, output) for references, output in zip(data.references or (), outputs, strict=True)
    ]
    assert scores == pytest.approx(expected, abs=1e-12)
    assert np.unique(scores).size > 200


@given(references=st.lists(SENTENCES, min_size=1, max_size=3).map(tuple), output=SENTENCES)
def test_short_sentences_equal_nltk(references: tuple[str, ...], output: str) -> None:
    data = EvaluationSet(("a",), (references,))
    scores = score(metric_from_text("bleu"), data, {"x": [output]}).sentences("x")
    assert scores[0] == pytest.approx(by_nltk(references, output), abs=1e-12)


@given(rows=st.lists(st.tuples(st.tuples(SENTENCES, SENTENCES), SENTENCES), min_size=1, max_size=4))
def test_short_corpora_equal_sacrebleu(rows: list[tuple[tuple[str, str], str]]) -> None:
    references, outputs = [row[0] for row in rows], [row[1] for row in rows]
    data = EvaluationSet(("a",) * len(rows), tuple(references))
    value = score(metric_from_text("bleu"), data, {"x": outputs}).corpus("x").value
    assert value == pytest.approx(by_sacrebleu(list(references), outputs) / 100, abs=1e-12)


@pytest.mark.parametrize(("sign", "factor"), [("minus", -1), ("plus", 1)])
def test_ibleu_joins_bleu_against_references_and_source(sign: str, factor: int) -> None:
    data = EvaluationSet(
        sources=("the cat sit on a mat .", "he go home now"),
        references=(("the cat sits on the mat .", "a cat sits on a mat ."), ("he goes home now",)),
    )
    output = ["the cat sits on a mat .", "he goes home"]
    against_source = EvaluationSet(data.sources, tuple((source,) for source in data.sources))
    joined = score(metric_from_text(f"ibleu:alpha=0.7:sign={sign}"), data, {"x": output})
    first = score(metric_from_text("bleu"), data, {"x": output})
    second = score(metric_from_text("bleu"), against_source, {"x": output})
    assert joined.sentences("x") == pytest.approx(
        0.7 * first.sentences("x") + factor * 0.3 * second.sentences("x")
    )
    parts = first.corpus("x").value, second.corpus("x").value
    assert parts[0] is not None
    assert parts[1] is not None
    corpus = joined.corpus("x")
    assert corpus.value == pytest.approx(0.7 * parts[0] + factor * 0.3 * parts[1])
    assert corpus.details == {"bleu_references": parts[0], "bleu_source": parts[1]}


def test_signatures_say_how_zeros_are_smoothed() -> None:
    data = EvaluationSet(("a",), (("a",),))
    assert (
        metric_from_text("bleu")
        .signature(data)
        .startswith("bleu|refs:1|tok:given|smooth:exp|sentences:method3|assay:")
    )
    assert metric_from_text("ibleu").signature(data).startswith("ibleu|alpha:0.8|sign:minus|refs:1|tok:given")


@given(references=st.lists(SENTENCES, min_size=1, max_size=3), output=SENTENCES)
def test_shortest_orders_equal_nltk_with_fewer_weights(references: list[str], output: str) -> None:
    """MAEGE calls it so that no order is longer than the output or a reference; 1e-12 is rounding."""
    orders = min(4, *(len(text.split()) for text in (output, *references)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = nltk_sentence_bleu(
            [text.split() for text in references],
            output.split(),
            weights=(1 / orders,) * orders if orders else (),
            smoothing_function=SmoothingFunction().method3,
        )
    data = EvaluationSet(("x",), (tuple(references),))
    for name in ("bleu:orders=shortest", "ibleu:alpha=1:orders=shortest"):
        scores = score(metric_from_text(name), data, {"A": [output]}).sentences("A")
        assert scores[0] == pytest.approx(float(expected), abs=1e-12)
