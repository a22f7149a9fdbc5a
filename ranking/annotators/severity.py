"""Many facets of scores: systems, annotators, sentences and the style of outputs (Linacre 1989).

A score is the sum of the system's mean, the leniency of the annotator, the ease of the sentence, the weights
of style, and chance: the many-facet model for scores without thresholds, fitted by least squares. An
annotator who saw other sentences or systems than the rest then does not shift the means of systems.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray, IntArray
from core.later import pd, sparse
from ranking.annotators.annotator_model import (
    NO_STYLE,
    Effect,
    effects_of,
    scales_of,
    style_of,
)
from ranking.judgments.snapshot import Scores, SnapshotError, compared_outputs, system_names
from ranking.judgments.system_rows import system_lists

ROUNDING = 1e-9
"""Relative size below which an eigenvalue is 0."""

DETERMINED = 1e-6
"""Largest part of a coefficient that scores may leave open, as rounding does."""


class NotLinkedError(SnapshotError):
    """The scores do not tell the differences of all systems, or the weights of style."""


@dataclass(frozen=True, slots=True)
class SeverityModel:
    """Estimates of a model of scores.

    Attributes:
        systems: mean scores over the sentences for an average annotator and average style; best first, equal
            ones in alphabetical order. Intervals are of the difference from the mean system.
        annotators: points that each gives more than the mean annotator, in alphabetical order; empty
            where some annotator is not linked with the others by common sentences.
        style: points that one unit of each property is worth, in the order given.
        ratings: how many scores of a system there are.
    """

    systems: tuple[Effect, ...]
    annotators: tuple[Effect, ...]
    style: tuple[Effect, ...]
    ratings: int


def severity_model(
    snapshot: pd.DataFrame, style: pd.DataFrame | None = None, *, confidence: float = 0.95
) -> SeverityModel:
    """Fit the model to scores; intervals by the jackknife, which leaves out one sentence after the other.

    They are by Student's t with one degree of freedom fewer than sentences that say something about the
    coefficient, so an annotator of a single sentence has none. `style` is as in
    `ranking.annotators.annotator_model`. The score of an output counts for each of its systems.

    Raises `NotLinkedError` where a system is alone in all its sentences or a property of style tells the same
    as the systems do, and `SnapshotError` where an output has no style and as `ranking.scored_outputs` does.
    """
    outputs = compared_outputs(snapshot, Scores()).sort_values("sentence", kind="stable", ignore_index=True)
    systems, annotators = system_names(outputs), tuple(outputs["annotator"].cat.categories)
    scales = np.ones(0) if style is None else scales_of(style)
    properties = NO_STYLE if style is None else style_of(outputs, style, scales)
    row, system = system_lists(outputs["systems"], systems).exploded(np.arange(len(outputs)))
    annotator = outputs["annotator"].cat.codes.to_numpy()[row].astype(np.int64)
    starts = np.flatnonzero(np.diff(pd.factorize(outputs["sentence"])[0][row], prepend=-1))
    score = -outputs["place"].to_numpy(dtype=np.float64)[row]
    of_style = properties.of(row)
    of_style -= _means(of_style, starts).mean(axis=0)
    facets = sparse.hstack(
        [
            _indicators(system, len(systems)),
            _indicators(annotator, len(annotators)),
            sparse.csr_array(of_style),
        ],
        format="csr",
    )
    ends = np.cumsum([len(systems), len(annotators)])
    contrast = np.eye(facets.shape[1])
    for begin, end in ((0, ends[0]), (ends[0], ends[1])):
        contrast[begin:end, begin:end] -= 1 / (end - begin)
    values, covariance, speaking, determined = _least_squares(facets, score, starts)
    is_open = np.abs(contrast @ determined - contrast).max(axis=1) > DETERMINED
    of_annotators = np.arange(ends[0], ends[1])
    if np.delete(is_open, of_annotators).any():
        raise NotLinkedError("the scores do not tell the differences of all systems, or the weights of style")
    values = contrast @ values
    level = _means(score - facets @ values, starts).mean()
    of_system, leniency, weights = np.split(values, ends)
    errors = np.sqrt(np.diag(contrast @ covariance @ contrast.T).clip(0))
    spread, freedom = np.split(errors, ends), np.split(speaking - 1, ends)
    effects = partial(effects_of, confidence=confidence)
    numbers = np.bincount(system, minlength=len(systems)), np.bincount(annotator, minlength=len(annotators))
    of_systems = effects(systems, of_system + level, spread[0], numbers[0], freedom=freedom[0])
    names = () if style is None else tuple(str(name) for name in style.columns)
    return SeverityModel(
        systems=tuple(sorted(of_systems, key=lambda effect: (-effect.value, effect.name))),
        annotators=()
        if is_open[of_annotators].any()
        else effects(annotators, leniency, spread[1], numbers[1], freedom=freedom[1], neutral=0.0),
        style=effects(
            names,
            weights / scales,
            spread[2] / scales,
            np.full(len(names), len(row)),
            freedom=freedom[2],
            neutral=0.0,
        ),
        ratings=len(row),
    )


def _least_squares(
    facets: sparse.csr_array, score: FloatArray, starts: IntArray
) -> tuple[FloatArray, FloatArray, IntArray, FloatArray]:
    """Coefficients, shape (p,), beside an effect of each sentence; covariance; sentences; what is determined.

    The means of sentences are taken out of both sides beforehand (Frisch, Waugh and Lovell). Of the solutions
    that differ only in a constant it is the shortest one. The covariance, shape (p, p), is that of the
    jackknife over sentences; with few of them, the sandwich is far too small. A coefficient's number of
    sentences, shape (p,), is of those in which its facet varies. The last, shape (p, p), projects contrasts
    onto what the scores determine.

    Args:
        facets: shape (n, p), rows in the order of their sentences.
        score: shape (n,).
        starts: the first row of each sentence.
    """
    size = facets.shape[1]
    normal, right, speaking = np.zeros((size, size)), np.zeros(size), np.zeros(size, dtype=np.int64)
    for within, scores in _sentences(facets, score, starts):
        normal += within.T @ within
        right += within.T @ scores
        speaking += np.abs(within).max(axis=0) > ROUNDING
    inverse = _inverse(normal)
    values = inverse @ right
    # In these units of coefficients the inverse is the identity, so that either inverse of `_moved` will do.
    units = _root(inverse)
    moved = np.array(
        [
            _moved(within @ units, scores - within @ values)
            for within, scores in _sentences(facets, score, starts)
        ]
    )
    moved = moved @ units
    covariance = moved.T @ moved * ((len(moved) - 1) / len(moved))
    return values, covariance, speaking, inverse @ normal


def _sentences(
    facets: sparse.csr_array, score: FloatArray, starts: IntArray
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Facets and scores of each sentence less their means; those of all would fill the memory."""
    for begin, end in pairwise([*starts.tolist(), len(score)]):
        of_sentence, scores = facets[begin:end].toarray(), score[begin:end]
        yield of_sentence - of_sentence.mean(axis=0), scores - scores.mean()


