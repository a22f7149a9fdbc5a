"""The sentences on which a metric and people disagree most.

For each pair of outputs of a sentence that people ordered:

- The *margin* of people is the share of the judgments of the two outputs that prefer the first, minus the
  share that prefer the second; ties count as judgments. It is 1 where all annotators agree, and 0 where they
  balance.
- The *distance* of the metric is the share of all compared pairs, without the metric's ties, whose scores
  differ by no more: 1 for its largest difference, 0 for a tie. So metrics with different scales are treated
  alike.
- The disagreement of the pair is 0 where the metric orders it as people do; else |margin| × (1 + distance)
  / 2. The metric's tie is the smallest error, and the other order by its largest difference the largest
  one.

The disagreement of a sentence is the mean over its pairs: 0 if the metric orders all of them as people do,
1 if all annotators agree and the metric orders each the other way round by its largest difference. Ties are
treated as by `metrics.meta_evaluation.sentence_level`: pairs on which people split evenly are left out, ties
of the metric are wrong. An output that several systems share is one output.
"""

from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray, IntArray
from core.progress import Advance
from metrics.meta_evaluation.compared_data import MetricsAndPeople
from metrics.meta_evaluation.judged_pairs import ComparedSystems, compared_systems
from metrics.meta_evaluation.metric_scores import SMALLEST_DIFFERENCE
from metrics.meta_evaluation.sentence_level import NO_SENTENCE_SCORES

NO_PAIRS = "people ordered no two outputs of a sentence that the metric scores"


@dataclass(frozen=True, slots=True, eq=False)
class Disagreement:
    """A metric against people in the N sentences in which people ordered some outputs.

    Attributes:
        sentences: shape (N,), counted from 0.
        sizes: shape (N,), the disagreement, 0 to 1.
        pairs: shape (N,), how many pairs of outputs people ordered and the metric scores.
        against: shape (N,), how many of these the metric ties or orders the other way round.
        reason: why there is no sentence, in words; None where there is one.
    """

    sentences: IntArray
    sizes: FloatArray
    pairs: IntArray
    against: IntArray
    reason: str | None

    @property
    def largest_first(self) -> IntArray:
        """Shape (N,), the numbers of the rows by size; of equal ones, those with more pairs come first."""
        order: IntArray = np.lexsort((self.sentences, -self.pairs, -np.round(self.sizes, 12)))
        return order


def disagreements(
    data: MetricsAndPeople, *, fewest_pairs: int = 1, progress: Advance | None = None
) -> dict[str, Disagreement]:
    """Disagreement of each metric with people in each sentence.

    Sentences with fewer than `fewest_pairs` pairs of outputs are left out. `progress` gets the number of
    judged pairs that were read.
    """
    compared = compared_systems(data.people.judged, len(data.systems), progress)
    pairs = _OutputPairs(compared, data.people.texts)
    return {
        metric.name: _nothing(NO_SENTENCE_SCORES)
        if metric.sentences is None
        else pairs.against(metric.sentences, fewest_pairs)
        for metric in data.metrics
    }


class _OutputPairs:
    """The pairs of different outputs that people ordered, each once, by a system of each output."""

    def __init__(self, compared: ComparedSystems, texts: IntArray) -> None:
        one, other = texts[compared.sentence, compared.first], texts[compared.sentence, compared.second]
        turned = one > other
        low, high = np.where(turned, other, one), np.where(turned, one, other)
        order = np.lexsort((high, low, compared.sentence))
        sentence, low, high = compared.sentence[order], low[order], high[order]
        begins = np.ones(len(order), dtype=bool)
        begins[1:] = (np.diff(sentence) != 0) | (np.diff(low) != 0) | (np.diff(high) != 0)
        group = np.cumsum(begins) - 1
        outcome = np.where(turned, -compared.outcome, compared.outcome)[order]
        judgments = np.bincount(group, weights=compared.judgments[order])
        margin = np.bincount(group, weights=outcome) / np.maximum(judgments, 1)
        kept = np.abs(margin) > SMALLEST_DIFFERENCE
        # Expanded pairs of one pair of outputs are as many in each of its judgments, so margins stay the
        # same.
        first = np.where(turned, compared.second, compared.first)[order][begins]
        second = np.where(turned, compared.first, compared.second)[order][begins]
        self._sentence, self._margin = sentence[begins][kept], margin[kept]
        self._first, self._second = first[kept], second[kept]

    def against(self, scores: FloatArray, fewest_pairs: int) -> Disagreement:
        """The disagreement of a metric with scores of shape (n, S)."""
        lead = scores[self._sentence, self._first] - scores[self._sentence, self._second]
        scored = np.isfinite(lead)
        sentence, lead, margin = self._sentence[scored], lead[scored], self._margin[scored]
        tied = np.abs(lead) <= SMALLEST_DIFFERENCE
        lengths = np.sort(np.abs(lead[~tied]))
        # Differences that are equal but for rounding share a rank.
        distance = np.searchsorted(lengths, np.abs(lead) + SMALLEST_DIFFERENCE, side="right")
        shares = np.where(tied, 0.0, distance / max(len(lengths), 1))
        wrong = tied | (np.sign(lead) != np.sign(margin))
        sizes = np.where(wrong, np.abs(margin) * (1 + shares) / 2, 0.0)
        numbers, place = np.unique(sentence, return_inverse=True)
        pairs = np.bincount(place, minlength=len(numbers))
        kept = pairs >= fewest_pairs
        if not kept.any():
            return _nothing(NO_PAIRS)
        return Disagreement(
            sentences=numbers[kept].astype(np.int64),
            sizes=(np.bincount(place, weights=sizes, minlength=len(numbers)) / np.maximum(pairs, 1))[kept],
            pairs=pairs[kept],
            against=np.bincount(place, weights=wrong, minlength=len(numbers)).astype(np.int64)[kept],
            reason=None,
        )


def _nothing(reason: str) -> Disagreement:
    empty = np.empty(0, dtype=np.int64)
    return Disagreement(empty, np.empty(0), empty, empty, reason)
