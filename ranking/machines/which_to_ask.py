"""Which sentences to ask people about next, given what a machine says: active sampling.

The variance of a prediction-powered estimate is that of what people say beyond lambda times what the machine
says. It is least if sentences are drawn in proportion to the root of this variance (Zrnic and Candès 2024,
*Active Statistical Inference*). How much people say beyond the machine about two outputs is learned from
those that both compared, by what the machine says of them. The comparisons of a sentence are added up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray, IntArray
from core.later import pd
from ranking.judgments.pairs import BY_RANKS, row_pairs
from ranking.judgments.snapshot import Basis, compared_outputs, system_names
from ranking.judgments.system_rows import SystemLists, numbered, system_lists

PRIOR_COMPARISONS = 20
"""Comparisons as unpredictable as all are on average, which count beside those of each kind."""

SURE = 0.9
"""From this mean outcome on, of 1, a machine that was asked repeatedly is sure."""

TOGETHER = 1 / 3
"""Correlation of two outcomes of one output, where the order of outputs is random."""

KINDS = 4
"""A machine says that two outputs tie, is unsure, or is sure: as of their systems in general, or not."""


def change_by_sentence(
    people: pd.DataFrame, machine: pd.DataFrame, *, weight: float, by: Basis = BY_RANKS
) -> dict[int, float]:
    """How much people's answers about each sentence of the machine would change a ranking, on average 1.

    `people` and `machine` are snapshots, and `weight` is the lambda of the ranking by both. A sentence with a
    single output has 0. Where people have judged nothing that the machine judged, only the number of
    comparisons and of the systems in them counts.

    Raises `SnapshotError` as `ranking.judgments.snapshot.compared_outputs` does.
    """
    judged, answered = (compared_outputs(each, by) for each in (people, machine))
    both = pd.concat([each[["sentence", "output"]] for each in (answered, judged)])
    written = numbered(both["sentence"], both["output"])
    base = int(written.max(initial=0)) + 1
    said = _compared(answered, written[: len(answered)], base, by)
    said_by_people = _compared(judged, written[len(answered) :], base, by)
    _, places, of_people = np.intersect1d(
        said.pair, said_by_people.pair, assume_unique=True, return_indices=True
    )
    kinds = _kinds(said)
    beyond = said_by_people.outcome[of_people] - weight * said.outcome[places]
    variances = _mean_squares(kinds[places], beyond)
    sentences = np.unique(answered["sentence"].to_numpy(dtype=np.int64))
    changes = np.sqrt(
        _sums(said, variances[kinds], np.searchsorted(sentences, said.sentence), len(sentences))
    )
    mean = float(changes.mean()) if len(changes) else 0.0
    return dict(zip(sentences.tolist(), (changes / (mean or 1)).tolist(), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class _Compared:
    """The n pairs of outputs that were compared.

    Attributes:
        pair: shape (n,), ascending; equal for equal pairs of outputs of a sentence.
        sentence: shape (n,).
        outcome: shape (n,); the mean from -1, where the second output was better, to 1.
        general: shape (n,); how much better the systems of the first did than those of the second in all
            comparisons.
        outputs: shape (2, n); the numbers of the two outputs.
        systems: shape (2, n); how many systems gave each.
    """

    pair: IntArray
    sentence: IntArray
    outcome: FloatArray
    general: FloatArray
    outputs: IntArray
    systems: FloatArray


def _compared(outputs: pd.DataFrame, written: IntArray, base: int, by: Basis) -> _Compared:
    """The pairs of compared outputs; `written` numbers the outputs of all sentences, below `base`."""
    judgments = outputs["judgment"].cat.codes.to_numpy()
    order = np.lexsort((written, judgments))
    upper, lower = (order[rows] for rows in row_pairs(pd.factorize(judgments[order])[0]))
    place = outputs["place"].to_numpy(dtype=np.float64)
    ahead = place[lower] - place[upper]
    outcome = np.where(np.abs(ahead) <= by.tie_width, 0.0, np.sign(ahead))
    lists = system_lists(outputs["systems"], system_names(outputs))
    number = lists.sizes[lists.of_row].astype(np.float64)
    general = _general(lists, outcome, upper, lower)
    pair, found, place_of, times = np.unique(
        written[upper] * np.int64(base) + written[lower],
        return_index=True,
        return_inverse=True,
        return_counts=True,
    )
    upper, lower = upper[found], lower[found]
    return _Compared(
        pair=pair,
        sentence=outputs["sentence"].to_numpy(dtype=np.int64)[upper],
        outcome=np.bincount(place_of, outcome, len(pair)) / times,
        general=general[upper] - general[lower],
        outputs=np.stack([written[upper], written[lower]]),
        systems=np.stack([number[upper], number[lower]]),
    )


def _sums(said: _Compared, variances: FloatArray, rows: IntArray, sentences: int) -> FloatArray:
    """The variance of what each sentence says of all systems, shape (sentences,).

    A system is compared with all systems of each other output at once. Two outcomes of one output vary
    together, with the correlation of a random order.
    """
    outputs = np.concatenate(said.outputs)
    own, others = np.concatenate(said.systems), np.concatenate(said.systems[::-1])
    variances, rows = np.tile(variances, 2), np.tile(rows, 2)
    number = int(outputs.max(initial=-1)) + 1
    squares = np.bincount(outputs, others**2 * variances, number)
    sums = np.bincount(outputs, others * np.sqrt(variances), number)
    by_output = (1 - TOGETHER) * squares + TOGETHER * sums**2
    once = np.unique(outputs, return_index=True)[1]
    totals = np.bincount(rows[once], own[once] * by_output[outputs[once]], sentences)
    return totals.astype(np.float64)


def _general(
    lists: SystemLists, outcome: FloatArray, upper: NDArray[np.integer], lower: NDArray[np.integer]
) -> FloatArray:
    """How well the systems of each row do in all comparisons: the mean of their mean outcomes."""
    rows = len(lists.of_row)
    sums = np.bincount(upper, outcome, rows) - np.bincount(lower, outcome, rows)
    times = np.bincount(upper, minlength=rows) + np.bincount(lower, minlength=rows)
    row, system = lists.exploded(np.arange(rows))
    number = len(lists.names)
    means = np.bincount(system, sums[row], number) / np.maximum(np.bincount(system, times[row], number), 1)
    result: FloatArray = np.bincount(row, means[system], rows) / np.maximum(lists.sizes[lists.of_row], 1)
    return result


def _kinds(said: _Compared) -> IntArray:
    is_usual = said.outcome * said.general >= 0
    is_unsure = np.abs(said.outcome) < SURE
    return np.select([said.outcome == 0, is_unsure, is_usual], [0, 1, 2], 3).astype(np.int64)


def _mean_squares(kinds: IntArray, values: FloatArray) -> FloatArray:
    """The mean square of the values of each kind, shape (KINDS,), drawn to that of all; 1 without values."""
    if not len(values):
        return np.ones(KINDS)
    sums, numbers = np.bincount(kinds, values**2, KINDS), np.bincount(kinds, minlength=KINDS)
    all_of_them = float((values**2).mean())
    means: FloatArray = (sums + PRIOR_COMPARISONS * all_of_them) / (numbers + PRIOR_COMPARISONS)
    return means
