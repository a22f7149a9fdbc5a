"""Many facets of scores: systems, judges, sentences and the style of outputs (Linacre 1989).

A score is the sum of the system's mean, the leniency of the judge, the ease of the sentence, the weights of
style, and chance: the many-facet model for scores without thresholds, fitted by least squares. A judge who
saw other sentences or systems than the rest then does not shift the means of systems.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from ranking.arrays import FloatArray, IntArray
from ranking.exploding import system_lists
from ranking.judge_model import Effect, effects_of, interval_width, properties_of, scales_of
from ranking.snapshot import Scores, SnapshotError, compared_outputs, system_names

ROUNDING = 1e-9
"""Relative size below which an eigenvalue is 0."""

DETERMINED = 1e-6
"""Largest part of a coefficient that scores may leave open, as rounding does."""


class NotLinkedError(SnapshotError):
    """The scores do not tell the differences of all systems, or the weights of style."""


@dataclass(frozen=True, slots=True)
class SeverityModel:
    """What a model of scores says.

    Attributes:
        systems: mean scores over the sentences, as by the mean judge and with the mean style; best first,
            equal ones in alphabetical order. Intervals are of the difference from the mean system.
        judges: in alphabetical order, how many points each gives more than the mean judge; empty where some
            judge is not linked with the others by common sentences.
        style: in the order given, how many points a unit of each property is worth.
        ratings: how many scores of a system there are.
    """

    systems: tuple[Effect, ...]
    judges: tuple[Effect, ...]
    style: tuple[Effect, ...]
    ratings: int


def severity_model(
    snapshot: pd.DataFrame, style: pd.DataFrame | None = None, *, confidence: float = 0.95
) -> SeverityModel:
    """Fit the model to scores; intervals by the jackknife, which leaves out one sentence after the other.

    They are by Student's t with one degree of freedom fewer than sentences that say something about the
    coefficient, so a judge of a single sentence has none. `style` is as in `ranking.judge_model`. The score
    of an output counts for each of its systems.

    Raises `NotLinkedError` where a system is alone in all its sentences or a property of style tells the same
    as the systems do, and `SnapshotError` where an output has no style and as `ranking.scored_outputs` does.
    """
    outputs = compared_outputs(snapshot, Scores())
    systems, judges = system_names(outputs), tuple(outputs["annotator"].cat.categories)
    scales = np.ones(0) if style is None else scales_of(style)
    properties = np.empty((len(outputs), 0)) if style is None else properties_of(outputs, style, scales)
    row, system = system_lists(outputs["systems"], systems).exploded(np.arange(len(outputs)))
    judge = outputs["annotator"].cat.codes.to_numpy()[row].astype(np.int64)
    sentence = pd.factorize(outputs["sentence"])[0][row].astype(np.int64)
    score = -outputs["place"].to_numpy(dtype=np.float64)[row]
    facets = np.zeros((len(row), len(systems) + len(judges)))
    facets[np.arange(len(row)), system] = 1
    facets[np.arange(len(row)), len(systems) + judge] = 1
    of_style = properties[row] - _means(properties[row], sentence).mean(axis=0)
    facets = np.hstack([facets, of_style])
    ends = np.cumsum([len(systems), len(judges)])
    contrast = np.eye(facets.shape[1])
    for begin, end in ((0, ends[0]), (ends[0], ends[1])):
        contrast[begin:end, begin:end] -= 1 / (end - begin)
    values, covariance, speaking, determined = _least_squares(facets, score, sentence)
    is_open = np.abs(contrast @ determined - contrast).max(axis=1) > DETERMINED
    of_judges = np.arange(ends[0], ends[1])
    if np.delete(is_open, of_judges).any():
        raise NotLinkedError("the scores do not tell the differences of all systems, or the weights of style")
    values = contrast @ values
    level = _means((score - facets @ values)[:, np.newaxis], sentence).mean()
    of_system, leniency, weights = np.split(values, ends)
    errors = np.sqrt(np.diag(contrast @ covariance @ contrast.T).clip(0))
    around = np.split(interval_width(confidence, speaking) * errors, ends)
    numbers = np.bincount(system, minlength=len(systems)), np.bincount(judge, minlength=len(judges))
    of_systems = effects_of(systems, of_system + level, around[0], numbers[0])
    names = () if style is None else tuple(str(name) for name in style.columns)
    return SeverityModel(
        systems=tuple(sorted(of_systems, key=lambda effect: (-effect.value, effect.name))),
        judges=() if is_open[of_judges].any() else effects_of(judges, leniency, around[1], numbers[1]),
        style=effects_of(names, weights / scales, around[2] / scales, np.full(len(names), len(row))),
        ratings=len(row),
    )


def _least_squares(
    facets: FloatArray, score: FloatArray, sentence: IntArray
) -> tuple[FloatArray, FloatArray, IntArray, FloatArray]:
    """Coefficients, shape (p,), beside an effect of each sentence; covariance; sentences; what is determined.

    The means of sentences are taken out of both sides beforehand (Frisch, Waugh and Lovell). Of the solutions
    that differ only in a constant it is the shortest one. The covariance, shape (p, p), is that of the
    jackknife over sentences; with few of them, the sandwich is far too small. A coefficient's number of
    sentences, shape (p,), is of those in which its facet varies. The last, shape (p, p), projects contrasts
    onto what the scores determine.
    """
    facets, score = _within(facets, sentence), _within(score[:, np.newaxis], sentence)[:, 0]
    normal = facets.T @ facets
    inverse = np.linalg.pinv(normal, ROUNDING, hermitian=True)
    values = inverse @ facets.T @ score
    pulls = facets @ inverse
    order = np.argsort(sentence, kind="stable")
    moved = np.array(
        [
            _moved(pulls[rows], facets[rows], score[rows] - facets[rows] @ values)
            for rows in np.split(order, np.cumsum(np.bincount(sentence))[:-1])
        ]
    )
    covariance = moved.T @ moved * ((len(moved) - 1) / len(moved))
    speaking = np.count_nonzero(_sums(np.abs(facets), sentence) > ROUNDING, axis=0)
    return values, covariance, speaking, inverse @ normal


def _moved(pulls: FloatArray, facets: FloatArray, residuals: FloatArray) -> FloatArray:
    """How far coefficients move, shape (p,), if a sentence is left out."""
    without = np.eye(len(residuals)) - facets @ pulls.T
    moved: FloatArray = pulls.T @ np.linalg.pinv(without, ROUNDING, hermitian=True) @ residuals
    return moved


def _within(columns: FloatArray, sentence: IntArray) -> FloatArray:
    """The columns less their means in each sentence."""
    within: FloatArray = columns - _means(columns, sentence)[sentence]
    return within


def _means(columns: FloatArray, sentence: IntArray) -> FloatArray:
    """The means of the columns in each sentence, shape (sentences, p)."""
    means: FloatArray = _sums(columns, sentence) / np.bincount(sentence)[:, np.newaxis]
    return means


def _sums(columns: FloatArray, sentence: IntArray) -> FloatArray:
    """The sums of the columns in each sentence, shape (sentences, p)."""
    sums = np.zeros((int(sentence.max(initial=-1)) + 1, columns.shape[1]))
    np.add.at(sums, sentence, columns)
    return sums
