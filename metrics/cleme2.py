"""CLEME2.0: shares of chunks that are hit, wrong, under- and over-corrected (Ye et al. 2025)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray, IntArray
from metrics.base.evaluation_sets import EvaluationSet
from metrics.base.metric import Rows
from metrics.cleme import assumption_parameter
from metrics.edits.chunk_counts import BY_LENGTH, counted
from metrics.edits.edit_columns import FN, FP, TN, TP, UNNECESSARY
from metrics.edits.edit_metric import EditMetric, Reader
from metrics.edits.edit_sources import Correction, EditSource, gold_parameter

CORPUS_WEIGHTS = (0.45, 0.35, 0.15, 0.05)
SENTENCE_WEIGHTS = (0.35, 0.25, 0.20, 0.20)
"""The paper's weights of hit, not wrong, not under-corrected and not over-corrected."""


@dataclass(frozen=True, slots=True)
class Cleme2Parameters:
    """Comparison with several references."""

    corrections: str = assumption_parameter()
    gold: str = gold_parameter()


class Cleme2(EditMetric[Cleme2Parameters]):
    """A weighted mean of four shares: hit, 1 - wrong, 1 - under-corrected, 1 - over-corrected."""

    name = "cleme2"
    label = "CLEME2.0"
    summary = (
        "Weighted mean of the shares of chunks hit, not wrong, not under-corrected and not over-corrected."
    )
    Parameters = Cleme2Parameters

    def reader(self, data: EvaluationSet, source: EditSource) -> Reader:
        """Rows of `metrics.edits.chunk_counts.counted`, without lengths."""

        def rows(sentence: int, output: Correction, references: Sequence[Correction]) -> FloatArray:
            words = data.sources[sentence].split()
            made = counted(words, output, references, self.parameters.corrections)
            return np.asarray(made[:, :BY_LENGTH])

        return rows

    def choose(self, values: FloatArray, sizes: IntArray, picks: IntArray) -> tuple[FloatArray, IntArray]:
        """Choose by the score of all chunks so far."""
        from metrics.edits.cumulative_choice import choose_by_profile

        return choose_by_profile(values, sizes, picks, np.array(CORPUS_WEIGHTS))

    def sentence_scores(self, rows: Rows) -> FloatArray:
        """The score, with the weights for sentences, against the reference that gives the highest score."""
        scores = np.stack([_score(_shares(each), SENTENCE_WEIGHTS) for each in rows.values.swapaxes(0, 1)])
        absent = np.arange(len(scores))[:, None] >= np.maximum(rows.sizes, 1)
        return np.asarray(np.where(absent, -np.inf, scores).max(axis=0))

    def corpus_scores(self, rows: Rows, picks: IntArray) -> FloatArray:
        """The score with references chosen in order."""
        totals, _ = self.totals(rows, picks)
        return _score(_shares(totals), CORPUS_WEIGHTS)

    def details(self, rows: Rows, picks: IntArray) -> Mapping[str, float]:
        """The four shares, counts, and how often each reference was chosen."""
        totals, chosen = self.totals(rows, picks[None])
        hit, wrong, under, over = _shares(totals)[0].tolist()
        tp, fp, fn, tn, unnecessary = totals[0, [TP, FP, FN, TN, UNNECESSARY]].tolist()
        figures = {
            "hit": hit,
            "wrong": wrong,
            "under-corrected": under,
            "over-corrected": over,
            "TP": tp,
            "FP where an error is": fp - unnecessary,
            "FP where none is": unnecessary,
            "FN": fn,
            "TN": tn,
        }
        if self.parameters.corrections == "dependent":
            for place, times in enumerate(chosen[0].tolist()):
                figures[f"sentences by reference {place}"] = times
        return figures


def _shares(totals: FloatArray) -> FloatArray:
    """Hit, wrong, under- and over-corrected, shape (B, 4), of totals (B, K); 0 divided by 0 is 0."""
    tp, fp, fn, unnecessary = (totals[:, column] for column in (TP, FP, FN, UNNECESSARY))
    needed, proposed = tp + fp - unnecessary + fn, tp + fp
    of_needed = np.stack([tp, fp - unnecessary, fn]) / np.maximum(needed, 1)
    return np.concatenate([of_needed, [unnecessary / np.maximum(proposed, 1)]]).T


def _score(shares: FloatArray, weights: Sequence[float]) -> FloatArray:
    hit, wrong, under, over = weights
    return np.asarray(
        hit * shares[:, 0]
        + wrong * (1 - shares[:, 1])
        + under * (1 - shares[:, 2])
        + over * (1 - shares[:, 3])
    )
