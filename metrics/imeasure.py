"""I-measure: improvement of an output over its source, by alignment with the reference."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray, IntArray
from core.parameters import parameter
from metrics.base.evaluation_sets import EvaluationSet, Need, required_annotations, required_references
from metrics.base.metric import AdditiveMetric, NotScored, Reduce
from metrics.mixed_references import TooManyReferencesError, mixed_references

MOST_PAIRS = 4_500_000
"""Bound on the product of the lengths of two texts; allows 2,000 tokens each."""

MOST_CELLS = 10_000_000
"""Bound on the stored cells of the three-way table: 4 bytes each, about 0.1 s in total."""


@dataclass(frozen=True, slots=True)
class IMeasureParameters:
    """Options of the I-measure."""

    weight: float = parameter(
        2.0,
        label="Weight",
        help="Weight of true and false positives in weighted accuracy.",
        minimum=1,
        maximum=100,
    )
    mix: bool = parameter(
        False, label="Mix annotators", help="Combine the corrections of several annotators into references."
    )
    max_mixed: int = parameter(
        1000,
        label="Most mixed references",
        help="A sentence with more combinations is not scored.",
        minimum=1,
        maximum=100_000,
    )


class IMeasure(AdditiveMetric[IMeasureParameters]):
    """I-measure of corrections (Felice and Briscoe 2015), equal to the released tool.

    A row holds TP, TN, FP, FN and FPN of correction against the reference that fits the output best, and TN
    and FN of the unchanged source against the same reference; the counts of detection follow from them. By
    default references are whole texts (the tool's `-nomix`), and a sentence without references counts as
    correct. With `mix`, references are made from gold edits.
    """

    name = "imeasure"
    label = "I-measure"
    summary = "Improvement of weighted accuracy over the unchanged source, from -1 to 1."
    perfect = 1.0
    Parameters = IMeasureParameters

    @property
    def required(self) -> frozenset[Need]:
        """Gold edits if annotators are mixed, otherwise references."""
        return frozenset({Need.GOLD_EDITS}) if self.parameters.mix else self.needs

    def prepare(self, data: EvaluationSet) -> Reduce:
        """Rows of shape (7,). Outputs beyond `MOST_PAIRS` or `MOST_CELLS` are not scored."""
        from metrics.kernels.imeasure_kernel import best_counts

        references = self._references(data)
        numbers: dict[str, int] = {}

        def encoded(tokens: Sequence[str]) -> IntArray:
            return np.array([numbers.setdefault(token, len(numbers)) for token in tokens], dtype=np.int64)

        def prepared_texts(sentence: int) -> list[IntArray] | NotScored:
            texts = references(sentence)
            if isinstance(texts, NotScored):
                return texts
            distinct = dict.fromkeys(tuple(text) for text in texts)
            return [encoded(data.sources[sentence].split()), *(encoded(text) for text in distinct)]

        prepared: dict[int, list[IntArray] | NotScored] = {}

        def reduce(sentence: int, output: str) -> FloatArray | NotScored:
            if sentence not in prepared:
                prepared[sentence] = prepared_texts(sentence)
            texts = prepared[sentence]
            if isinstance(texts, NotScored):
                return texts
            parts = [texts[0], encoded(output.split()), *texts[1:]]
            lengths = sorted(len(part) + 1 for part in parts)
            if lengths[-1] * lengths[-2] > MOST_PAIRS:
                return NotScored(f"texts of up to {lengths[-1] - 1} tokens are too long for the I-measure")
            bounds = np.cumsum([0, *(len(part) for part in parts)])
            counts, made = best_counts(
                np.concatenate(parts), bounds, float(self.parameters.weight), MOST_CELLS
            )
            if not made:
                return NotScored(f"source, output and a reference align in over {MOST_CELLS:,} places")
            return counts.astype(np.float64)

        return reduce

    def score_sums(self, sums: FloatArray) -> FloatArray:
        """I of correction."""
        return improvement(weighted_accuracy(sums, self.parameters.weight), base_accuracy(sums))

    def sum_details(self, sums: FloatArray) -> Mapping[str, float]:
        """Counts, precision, recall, F1, accuracies and I of correction and of detection."""
        base = base_accuracy(sums)
        figures = {"WAcc of the source": float(base)}
        for aspect, counts in (("correction", sums), ("detection", detection(sums))):
            tp, tn, fp, fn, fpn, _, _ = counts.tolist()
            precision = tp / (tp + fp) if tp + fp else 1.0
            recall = tp / (tp + fn) if tp + fn else 1.0
            both = precision + recall
            columns = tp + tn + fp + fn - fpn
            weighted = weighted_accuracy(counts, self.parameters.weight)
            values = {
                "WAcc": float(weighted),
                "TP": tp,
                "TN": tn,
                "FP": fp,
                "FN": fn,
                "FPN": fpn,
                "precision": precision,
                "recall": recall,
                "F1": 2 * precision * recall / both if both else 0.0,
                "accuracy": (tp + tn) / columns if columns else 1.0,
                "I": float(improvement(weighted, base)),
            }
            figures |= {f"{name} of {aspect}": value for name, value in values.items()}
        return figures

    def _references(self, data: EvaluationSet) -> Callable[[int], list[list[str]] | NotScored]:
        """The function that gives the distinct references of a sentence, as tokens."""
        sources = [source.split() for source in data.sources]
        if not self.parameters.mix:
            texts = [[text.split() for text in each] for each in required_references(data)]
            return lambda sentence: texts[sentence] or [sources[sentence]]
        annotations = required_annotations(data)

        def mixed(sentence: int) -> list[list[str]] | NotScored:
            try:
                return mixed_references(sources[sentence], annotations[sentence], self.parameters.max_mixed)
            except TooManyReferencesError as error:
                return NotScored(str(error))

        return mixed


def detection(counts: FloatArray) -> FloatArray:
    """Counts of detection, shape (..., 7): an error replaced by another error counts as detected."""
    tp, tn, fp, fn, fpn, same, different = np.moveaxis(counts, -1, 0)
    return np.stack([tp + fpn, tn, fp - fpn, fn - fpn, np.zeros_like(fpn), same, different], axis=-1)


def weighted_accuracy(counts: FloatArray, weight: float) -> FloatArray:
    """WAcc, shape (...); 1 if there is nothing to compare."""
    tp, tn, fp, fn, fpn, _, _ = np.moveaxis(counts, -1, 0)
    load = weight * (tp + fp) + tn + fn - (weight + 1) * fpn / 2
    return np.where(load > 0, (weight * tp + tn) / np.where(load > 0, load, 1), 1.0)


def base_accuracy(counts: FloatArray) -> FloatArray:
    """WAcc of the unchanged source, shape (...); 1 if there is nothing to compare."""
    same, different = counts[..., -2], counts[..., -1]
    columns = same + different
    return np.where(columns > 0, same / np.where(columns > 0, columns, 1), 1.0)


def improvement(weighted: FloatArray, base: FloatArray) -> FloatArray:
    """I of weighted accuracies of output and source, shape (...)."""
    above = (weighted - base) / np.where(base < 1, 1 - base, 1)
    below = weighted / np.where(base > 0, base, 1) - 1
    return np.where(weighted == base, np.floor(weighted), np.where(weighted > base, above, below))
