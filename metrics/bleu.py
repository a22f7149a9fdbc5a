"""BLEU against the references (Papineni et al. 2002): corpora as in sacreBLEU, sentences smoothed."""

from collections.abc import Mapping

from metrics.base import AdditiveMetric, FloatArray, NoParameters, NotScored, Reduce, Rows
from metrics.bleu_statistics import ORDERS, bleu_statistics, corpus_bleu, sentence_bleu
from metrics.inputs import EvaluationSet, required_references
from metrics.ngrams import Vocabulary, ngram_counts


class Bleu(AdditiveMetric[NoParameters]):
    """Geometric mean of n-gram precisions of order 1 to 4 times the brevity penalty."""

    name = "bleu"
    label = "BLEU"
    summary = "n-gram precision against the references, with a penalty for short outputs."

    def prepare(self, data: EvaluationSet) -> Reduce:
        """Rows of shape (10,): see `metrics.bleu_statistics`."""
        vocabulary = Vocabulary()
        references = [[vocabulary.words(text) for text in texts] for texts in required_references(data)]

        def reduce(sentence: int, output: str) -> FloatArray | NotScored:
            if not references[sentence]:
                return NotScored("the sentence has no reference")
            ngrams = ngram_counts([vocabulary.words(output), *references[sentence]], ORDERS)
            return bleu_statistics(ngrams, 0, slice(1, None)).astype(float)

        return reduce

    def score_sums(self, sums: FloatArray) -> FloatArray:
        """sacreBLEU's score of a corpus."""
        return corpus_bleu(sums)

    def sentence_scores(self, rows: Rows) -> FloatArray:
        """Smoothing method 3 of Chen and Cherry 2014."""
        return sentence_bleu(rows.values[:, 0])

    def signature_parts(self, data: EvaluationSet) -> Mapping[str, str]:
        """Smoothing of corpora and of sentences."""
        return {"smooth": "exp", "sentences": "method3"}
