"""The statistics of BLEU for a sentence, and the two scores computed from them."""

import numpy as np

from core.arrays import FloatArray, IntArray
from core.parameters import parameter
from metrics.ngrams import NgramCounts

ORDERS = 4
SIZE = 2 + 2 * ORDERS
"""Statistics of a sentence: lengths of output and closest reference, matches and n-grams by order."""

SHORTEST = "shortest"
"""Sentences count only the orders for which output and references are long enough."""

TINY = 1e-300
"""Keeps the brevity penalty of an empty output at 0 without a division by 0."""


def orders_parameter() -> str | None:
    """The parameter that says which orders of n-grams score a sentence."""
    made: str | None = parameter(
        None,
        label="Orders of sentences",
        help="shortest leaves out the n-grams of a sentence that are longer than its output or one of its "
        "references, as the code of MAEGE does; a sentence with an empty one then scores 0.",
        choices=(SHORTEST,),
        placeholder="1 to 4",
    )
    return made


def bleu_statistics(ngrams: NgramCounts, output: int, references: slice) -> IntArray:
    """The statistics of one output, shape (SIZE,); `output` and `references` are indices of texts.

    Matches are clipped to the largest count in a reference; of two references equally close in length, the
    shorter one counts (Papineni et al. 2002, sections 2.1.1 and 2.2.2).
    """
    counts = ngrams.counts[output]
    matches = ngrams.by_order(np.minimum(counts, ngrams.counts[references].max(axis=0)))
    totals = ngrams.by_order(ngrams.counts)
    length, lengths = int(totals[output, 0]), totals[references, 0].tolist()
    closest = min(lengths, key=lambda each: (abs(each - length), each))
    return np.concatenate([[length, closest], matches, totals[output]])


def corpus_bleu(sums: FloatArray) -> FloatArray:
    """BLEU of sums of statistics, shape (..., SIZE) to (...).

    It is the score of sacreBLEU with its default, exponential smoothing: the k-th order without a match
    counts 1 / 2**k matches. Without any match, or any output long enough for each order, the score is 0.
    """
    totals = sums[..., 2 + ORDERS :]
    undefined = (totals == 0).any(axis=-1) | (sums[..., 2 : 2 + ORDERS] == 0).all(axis=-1)
    return np.where(undefined, 0.0, _smoothed(sums))


def shortest_order(ngrams: NgramCounts, output: int, references: slice) -> int:
    """The longest n-grams, up to 4, that the output and each reference have; 0 if one is empty."""
    lengths = ngrams.by_order(ngrams.counts)[:, 0]
    return min(ORDERS, int(lengths[output]), int(lengths[references].min()))


def sentence_bleu(rows: FloatArray, orders: FloatArray | None = None) -> FloatArray:
    """BLEU of single sentences with smoothing method 3 (Chen and Cherry 2014), shape (..., SIZE) to (...).

    The k-th order without a match counts 1 / 2**k matches. An output without any matching word scores 0. If
    the output is too short for an order, that order counts one unmatched n-gram (as in NLTK).

    Args:
        rows: statistics of sentences.
        orders: shape (...), how many orders count in each; 4 unless given. Without any the score is 0.
    """
    if orders is None:
        orders = np.full(rows.shape[:-1], float(ORDERS))
    return np.where((rows[..., 2] == 0) | (orders == 0), 0.0, _smoothed(rows, orders))


def _smoothed(statistics: FloatArray, orders: FloatArray | float = ORDERS) -> FloatArray:
    """Geometric mean of the precisions of the first orders times the brevity penalty."""
    length, closest = statistics[..., 0], statistics[..., 1]
    matches = statistics[..., 2 : 2 + ORDERS]
    unmatched = np.cumsum(matches == 0, axis=-1)
    precisions = np.where(matches == 0, 0.5**unmatched, matches) / np.maximum(
        statistics[..., 2 + ORDERS :], 1
    )
    penalty = np.exp(np.minimum(0, 1 - closest / np.maximum(length, TINY)))
    counted = np.arange(ORDERS) < np.asarray(orders)[..., None]
    logs = np.where(counted, np.log(precisions), 0.0).sum(axis=-1)
    return np.asarray(penalty * np.exp(logs / np.maximum(orders, 1)))
