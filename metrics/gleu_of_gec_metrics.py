"""GLEU in the form of the toolkit gec-metrics, to compare scores with those that are published with it."""

from collections.abc import Sequence

import numpy as np

from core.arrays import FloatArray, IntArray
from metrics.gleu import SEED_STEP, GleuParameters, UnitGleu

WORD = 32
"""Bits of one number of a stream."""


class GecMetricsGleu(UnitGleu):
    """GLEU over tokens, equal to that of gec-metrics (Goto et al. 2025), which is another metric.

    N-grams that the source has in common with the output count against it as often as the reference has them
    less often (Koyama et al. 2024). Numerators may be negative, an order without n-grams has precision 1,
    sentence scores are not smoothed, an empty text has one token, and references are drawn as in Python 3.
    """

    name = "gleu-gec-metrics"
    label = "GLEU of gec-metrics"
    summary = "GLEU as the toolkit gec-metrics computes it, for comparison with scores published with it."
    by_frequency = True
    Parameters = GleuParameters

    def units(self, text: str) -> Sequence[str]:
        """Tokens; an empty text has one, which is empty."""
        return text.split() or [""]

    def value(self, statistics: FloatArray) -> FloatArray:
        """0 if the precision of an order is not positive."""
        numerators, denominators = statistics[..., 2::2], statistics[..., 3::2]
        precision = np.where(denominators == 0, 1.0, numerators / np.maximum(denominators, 1))
        positive = (precision > 0).all(axis=-1)
        logs = np.log(np.where(precision > 0, precision, 1.0)).mean(axis=-1)
        brevity = np.minimum(0.0, 1.0 - statistics[..., 1] / np.maximum(statistics[..., 0], 1))
        return np.where(positive, np.exp(brevity + logs), 0.0)

    def sentence_value(self, statistics: FloatArray) -> FloatArray:
        """As of a corpus."""
        return self.value(statistics)

    def draws(self, iterations: range, sentences: IntArray, sizes: IntArray) -> IntArray:
        """Those of Python 3's `randint(0, R - 1)`, shape (U, iterations).

        Sentences with another number of references, which gec-metrics does not allow, have another stream.
        """
        drawn = np.zeros((len(sentences), len(iterations)), dtype=np.int64)
        for size in np.unique(sizes[sizes > 0]).tolist():
            chosen = sizes == size
            length = int(sentences[chosen].max()) + 1
            for column, iteration in enumerate(iterations):
                drawn[chosen, column] = integers(iteration * SEED_STEP, size, length)[sentences[chosen]]
        return drawn


def integers(seed: int, size: int, length: int) -> IntArray:
    """What `randint(0, size - 1)` gives in Python 3 after `seed(seed)`, shape (length,).

    It takes the upper bits of the stream's numbers, as many as `size` has, and skips those that are not
    smaller than `size`: less than one half. The streams of Python and of NumPy are the same Mersenne Twister.
    """
    generator = np.random.RandomState()
    generator.seed([seed])
    found = np.empty(0, dtype=np.int64)
    while len(found) < length:
        numbers = generator.randint(0, 1 << WORD, 2 * length, dtype=np.uint32) >> (WORD - size.bit_length())
        found = np.append(found, numbers[numbers < size])
    return found[:length]
