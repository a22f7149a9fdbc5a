"""Chooses for each sentence the annotator that gives the highest F."""

import numpy as np

from core.arrays import FloatArray, IntArray
from ranking.compilation import compiled


@compiled
def _best_row(values: FloatArray, size: int, total: FloatArray, square: float) -> int:
    """The first of a sentence's rows that gives the highest F when added to the total; -1 without rows.

    Ties go to more correct edits, then to the smaller sum of proposed and beta squared times gold edits.
    """
    best, best_f, best_correct, best_load = -1, -1.0, -1.0, np.inf
    for row in range(size):
        correct = total[0] + values[row, 0]
        load = total[1] + values[row, 1] + square * (total[2] + values[row, 2])
        f = (1 + square) * correct / load if load > 0 else 1.0
        if f > best_f or (
            f == best_f and (correct > best_correct or (correct == best_correct and load < best_load))
        ):
            best, best_f, best_correct, best_load = row, f, correct, load
    return best


@compiled
def choose_annotators(
    values: FloatArray, sizes: IntArray, picks: IntArray, beta: float, annotators: int
) -> tuple[FloatArray, IntArray]:
    """Choose an annotator for each sentence in order, by the highest F so far.

    Args:
        values: shape (D, R, 4), correct, proposed and gold edits, and the number of the annotator.
        sizes: shape (D,), annotators of each output.
        picks: shape (B, n), outputs of each corpus.
        beta: weight of recall.
        annotators: number of annotators.

    Returns:
        totals: shape (B, 3), correct, proposed and gold edits of the chosen annotators.
        chosen: shape (B, A), how often each annotator was chosen, by number.
    """
    totals = np.zeros((len(picks), 3))
    chosen = np.zeros((len(picks), annotators), dtype=np.int64)
    for corpus in range(len(picks)):
        total = totals[corpus]
        for output in picks[corpus]:
            best = _best_row(values[output], sizes[output], total, beta * beta)
            if best >= 0:
                for part in range(3):
                    total[part] += values[output, best, part]
                chosen[corpus, int(values[output, best, 3])] += 1
    return totals, chosen
