"""Counts of n-grams, compared with plain counting."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.ngrams import NgramCounts, Vocabulary, characters, ngram_counts

TEXTS = st.lists(st.text("abé😀 ", max_size=14), min_size=1, max_size=4)


def counted(texts: list[str], order: int) -> list[tuple[int, ...]]:
    """For each n-gram of any text how often it stands in each, sorted."""
    counters = [Counter(text[i : i + order] for i in range(len(text) - order + 1)) for text in texts]
    return sorted(tuple(each[ngram] for each in counters) for ngram in set().union(*counters))


@given(texts=TEXTS, max_order=st.integers(1, 6))
def test_counts_are_those_of_plain_counting(texts: list[str], max_order: int) -> None:
    ngrams = ngram_counts([characters(text) for text in texts], max_order)
    for order in range(1, max_order + 1):
        columns = ngrams.counts[:, ngrams.starts[order - 1] : ngrams.starts[order]]
        assert sorted(map(tuple, columns.T.tolist())) == counted(texts, order)


def test_sums_by_order() -> None:
    ngrams = NgramCounts(np.array([[1, 2, 3, 4, 5]]), np.array([0, 2, 2, 5]))
    assert ngrams.by_order(ngrams.counts).tolist() == [[3, 0, 12]]
    assert ngrams.by_order(np.array([1, 1, 1, 0, 0])).tolist() == [2, 0, 1]


def test_equal_words_are_equal_numbers() -> None:
    vocabulary = Vocabulary()
    assert vocabulary.words("a b  a").tolist() == [0, 1, 0]
    assert vocabulary.words("b c").tolist() == [1, 2]
    assert vocabulary.words("").tolist() == []


@pytest.mark.parametrize("text", ["", "aé😀", "\ud800"])
def test_characters_are_code_points(text: str) -> None:
    assert characters(text).tolist() == [ord(each) for each in text]


def test_long_repetitive_texts_have_few_ngrams() -> None:
    """5,000 characters, 10 orders."""
    ngrams = ngram_counts([characters("x" * 5_000), characters("xy" * 2_500)], 10)
    assert ngrams.counts[0, ngrams.starts[9] :].max() == 4_991
    assert ngrams.counts.shape == (2, 2 + 9 * 3)
