"""Exact index match: whether an output changes the same words as a reference."""

from collections import Counter
from collections.abc import Sequence

from core.arrays import FloatArray
from metrics.base.evaluation_sets import EvaluationSet, required_references
from metrics.base.metric import MeanMetric, NoParameters, NotScored, Reduce, mean_row


class IndexMatch(MeanMetric[NoParameters]):
    """1 for an output that changes the same source words as one of its references, else 0.

    Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation", section 3. Inserted words do not
    count, because they change no word of the source.
    """

    name = "index-match"
    label = "Index match"
    summary = "Share of outputs that change the same source words as a reference, to any words."
    perfect = 1.0

    def prepare(self, data: EvaluationSet) -> Reduce:
        """One row: `mean_row`."""
        sources = [text.split() for text in data.sources]
        references = [
            {changed_words(source, text.split()) for text in texts}
            for source, texts in zip(sources, required_references(data), strict=True)
        ]

        def reduce(sentence: int, output: str) -> FloatArray | NotScored:
            if not references[sentence]:
                return NotScored("the sentence has no reference")
            return mean_row(float(changed_words(sources[sentence], output.split()) in references[sentence]))

        return reduce


def changed_words(source: Sequence[str], output: Sequence[str]) -> frozenset[int]:
    """The positions of source words that are aligned to a different word or to none.

    The paper aligns words so that the sum of their edit distances is smallest. Edit distances are a metric,
    so one such alignment aligns as many equal words as both sides have, and only these are searched. If the
    source has a word more often than the output, occurrences in a longest common subsequence are aligned
    first, then the others from left to right.
    """
    from rapidfuzz.distance import LCSseq

    kept: set[int] = set()
    for step in LCSseq.opcodes(source, output):
        if step.tag == "equal":
            kept.update(range(step.src_start, step.src_end))
    moved = Counter(output) - Counter(source[place] for place in kept)
    for place, word in enumerate(source):
        if place not in kept and moved[word] > 0:
            moved[word] -= 1
            kept.add(place)
    return frozenset(range(len(source))) - kept
