"""Exact match: the share of outputs that equal one of the references."""

from core.arrays import FloatArray
from metrics.base.evaluation_sets import EvaluationSet, required_references
from metrics.base.metric import MeanMetric, NoParameters, NotScored, Reduce, mean_row


class ExactMatch(MeanMetric[NoParameters]):
    """1 for an output with the same tokens as one of its references, else 0."""

    name = "exact-match"
    label = "Exact match"
    summary = "Share of outputs that equal a reference, token for token."
    reads_source = False
    perfect = 1.0

    def prepare(self, data: EvaluationSet) -> Reduce:
        """One row: `mean_row`."""
        references = [{tuple(text.split()) for text in texts} for texts in required_references(data)]

        def reduce(sentence: int, output: str) -> FloatArray | NotScored:
            if not references[sentence]:
                return NotScored("the sentence has no reference")
            return mean_row(float(tuple(output.split()) in references[sentence]))

        return reduce
