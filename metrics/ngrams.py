"""n-grams of a sentence's source, references and outputs, counted together."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class NgramCounts:
    """How often each distinct n-gram of some texts occurs in each of them.

    Attributes:
        counts: shape (texts, U), of the U distinct n-grams, shorter ones first.
        starts: shape (orders + 1,); n-grams of order n are ``starts[n - 1]:starts[n]``.
    """

    counts: IntArray
    starts: IntArray

    def by_order(self, values: IntArray) -> IntArray:
        """Sums over the n-grams of each order, shape (..., orders), of values of shape (..., U)."""
        sums = np.zeros((*values.shape[:-1], values.shape[-1] + 1), dtype=values.dtype)
        np.cumsum(values, axis=-1, out=sums[..., 1:])
        return np.diff(sums[..., self.starts], axis=-1)


class Vocabulary:
    """Numbers for words, assigned in order of first occurrence."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def words(self, text: str) -> IntArray:
        """The words of a text, separated by blanks, as numbers."""
        numbers = self._numbers
        return np.array([numbers.setdefault(word, len(numbers)) for word in text.split()], dtype=np.int64)


def characters(text: str) -> IntArray:
    """The characters of a text as numbers."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.int64)


def ngram_counts(texts: Sequence[IntArray], max_order: int) -> NgramCounts:
    """Count the n-grams of n = 1 to `max_order` in texts whose words or characters are numbers."""
    from metrics.kernels.ngram_kernel import count_ngrams

    bounds = np.zeros(len(texts) + 1, dtype=np.int64)
    np.cumsum([len(text) for text in texts], out=bounds[1:])
    return NgramCounts(*count_ngrams(np.concatenate(texts), bounds, max_order))
