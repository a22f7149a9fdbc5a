"""SARI: n-grams added, kept and deleted rightly (Xu et al. 2016), and its largest value over references.

This is the SARI of the script released with the paper, for which later tools have other recalls of kept
n-grams. Texts are in lower case.
"""

from collections.abc import Mapping

from core.arrays import FloatArray
from metrics.base.evaluation_sets import EvaluationSet, required_references
from metrics.base.metric import MeanMetric, NoParameters, NotScored, Reduce, mean_row
from metrics.ngrams import Vocabulary, ngram_counts

ORDERS = 4


class Sari(MeanMetric[NoParameters]):
    """Mean over orders of F for added and kept n-grams and of precision for deleted ones."""

    name = "sari"
    label = "SARI"
    summary = "How well n-grams are added, kept and deleted, against all references together."

    def prepare(self, data: EvaluationSet) -> Reduce:
        """One row: `mean_row`."""
        return _reduce(data, together=True)

    def signature_parts(self, data: EvaluationSet) -> Mapping[str, str]:
        """Lower case."""
        return {"case": "lower"}


class MaxSari(MeanMetric[NoParameters]):
    """The largest SARI against a single reference (Choshen and Abend 2018, MAEGE, section 3)."""

    name = "max-sari"
    label = "MAX-SARI"
    summary = "SARI against the reference that gives the highest value."

    def prepare(self, data: EvaluationSet) -> Reduce:
        """One row: `mean_row`."""
        return _reduce(data, together=False)

    def signature_parts(self, data: EvaluationSet) -> Mapping[str, str]:
        """Lower case."""
        return {"case": "lower"}


def _reduce(data: EvaluationSet, *, together: bool) -> Reduce:
    from metrics.kernels.sari_kernel import sari

    vocabulary = Vocabulary()
    sources = [vocabulary.words(text.lower()) for text in data.sources]
    references = [[vocabulary.words(text.lower()) for text in texts] for texts in required_references(data)]

    def reduce(sentence: int, output: str) -> FloatArray | NotScored:
        if not references[sentence]:
            return NotScored("the sentence has no reference")
        texts = [sources[sentence], vocabulary.words(output.lower()), *references[sentence]]
        ngrams = ngram_counts(texts, ORDERS)
        source, written, *each = ngrams.counts
        if together:
            return mean_row(sari(source, written, ngrams.counts[2:].sum(axis=0), len(each), ngrams.starts))
        return mean_row(max(sari(source, written, reference, 1, ngrams.starts) for reference in each))

    return reduce
