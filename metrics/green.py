"""GREEN: an F-score over n-grams deleted, inserted and kept (Koyama et al. 2024)."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray, IntArray
from core.parameters import parameter
from metrics.base.evaluation_sets import EvaluationSet, required_references
from metrics.base.metric import AdditiveMetric, NotScored, Reduce
from metrics.ngrams import NgramCounts, Vocabulary, ngram_counts


@dataclass(frozen=True, slots=True)
class GreenParameters:
    """The weight of recall and the longest n-grams."""

    beta: float = parameter(
        2.0, label="Beta", help="How many times recall counts as much as precision.", minimum=0
    )
    order: int = parameter(
        4, label="Longest n-grams", help="n-grams of 1 to this many words.", minimum=1, maximum=20
    )


class Green(AdditiveMetric[GreenParameters]):
    """F of precision and recall, geometric means over orders, against the best reference of a sentence."""

    name = "green"
    label = "GREEN"
    summary = "F-score of deleted, inserted and kept n-grams, without an alignment."
    Parameters = GreenParameters

    def prepare(self, data: EvaluationSet) -> Reduce:
        """Rows of shape (3 · order,): true positives, false positives, false negatives by order.

        They belong to the reference with the highest F for the sentence. Ties go to the highest F of shorter
        n-grams, then to the first reference.
        """
        vocabulary = Vocabulary()
        sources = [vocabulary.words(text) for text in data.sources]
        references = [[vocabulary.words(text) for text in texts] for texts in required_references(data)]

        def reduce(sentence: int, output: str) -> FloatArray | NotScored:
            if not references[sentence]:
                return NotScored("the sentence has no reference")
            texts = [sources[sentence], vocabulary.words(output), *references[sentence]]
            counts = _against_each(ngram_counts(texts, self.parameters.order))
            return np.array(counts[self._best(counts)].ravel(), dtype=np.float64)

        return reduce

    def score_sums(self, sums: FloatArray) -> FloatArray:
        """F of the sums."""
        precision, recall = self._precision_recall(sums)
        return self._f(precision, recall)

    def sum_details(self, sums: FloatArray) -> Mapping[str, float]:
        """Precision and recall."""
        precision, recall = self._precision_recall(sums)
        return {"precision": float(precision), "recall": float(recall)}

    def _best(self, counts: IntArray) -> int:
        """The index of the best of R references, from counts of shape (R, 3, orders)."""
        if len(counts) == 1:
            return 0
        precision, recall = self._by_order(counts)
        orders = np.arange(1, self.parameters.order + 1)
        scores = self._f(_geometric_means(precision, orders), _geometric_means(recall, orders))
        return max(range(len(counts)), key=lambda place: scores[place, ::-1].tolist())

    def _precision_recall(self, sums: FloatArray) -> tuple[FloatArray, FloatArray]:
        precision, recall = self._by_order(sums.reshape(*sums.shape[:-1], 3, self.parameters.order))
        orders = np.arange(1, self.parameters.order + 1)
        return _geometric_means(precision, orders)[..., -1], _geometric_means(recall, orders)[..., -1]

    def _by_order(self, counts: FloatArray | IntArray) -> tuple[FloatArray, FloatArray]:
        """Precision (1 without positives) and recall (0 without expected positives)."""
        true, false, missed = counts[..., 0, :], counts[..., 1, :], counts[..., 2, :]
        positives, wanted = true + false, true + missed
        precision = np.where(positives == 0, 1.0, true / np.maximum(positives, 1))
        return precision, true / np.maximum(wanted, 1)

    def _f(self, precision: FloatArray, recall: FloatArray) -> FloatArray:
        weight = self.parameters.beta**2
        total = weight * precision + recall
        return np.where(total > 0, (1 + weight) * precision * recall / np.where(total > 0, total, 1), 0.0)


def _against_each(ngrams: NgramCounts) -> IntArray:
    from metrics.kernels.green_kernel import green_counts

    source, output, *references = ngrams.counts
    return np.stack([green_counts(source, output, each, ngrams.starts) for each in references])


def _geometric_means(values: FloatArray, orders: IntArray) -> FloatArray:
    """Over the orders up to 1, 2, ..., shape (..., orders)."""
    return np.asarray(np.cumprod(values, axis=-1) ** (1 / orders))
