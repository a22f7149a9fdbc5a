"""TER: equal to sacreBLEU, as a similarity."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.ter import TER

from metrics import EvaluationSet, score
from metrics.ter import WORK, Ter, TerParameters
from tests.metrics.reference_data import CoNLL14

texts = st.lists(st.sampled_from(["A", "a", "cat", "sat", "."]), max_size=8).map(" ".join)
corpora = st.integers(1, 3).flatmap(
    lambda number: st.lists(
        st.tuples(texts, st.lists(texts, min_size=number, max_size=number)), min_size=1, max_size=5
    )
)


@given(corpora, st.booleans())
def test_it_equals_sacrebleu(corpus: list[tuple[str, list[str]]], case: bool) -> None:
    outputs, references = [output for output, _ in corpus], [texts for _, texts in corpus]
    data = EvaluationSet(("",) * len(corpus), tuple(map(tuple, references)))
    scored = score(Ter(TerParameters(case)), data, {"x": outputs})
    ter = TER(case_sensitive=case)
    streams = [list(stream) for stream in zip(*references, strict=True)]
    assert scored.corpus("x").value == pytest.approx(1 - ter.corpus_score(outputs, streams).score / 100)
    expected = [1 - ter.sentence_score(output, list(texts)).score / 100 for output, texts in corpus]
    assert scored.sentences("x") == pytest.approx(expected)


def test_the_systems_of_conll_2014_score_as_in_sacrebleu(conll14: CoNLL14) -> None:
    data, output = conll14.references("NUCLEA", "NUCLEB"), conll14.outputs("AMU")
    scored = score(Ter(), data, {"AMU": output})
    assert data.references is not None
    left_out = scored.not_scored("AMU")
    kept = [place for place in range(len(output)) if place not in left_out]
    streams = [[data.references[place][number] for place in kept] for number in (0, 1)]
    expected = TER().corpus_score([output[place] for place in kept], streams).score
    assert len(left_out) < 10
    assert scored.corpus("AMU").value == pytest.approx(1 - expected / 100)


def test_moving_two_tokens_is_one_edit() -> None:
    data = EvaluationSet(("",), (("c d a b",),))
    assert score(Ter(), data, {"x": ["a b c d"]}).corpus("x").value == 0.75


def test_long_outputs_that_differ_much_are_not_scored() -> None:
    data = EvaluationSet(("",), (("a b c d " * 20,),))
    scored = score(Ter(), data, {"x": ["e f g h " * 20]})
    assert scored.not_scored("x") == {0: f"tokens times differing tokens are 6,400, more than {WORK:,}"}
