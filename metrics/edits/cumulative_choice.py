"""Choosing a reference for each sentence in order, by the score of all sentences so far; compiled.

ERRANT's comparison and CLEME choose the reference that gives the highest F so far, rounded to four digits,
CLEME2.0 the one with the highest score so far. So the order of sentences matters. Rows begin with the columns
of `metrics.edits.edit_columns`; further columns are summed over the chosen references.
"""

import numpy as np

from core.arrays import FloatArray, IntArray
from metrics.edits.edit_columns import COUNTS
from ranking.compilation import compiled

# Compiled functions use nothing from other files, because their cache does not notice changes there.
TP, FP, FN, TN, UNNECESSARY = range(5)
assert len(COUNTS) == UNNECESSARY + 1  # noqa: S101  # they are the columns of `metrics.edits.edit_columns`

DIGITS = 10_000.0
SPLIT = 134_217_729.0
"""2 ** 27 + 1: splits a float into two halves, whose products are exact (Dekker 1971)."""


def choose_by_f(
    values: FloatArray, sizes: IntArray, picks: IntArray, square: float
) -> tuple[FloatArray, IntArray]:
    """Choose by F; ties go to more TP, then fewer FP, fewer FN and more TN.

    Args:
        values: shape (D, R, K), statistics of D outputs by reference.
        sizes: shape (D,), references of each output.
        picks: shape (B, n), outputs of each corpus.
        square: beta squared.

    Returns:
        totals: shape (B, K).
        chosen: shape (B, R), how often the reference at each position was chosen.
    """
    return _choose(values, sizes, np.ascontiguousarray(picks), np.array([square]))


def choose_by_profile(
    values: FloatArray, sizes: IntArray, picks: IntArray, weights: FloatArray
) -> tuple[FloatArray, IntArray]:
    """Choose by the score of CLEME2.0, weights of shape (4,); ties as in `choose_by_f`."""
    return _choose(values, sizes, np.ascontiguousarray(picks), weights)


@compiled
def _choose(
    values: FloatArray, sizes: IntArray, picks: IntArray, parameters: FloatArray
) -> tuple[FloatArray, IntArray]:
    totals = np.zeros((len(picks), values.shape[2]))
    chosen = np.zeros((len(picks), values.shape[1]), dtype=np.int64)
    for corpus in range(len(picks)):
        total = totals[corpus]
        for output in picks[corpus]:
            best = _best_row(values[output], sizes[output], total, parameters)
            if best >= 0:
                for part in range(values.shape[2]):
                    total[part] += values[output, best, part]
                chosen[corpus, best] += 1
    return totals, chosen


@compiled
def _best_row(rows: FloatArray, size: int, total: FloatArray, parameters: FloatArray) -> int:
    best, best_score = -1, -1.0
    for row in range(size):
        tp, fp, fn = total[TP] + rows[row, TP], total[FP] + rows[row, FP], total[FN] + rows[row, FN]
        if len(parameters) == 1:
            score = _rounded(f_score(tp, fp, fn, parameters[0]))
        else:
            score = profile_score(tp, fp, fn, total[UNNECESSARY] + rows[row, UNNECESSARY], parameters)
        if score > best_score or (score == best_score and _better(rows[row], rows[best])):
            best, best_score = row, score
    return best


@compiled
def _better(row: FloatArray, other: FloatArray) -> bool:
    if row[TP] != other[TP]:
        return bool(row[TP] > other[TP])
    if row[FP] != other[FP]:
        return bool(row[FP] < other[FP])
    if row[FN] != other[FN]:
        return bool(row[FN] < other[FN])
    return bool(row[TN] > other[TN])


@compiled
def f_score(tp: float, fp: float, fn: float, square: float) -> float:
    """F; precision is 1 without FP, recall 1 without FN, as in ERRANT."""
    precision = tp / (tp + fp) if fp > 0 else 1.0
    recall = tp / (tp + fn) if fn > 0 else 1.0
    if precision + recall == 0:
        return 0.0
    return float((1 + square) * precision * recall / (square * precision + recall))


@compiled
def profile_score(tp: float, fp: float, fn: float, unnecessary: float, weights: FloatArray) -> float:
    """The score of CLEME2.0; 0 divided by 0 is 0."""
    needed = tp + fp - unnecessary + fn
    hit = wrong = under = over = 0.0
    if needed > 0:
        hit, wrong, under = tp / needed, (fp - unnecessary) / needed, fn / needed
    if tp + fp > 0:
        over = unnecessary / (tp + fp)
    return float(
        weights[0] * hit + weights[1] * (1 - wrong) + weights[2] * (1 - under) + weights[3] * (1 - over)
    )


@compiled
def _rounded(score: float) -> float:
    """The number that Python rounds to four digits, times 10,000.

    Python rounds the exact value. The product is rounded too, so it may end in .5 although the exact value
    does not; then its rounding error tells on which side the exact value is.
    """
    product = score * DIGITS
    whole = np.floor(product)
    if product - whole != 0.5:
        return float(np.rint(product))
    large = SPLIT * score
    high = large - (large - score)
    error = (high * DIGITS - product) + (score - high) * DIGITS
    if error > 0:
        return float(whole + 1)
    if error < 0:
        return float(whole)
    return float(np.rint(product))
