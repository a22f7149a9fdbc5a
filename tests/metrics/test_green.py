"""GREEN: values of the authors' tool, and a plain implementation of the definition."""

from collections import Counter
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import EvaluationSet, metric_from_text, score
from tests.metrics.reference_data import CoNLL14

SENTENCES = st.lists(st.sampled_from("abc"), max_size=6).map(" ".join)

OFFICIAL = {
    "AMU": (85.4175, 81.9706, 79.2482),
    "CAMB": (82.0157, 80.5013, 79.7454),
    "UFC": (92.8623, 84.2633, 77.1491),
    "INPUT": (93.0251, 84.2143, 76.9281),
}


@pytest.mark.parametrize(("place", "beta"), [(0, 0.5), (1, 1), (2, 2)])
def test_values_of_the_official_tool(conll14: CoNLL14, place: int, beta: float) -> None:
    """Both official references; four decimals of scores times 100."""
    data = conll14.references("NUCLEA", "NUCLEB")
    outputs = {system: conll14.outputs(system) for system in OFFICIAL}
    scored = score(metric_from_text(f"green:beta={beta}"), data, outputs)
    ours = {system: round(100 * (scored.corpus(system).value or 0), 4) for system in OFFICIAL}
    assert ours == {system: values[place] for system, values in OFFICIAL.items()}


def plain_green(source: str, output: str, reference: str, orders: int = 4, beta: float = 2) -> float:
    """F of one sentence by multisets (Koyama et al. 2024, section 3)."""
    precisions, recalls = [], []
    for order in range(1, orders + 1):
        s, c, r = (
            Counter(tuple(words[i : i + order]) for i in range(len(words) - order + 1))
            for words in (source.split(), output.split(), reference.split())
        )
        true = ((s - (r | c)) + ((r & c) - s) + (s & r & c)).total()
        false = (((s & r) - c) + (c - (s | r))).total()
        missed = (((s & c) - r) + (r - (s | c))).total()
        precisions.append(true / (true + false) if true + false else 1)
        recalls.append(true / (true + missed) if true + missed else 0)
    precision, recall = (prod(values) ** (1 / orders) for values in (precisions, recalls))
    if precision + recall == 0:
        return 0
    return float((1 + beta**2) * precision * recall / (beta**2 * precision + recall))


@given(source=SENTENCES, output=SENTENCES, references=st.lists(SENTENCES, min_size=1, max_size=3))
def test_sentences_take_the_best_reference(source: str, output: str, references: list[str]) -> None:
    data = EvaluationSet((source,), (tuple(references),))
    value = score(metric_from_text("green"), data, {"x": [output]}).sentences("x")[0]
    assert value == pytest.approx(max(plain_green(source, output, each) for each in references), abs=1e-12)


def test_ties_are_broken_by_shorter_ngrams() -> None:
    """Both references leave no 4-gram in common with the output; the second shares more words with it."""
    data = EvaluationSet(("z",), (("e f g h", "a b x d"),))
    scored = score(metric_from_text("green"), data, {"x": ["a b y d"]})
    alone = EvaluationSet(data.sources, (("a b x d",),))
    assert scored.sentences("x").tolist() == [0]
    expected = score(metric_from_text("green"), alone, {"x": ["a b y d"]}).rows.values
    assert scored.rows.values.tolist() == expected.tolist()


def test_a_corpus_adds_up_counts_of_the_best_references() -> None:
    """The second sentence alone has an F of 0, for it has no 4-gram; in a corpus its words count."""
    data = EvaluationSet(("a b c d e", "f g"), (("a b c d x",), ("f h",)))
    scored = score(metric_from_text("green"), data, {"x": ["a b c d x", "f h"]})
    assert scored.sentences("x").tolist() == [1, 0]
    assert scored.corpus("x").value == 1
    assert scored.corpus("x").details == {"precision": 1, "recall": 1}
