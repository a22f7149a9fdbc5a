"""CLEME: F over chunks that output and references share (Ye et al. 2023)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray, IntArray
from core.parameters import parameter
from metrics.base.evaluation_sets import EvaluationSet
from metrics.base.metric import NotScored, Rows
from metrics.edits.chunk_counts import (
    ASSUMPTIONS,
    BY_LENGTH,
    LONGEST,
    REFERENCE_CHUNKS,
    REFERENCE_LENGTHS,
    SET_MEAN,
    counted,
    mean_length,
)
from metrics.edits.edit_columns import FN, FP, TN, TP
from metrics.edits.edit_metric import EditMetric, Reader
from metrics.edits.edit_sources import Correction, EditSource, gold_parameter

SLOPE = 2.0
LIGHTEST, HEAVIEST = 0.75, 1.25


def assumption_parameter() -> str:
    """The parameter for comparing with several references."""
    made: str = parameter(
        "dependent",
        label="Corrections",
        help="Corrections of a sentence depend on each other (one reference at a time), or each chunk "
        "may "
        "match another reference.",
        choices=ASSUMPTIONS,
    )
    return made


@dataclass(frozen=True, slots=True)
class ClemeParameters:
    """Comparison with several references, and weights of longer chunks."""

    beta: float = parameter(
        0.5,
        label="Beta",
        help="Weight of recall against precision in F.",
        minimum=0,
        maximum=100,
        changes_statistics=False,
    )
    corrections: str = assumption_parameter()
    length_weights: bool = parameter(
        False,
        label="Length weights",
        help="Long correct or missed chunks count more, long wrong chunks less.",
    )
    gold: str = gold_parameter()


class Cleme(EditMetric[ClemeParameters]):
    """F over shared chunks.

    Length weights depend on the mean length of the chunks that references edit in the scored corpus. So rows
    hold counts by length, and weights are computed from the sum. A sentence takes the mean over the
    references of the evaluation set.
    """

    name = "cleme"
    label = "CLEME"
    summary = "F over chunks that the output and all references share."
    perfect = 1.0
    Parameters = ClemeParameters

    def reader(self, data: EvaluationSet, source: EditSource) -> Reader:
        """Rows of `metrics.edits.chunk_counts.counted`."""
        mean = _set_mean(data, source) if self.parameters.length_weights else 0.0

        def rows(sentence: int, output: Correction, references: Sequence[Correction]) -> FloatArray:
            words = data.sources[sentence].split()
            made = counted(words, output, references, self.parameters.corrections)
            made[:, SET_MEAN] = mean
            return made

        return rows

    def choose(self, values: FloatArray, sizes: IntArray, picks: IntArray) -> tuple[FloatArray, IntArray]:
        """Choose by the F of all chunks so far."""
        from metrics.edits.cumulative_choice import choose_by_f

        return choose_by_f(values, sizes, picks, float(self.parameters.beta**2))

    def sentence_scores(self, rows: Rows) -> FloatArray:
        """F against the reference that gives the highest F."""
        if self.parameters.length_weights:
            rows = _weighted(rows, float(rows.values[:, :, SET_MEAN].max()))
        totals, _ = self.totals(rows, np.arange(len(rows.sizes))[:, None])
        return self._f(totals)

    def corpus_scores(self, rows: Rows, picks: IntArray) -> FloatArray:
        """F with references chosen in order."""
        return np.array([float(self._f(self._corpus(rows, each)[0][None])[0]) for each in picks])

    def details(self, rows: Rows, picks: IntArray) -> Mapping[str, float]:
        """Precision, recall, accuracy, counts, and how often each reference was chosen."""
        totals, chosen = self._corpus(rows, picks)
        tp, fp, fn, tn = totals[[TP, FP, FN, TN]].tolist()
        figures = {
            "precision": tp / (tp + fp) if tp + fp else 1.0,
            "recall": tp / (tp + fn) if tp + fn else 1.0,
            "TP": tp,
            "FP": fp,
            "FN": fn,
            "TN": tn,
            "accuracy": (tp + tn) / (tp + fp + fn + tn) if tp + fp + fn + tn else 1.0,
        }
        if self.parameters.corrections == "dependent":
            for place, times in enumerate(chosen.tolist()):
                figures[f"sentences by reference {place}"] = times
        return figures

    def _corpus(self, rows: Rows, picks: IntArray) -> tuple[FloatArray, IntArray]:
        if self.parameters.length_weights:
            chunks = rows.values[picks, 0, REFERENCE_CHUNKS].sum()
            rows = _weighted(rows, float(rows.values[picks, 0, REFERENCE_LENGTHS].sum() / max(1, chunks)))
        totals, chosen = self.totals(rows, picks[None])
        return totals[0], chosen[0]

    def _f(self, totals: FloatArray) -> FloatArray:
        from metrics.edits.cumulative_choice import f_score

        square = float(self.parameters.beta**2)
        counts = totals[:, [TP, FP, FN]].tolist()
        return np.array([f_score(tp, fp, fn, square) for tp, fp, fn in counts])


def _set_mean(data: EvaluationSet, source: EditSource) -> float:
    references = ((each.split(), source.references(place)) for place, each in enumerate(data.sources))
    return mean_length((words, each) for words, each in references if not isinstance(each, NotScored))


def _weighted(rows: Rows, mean: float) -> Rows:
    """Rows with weighted TP, FP and FN."""
    distances = np.arange(LONGEST + 1) - mean
    heavy = np.clip(SLOPE / (1 + (SLOPE - 1) * np.exp(-distances)), LIGHTEST, HEAVIEST)
    light = np.clip(SLOPE / (1 + (SLOPE - 1) * np.exp(distances)), LIGHTEST, HEAVIEST)
    values = rows.values[:, :, :BY_LENGTH].copy()
    by_length = rows.values[:, :, BY_LENGTH:].reshape(*values.shape[:2], 3, -1)
    for column, weights in ((TP, heavy), (FP, light), (FN, heavy)):
        values[:, :, column] = by_length[:, :, column] @ weights
    return Rows(values, rows.sizes, rows.sentences)
