"""Normalised Levenshtein distance over characters, as a similarity, by RapidFuzz."""

from core.arrays import FloatArray
from metrics.base.evaluation_sets import EvaluationSet, required_references
from metrics.base.metric import MeanMetric, NoParameters, NotScored, Reduce, mean_row


def similarity(text: str, output: str) -> float:
    """1 - distance / length of `text`: 1 if both are equal, negative for a much longer output.

    White space between tokens counts as one blank, and an empty `text` has length 1.
    """
    from rapidfuzz.distance import Levenshtein

    text, output = " ".join(text.split()), " ".join(output.split())
    return 1 - Levenshtein.distance(text, output) / max(1, len(text))


class MinLd(MeanMetric[NoParameters]):
    """Similarity to the closest reference (Choshen and Abend 2018, MAEGE, section 3)."""

    name = "minld"
    label = "MinLD"
    summary = "Character edit distance to the closest reference, normalised by its length, as a similarity."
    reads_source = False
    perfect = 1.0

    def prepare(self, data: EvaluationSet) -> Reduce:
        """One row: `mean_row`."""
        references = required_references(data)

        def reduce(sentence: int, output: str) -> FloatArray | NotScored:
            if not references[sentence]:
                return NotScored("the sentence has no reference")
            return mean_row(max(similarity(text, output) for text in references[sentence]))

        return reduce


class LdSource(MeanMetric[NoParameters]):
    """Similarity to the source: how conservative a system is (the same paper)."""

    name = "ld-source"
    label = "LD source"
    summary = "Character edit distance to the source, normalised by its length, as a similarity."
    needs = frozenset()

    def prepare(self, data: EvaluationSet) -> Reduce:
        """One row: `mean_row`."""
        return lambda sentence, output: mean_row(similarity(data.sources[sentence], output))