def _root(matrix: FloatArray) -> FloatArray:
    """The symmetric square root of a positive semidefinite matrix."""
    values, vectors = np.linalg.eigh(matrix)
    root: FloatArray = vectors * np.sqrt(values.clip(0)) @ vectors.T
    return root


def _moved(facets: FloatArray, residuals: FloatArray) -> FloatArray:
    """How far coefficients move, shape (p,), if a sentence is left out, by the smaller of two equal inverses.

    Facets and coefficients are in units in which the inverse of all sentences' normal matrix is the identity.
    """
    rows, size = facets.shape
    moved: FloatArray
    if rows < size:
        moved = facets.T @ (_inverse(np.eye(rows) - facets @ facets.T) @ residuals)
    else:
        moved = _inverse(np.eye(size) - facets.T @ facets) @ (facets.T @ residuals)
    return moved


def _inverse(matrix: FloatArray) -> FloatArray:
    return np.asarray(np.linalg.pinv(matrix, ROUNDING, hermitian=True), dtype=np.float64)


def _indicators(numbers: NDArray[np.integer], size: int) -> sparse.csr_array:
    """Shape (n, size): 1 in the column of each row's number, else 0."""
    rows = np.arange(len(numbers))
    return sparse.csr_array((np.ones(len(numbers)), (rows, numbers)), shape=(len(numbers), size))


def _means(values: FloatArray, starts: IntArray) -> FloatArray:
    """The means of the rows of each sentence."""
    sizes = np.diff(starts, append=len(values)).reshape(-1, *[1] * (values.ndim - 1))
    means: FloatArray = np.add.reduceat(values, starts, axis=0) / sizes
    return means
