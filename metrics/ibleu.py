"""iBLEU: BLEU against the references minus BLEU against the source, weighted (Sun and Zhou 2012)."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray
from core.parameters import parameter
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
class IBleuParameters:
    """The weight of the references and the sign of the source."""

    alpha: float = parameter(
        0.8,
        label="Alpha",
        help="Weight of the references; the source has 1 minus this.",
        minimum=0,
        maximum=1,
        changes_statistics=False,
    )
    sign: str = parameter(
        "minus",
        label="Sign",
        help="minus penalises staying close to the source; plus rewards it, as in the code of MAEGE.",
        choices=("minus", "plus"),
        changes_statistics=False,
    )
    orders: str | None = orders_parameter()


class IBleu(AdditiveMetric[IBleuParameters]):
    """alpha · BLEU(output, references) - (1 - alpha) · BLEU(output, source), or the sum of both."""

    name = "ibleu"
    label = "iBLEU"
    summary = "BLEU against the references minus BLEU against the source."
    Parameters = IBleuParameters

    def prepare(self, data: EvaluationSet) -> Reduce:
        """Rows of shape (20,): the statistics of BLEU against the references, then against the source.

        With shortest orders, their two numbers follow.
        """
        shortest = self.parameters.orders is not None
        vocabulary = Vocabulary()
        sources = [vocabulary.words(text) for text in data.sources]
        references = [[vocabulary.words(text) for text in texts] for texts in required_references(data)]

        def reduce(sentence: int, output: str) -> FloatArray | NotScored:
            if not references[sentence]:
                return NotScored("the sentence has no reference")
            texts = [sources[sentence], vocabulary.words(output), *references[sentence]]
            ngrams = ngram_counts(texts, ORDERS)
            sides = slice(2, None), slice(0, 1)
            statistics = [bleu_statistics(ngrams, 1, side) for side in sides]
            orders = [shortest_order(ngrams, 1, side) for side in sides] if shortest else []
            return np.concatenate([*statistics, orders]).astype(np.float64)

        return reduce

    def score_sums(self, sums: FloatArray) -> FloatArray:
        """Corpus scores, from two corpus scores of BLEU."""
        return self._joined(corpus_bleu(sums[..., :SIZE]), corpus_bleu(sums[..., SIZE : 2 * SIZE]))

    def sentence_scores(self, rows: Rows) -> FloatArray:
        """Sentence scores, from two sentence scores of BLEU with smoothing method 3."""
        values = rows.values[:, 0]
        orders = (None, None) if self.parameters.orders is None else values[:, 2 * SIZE :].T
        return self._joined(
            sentence_bleu(values[:, :SIZE], orders[0]),
            sentence_bleu(values[:, SIZE : 2 * SIZE], orders[1]),
        )

    def sum_details(self, sums: FloatArray) -> Mapping[str, float]:
        """Both parts."""
        return {
            "bleu_references": float(corpus_bleu(sums[:SIZE])),
            "bleu_source": float(corpus_bleu(sums[SIZE : 2 * SIZE])),
        }

    def signature_parts(self, data: EvaluationSet) -> Mapping[str, str]:
        """Smoothing of corpora and of sentences."""
        return {"smooth": "exp", "sentences": "method3"}

    def _joined(self, references: FloatArray, source: FloatArray) -> FloatArray:
        alpha = self.parameters.alpha
        weight = (1 - alpha) * (1 if self.parameters.sign == "plus" else -1)
        return alpha * references + weight * source
