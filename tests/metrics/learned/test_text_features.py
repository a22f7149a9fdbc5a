"""Text features: compared with values by hand and plain counting, and on real outputs."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import EvaluationSet, InputError
from metrics.learned.text_features import FEATURES, features_of
from tests.metrics.reference_data import CoNLL14

SENTENCES = st.lists(st.sampled_from(["a", "bb", "c"]), max_size=6).map(" ".join)


def features(source: str, references: list[str], output: str) -> dict[str, float]:
    data = EvaluationSet((source,), (tuple(references),))
    return dict(zip(FEATURES, features_of(data, [(0, output)])[0].tolist(), strict=True))


def test_there_are_37_features_with_a_name_each() -> None:
    assert len(set(FEATURES)) == len(FEATURES) == 4 + 2 * 6 + 2 * 10 + 1


def test_values_by_hand() -> None:
    values = features("a b c", ["a b d", "a x"], "a b d e")
    assert values["words_to_source"] == 4 / 3
    assert values["words_to_reference"] == 4 / 3
    assert values["characters_to_source"] == 7 / 5
    assert values["word_precision_1"] == 3 / 4
    assert values["word_recall_1"] == 1
    assert values["word_precision_2"] == 2 / 3
    assert values["word_precision_4"] == 0
    assert values["word_recall_4"] == 0
    assert values["word_precision_5"] == values["word_recall_5"] == 1
    assert values["character_recall_5"] == 1
    assert values["words_in_source"] == 2 / 4


@given(source=SENTENCES, references=st.lists(SENTENCES, min_size=1, max_size=3), output=SENTENCES)
def test_overlaps_are_those_of_plain_counting(source: str, references: list[str], output: str) -> None:
    values = features(source, references, output)
    for unit, top in (("word", 6), ("character", 10)):
        for order in range(1, top + 1):
            pairs = []
            for reference in references:
                one, other = (
                    Counter(tuple(units[i : i + order]) for i in range(len(units) - order + 1))
                    for units in (
                        (text.split() if unit == "word" else list(text)) for text in (output, reference)
                    )
                )
                shared, neither = (one & other).total(), not one and not other
                pairs.append([1.0 if neither else shared / max(1, whole.total()) for whole in (one, other)])
            precision, recall = np.max(pairs, axis=0)
            assert values[f"{unit}_precision_{order}"] == pytest.approx(precision)
            assert values[f"{unit}_recall_{order}"] == pytest.approx(recall)


def test_a_reference_has_all_overlaps_and_ratios_of_1() -> None:
    values = features("a b", ["x", "a c"], "a c")
    ones = [name for name in FEATURES if name not in ("words_in_source",)]
    assert [values[name] for name in ones] == [1] * 36
    assert values["words_in_source"] == 0.5


def test_empty_texts_have_no_nan() -> None:
    for source, reference, output in [("", "", ""), ("a", "", ""), ("a", "b", ""), ("", "", "a b")]:
        assert all(np.isfinite(list(features(source, [reference], output).values())))


def test_a_sentence_without_references_has_nan_and_the_others_not() -> None:
    data = EvaluationSet(("a", "b"), ((), ("b",)))
    table = features_of(data, [(0, "a"), (1, "b")])
    assert np.isnan(table).all(axis=1).tolist() == [True, False]


def test_outputs_in_any_order_have_the_features_of_their_sentence() -> None:
    data = EvaluationSet(("a b", "c"), (("a", "b c"), ("c d",)))
    outputs = [(0, "a"), (1, "c d"), (0, "b c"), (1, "c")]
    alone = [features_of(data, [output])[0].tolist() for output in outputs]
    assert features_of(data, outputs).tolist() == alone


def test_references_are_needed() -> None:
    with pytest.raises(InputError, match="needs references"):
        features_of(EvaluationSet(("a",)), [(0, "a")])


def test_real_outputs(conll14: CoNLL14) -> None:
    """The source has each of its words in itself, and its length; a system does not."""
    data = conll14.references("NUCLEA", "NUCLEB")
    outputs = {name: list(enumerate(conll14.outputs(name))) for name in ("INPUT", "AMU")}
    table = {name: features_of(data, texts) for name, texts in outputs.items()}
    means = {name: dict(zip(FEATURES, rows.mean(axis=0), strict=True)) for name, rows in table.items()}
    assert means["INPUT"]["words_in_source"] == means["INPUT"]["words_to_source"] == 1
    assert 0.9 < means["AMU"]["words_in_source"] < 1
    assert np.isfinite(table["AMU"]).all()
    falling = [means["AMU"][f"word_precision_{order}"] for order in range(1, 7)]
    assert falling == sorted(falling, reverse=True)
