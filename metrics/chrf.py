"""chrF++: F-score of character and word n-grams, by sacreBLEU (Popović 2017)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Any

import numpy as np

from core.arrays import FloatArray
from core.parameters import parameter
from metrics.base.evaluation_sets import EvaluationSet, required_references
from metrics.base.metric import AdditiveMetric, NotScored, Reduce


@dataclass(frozen=True, slots=True)
class ChrfParameters:
    """Orders of n-grams and the weight of recall, as in chrF++."""

    characters: int = parameter(
        6, label="Character n-grams", help="n-grams of 1 to this many characters.", minimum=1, maximum=20
    )
    words: int = parameter(
        2,
        label="Word n-grams",
        help="n-grams of 1 to this many words; 2 is chrF++, 0 is chrF.",
        minimum=0,
        maximum=20,
    )
    beta: int = parameter(
        2, label="Beta", help="How many times recall counts as much as precision.", minimum=0, maximum=100
    )


class Chrf(AdditiveMetric[ChrfParameters]):
    """F of mean precision and mean recall over character and word n-grams, against the best reference."""

    name = "chrf"
    label = "chrF++"
    summary = "F-score of character and word n-grams against the reference that fits best."
    reads_source = False
    Parameters = ChrfParameters

    def prepare(self, data: EvaluationSet) -> Reduce:
        """Rows of shape (3 · orders,): for each order n-grams of output and reference, and matches."""
        from sacrebleu.metrics.chrf import CHRF

        references = required_references(data)
        settings = self.parameters
        chrf: Any = CHRF(char_order=settings.characters, word_order=settings.words, beta=settings.beta)

        @cache
        def reference_info(sentence: int) -> Mapping[str, object]:
            info: Mapping[str, object] = chrf._extract_reference_info(references[sentence])
            return info

        def reduce(sentence: int, output: str) -> FloatArray | NotScored:
            if not references[sentence]:
                return NotScored("the sentence has no reference")
            # sacreBLEU has no public function for the statistics of a segment; its version is pinned.
            return np.array(
                chrf._compute_segment_statistics(output, reference_info(sentence)), dtype=np.float64
            )

        return reduce

    def score_sums(self, sums: FloatArray) -> FloatArray:
        """sacreBLEU's score, over the orders for which output and reference have n-grams."""
        precision, recall = self.precision_and_recall(sums)
        weight = self.parameters.beta**2
        total = weight * precision + recall
        return np.where(total > 0, (1 + weight) * precision * recall / np.where(total > 0, total, 1), 0.0)

    def precision_and_recall(self, sums: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Means over the orders for which output and reference have n-grams, of sums of shape (..., K)."""
        counts = sums.reshape(*sums.shape[:-1], -1, 3)
        written, wanted, matches = counts[..., 0], counts[..., 1], counts[..., 2]
        present = (written > 0) & (wanted > 0)
        orders = np.maximum(present.sum(axis=-1), 1)
        precision = (matches / np.maximum(written, 1) * present).sum(axis=-1) / orders
        recall = (matches / np.maximum(wanted, 1) * present).sum(axis=-1) / orders
        return np.asarray(precision), np.asarray(recall)

    def signature_parts(self, data: EvaluationSet) -> Mapping[str, str]:
        """The version of sacreBLEU."""
        return {"space": "no", "sacrebleu": version("sacrebleu")}
