"""MinLD and LD source: Levenshtein distances compared with RapidFuzz and plain dynamic programming."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from metrics import EvaluationSet, metric_from_text, score
from tests.metrics.reference_data import CoNLL14

TEXTS = st.text("ab é😀", max_size=8)


def distance(first: str, second: str) -> int:
    """Fewest insertions, deletions and replacements of characters."""
    row = list(range(len(second) + 1))
    for number, one in enumerate(first, start=1):
        diagonal, row[0] = row[0], number
        for place, other in enumerate(second, start=1):
            diagonal, row[place] = (
                row[place],
                min(row[place] + 1, row[place - 1] + 1, diagonal + (one != other)),
            )
    return row[-1]


@given(source=TEXTS, references=st.lists(TEXTS, min_size=1, max_size=3), output=TEXTS)
def test_any_text(source: str, references: list[str], output: str) -> None:
    """The distance is divided by the length of the reference or the source, not of the output."""
    data = EvaluationSet((source,), (tuple(references),))
    source, output, *references = (" ".join(text.split()) for text in (source, output, *references))
    minld = score(metric_from_text("minld"), data, {"x": [output]}).sentences("x")[0]
    expected = [1 - distance(text, output) / max(1, len(text)) for text in references]
    assert minld == pytest.approx(max(expected), abs=1e-12)
    ld_source = score(metric_from_text("ld-source"), data, {"x": [output]}).sentences("x")[0]
    assert ld_source == pytest.approx(1 - distance(source, output) / max(1, len(source)), abs=1e-12)


def test_corpora_are_means_over_sentences(conll14: CoNLL14) -> None:
    data = conll14.references("NUCLEA", "NUCLEB")
    outputs = conll14.outputs("AMU")
    assert data.references is not None
    expected = [
        max(1 - Levenshtein.distance(text, output) / max(1, len(text)) for text in texts)
        for texts, output in zip(data.references, map(str.strip, outputs), strict=True)
    ]
    value = score(metric_from_text("minld"), data, {"AMU": outputs}).corpus("AMU").value
    assert value == pytest.approx(sum(expected) / 1312, abs=1e-12)


def test_a_source_is_all_that_ld_source_needs() -> None:
    data = EvaluationSet(("a b", ""))
    scored = score(metric_from_text("ld-source"), data, {"same": ["a b", ""], "long": ["a b", "abc"]})
    assert scored.corpus("same").value == 1
    assert scored.sentences("long").tolist() == [1, -2]
