"""chrF++: statistics, sentences and corpora against sacreBLEU."""

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from metrics import EvaluationSet, metric_from_text, score
from tests.metrics.reference_data import CoNLL14

TEXTS = st.text("ab. ", max_size=8)


def test_corpora_and_sentences_equal_sacrebleu(conll14: CoNLL14) -> None:
    """To rounding: 1e-12 of scores up to 1. 300 sentences, for sacreBLEU is slow."""
    data = conll14.references("NUCLEA", "NUCLEB")
    assert data.references is not None
    references = data.references[:300]
    outputs = conll14.outputs("CAMB")[:300]
    scored = score(metric_from_text("chrf"), EvaluationSet(data.sources[:300], references), {"x": outputs})
    chrf = sacrebleu.CHRF(word_order=2)
    columns = [list(column) for column in zip(*references, strict=True)]
    assert scored.corpus("x").value == pytest.approx(
        chrf.corpus_score(outputs, columns).score / 100, abs=1e-12
    )
    expected = [
        chrf.sentence_score(output, list(texts)).score / 100
        for output, texts in zip(outputs, references, strict=True)
    ]
    assert scored.sentences("x") == pytest.approx(expected, abs=1e-12)


@given(references=st.lists(TEXTS, min_size=1, max_size=3), output=TEXTS)
def test_any_text_scores_as_in_sacrebleu(references: list[str], output: str) -> None:
    data = EvaluationSet(("a",), (tuple(references),))
    value = score(metric_from_text("chrf"), data, {"x": [output]}).corpus("x").value
    expected = sacrebleu.CHRF(word_order=2).sentence_score(output, references).score / 100
    assert value == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("words", "beta"), [(0, 2), (2, 1), (2, 3)])
def test_parameters_are_those_of_sacrebleu(words: int, beta: int) -> None:
    data = EvaluationSet(("a",), (("the cat sits on the mat .",),))
    output = "a cat sat on the mats ."
    value = (
        score(metric_from_text(f"chrf:words={words}:beta={beta}"), data, {"x": [output]}).corpus("x").value
    )
    expected = sacrebleu.CHRF(word_order=words, beta=beta).sentence_score(output, list(data.references[0]))  # type: ignore[index]
    assert value == pytest.approx(expected.score / 100, abs=1e-12)


@given(text=TEXTS.filter(str.strip))
def test_a_reference_scores_1_against_itself(text: str) -> None:
    data = EvaluationSet(("a",), ((text,),))
    assert score(metric_from_text("chrf"), data, {"x": [text]}).corpus("x").value == 1
