"""BLEU against the references (Papineni et al. 2002): corpora as in sacreBLEU, sentences smoothed."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from metrics.base.evaluation_sets import EvaluationSet, required_references
from metrics.base.metric import AdditiveMetric, NotScored, Reduce, Rows
from metrics.bleu_statistics import (
    ORDERS,
    SIZE,
    bleu_statistics,
    corpus_bleu,
    orders_parameter,
    sentence_bleu,
    shortest_order,
)
from metrics.ngrams import Vocabulary, ngram_counts


@dataclass(frozen=True, slots=True)
class BleuParameters:
    """Options of sentence scores."""

    orders: str | None = orders_parameter()


class Bleu(AdditiveMetric[BleuParameters]):
    """Geometric mean of n-gram precisions of order 1 to 4 times the brevity penalty."""

    name = "bleu"
    label = "BLEU"
    summary = "n-gram precision against the references, with a penalty for short outputs."
    reads_source = False
    Parameters = BleuParameters

    def prepare(self, data: EvaluationSet) -> Reduce:
        """Rows of shape (10,), see `metrics.bleu_statistics`; with shortest orders, their number follows."""
        shortest = self.parameters.orders is not None
        vocabulary = Vocabulary()
        references = [[vocabulary.words(text) for text in texts] for texts in required_references(data)]

        def reduce(sentence: int, output: str) -> FloatArray | NotScored:
            if not references[sentence]:
                return NotScored("the sentence has no reference")
            ngrams = ngram_counts([vocabulary.words(output), *references[sentence]], ORDERS)
            row = bleu_statistics(ngrams, 0, slice(1, None)).astype(float)
            return np.append(row, shortest_order(ngrams, 0, slice(1, None))) if shortest else row

        return reduce

    def score_sums(self, sums: FloatArray) -> FloatArray:
        """sacreBLEU's score of a corpus."""
        return corpus_bleu(sums[..., :SIZE])

    def sentence_scores(self, rows: Rows) -> FloatArray:
        """Smoothing method 3 of Chen and Cherry 2014."""
        values = rows.values[:, 0]
        return sentence_bleu(values[:, :SIZE], None if self.parameters.orders is None else values[:, SIZE])

    def signature_parts(self, data: EvaluationSet) -> Mapping[str, str]:
        """Smoothing of corpora and of sentences."""
        return {"smooth": "exp", "sentences": "method3"}
