"""Figures of human ratings of MultiGEC-2025, computed from their public files.

They rate the outputs of systems, the originals and references for grammaticality and fluency, and are of
https://github.com/emilia-piotrowska/MultiGEC-2025-annotation. Masciolini et al. 2025, "The MultiGEC-2025
Shared Task on Multilingual Grammatical Error Correction at NLP4CALL", describe the task. Figures are held
against those that an independent program computed from the same files.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from analysis.reproduction.cells import OurFigures, Ours, Table, compare, printed
from analysis.reproduction.paper import Paper
from analysis.reproduction.public_data.multigec_data import MultiGec
from core.arrays import FloatArray
from formats.essay_ratings import EssayRatings
from ranking import Coefficient, correlation

LETTERS = ("G", "F")
"""What names of cells call grammaticality and fluency."""


def _points(ratings: EssayRatings, system: str) -> FloatArray:
    """The points of a system, shape (essays, 2)."""
    return np.array(ratings.points[system], dtype=np.float64)


def means(data: MultiGec) -> Table:
    """Mean grammaticality and fluency of each system, such as "English G LATTICE"."""
    ours: OurFigures = {}
    for language, ratings in data.ratings.items():
        for system in ratings.points:
            points = _points(ratings, system)
            for letter, mean in zip(LETTERS, points.mean(axis=0), strict=True):
                ours[f"{language} {letter} {system}"] = Ours(float(mean), f"{len(points)} essays")
    return compare(printed("multigec", "means"), ours)


def scales(data: MultiGec) -> Table:
    """Pearson's r of grammaticality and fluency over all rated essays of a language."""
    ours: OurFigures = {}
    for language, ratings in data.ratings.items():
        points = np.concatenate([_points(ratings, system) for system in ratings.points])
        found = correlation(points[:, 0], points[:, 1], Coefficient.PEARSON)
        ours[f"{language} G-F"] = Ours(found.value, f"{len(points)} rows")
    return compare(printed("multigec", "scales"), ours)


def _without_misspelt(ratings: EssayRatings) -> Iterator[tuple[str, FloatArray]]:
    """Systems with misspelt lines, and their points without these lines."""
    for system, lines in ratings.lines.items():
        is_spelt = ~np.isin(lines, ratings.misspelt)
        if not is_spelt.all():
            yield system, _points(ratings, system)[is_spelt]


def misspelt(data: MultiGec) -> Table:
    """Lines that misspell a scale, and the means that a reader gets which leaves them out."""
    ours: OurFigures = {}
    for language, ratings in data.ratings.items():
        ours[f"{language} lines"] = len(ratings.misspelt)
        for system, points in _without_misspelt(ratings):
            for letter, mean in zip(LETTERS, points.mean(axis=0), strict=True):
                ours[f"{language} {letter} {system}"] = Ours(float(mean), f"{len(points)} essays")
    return compare(printed("multigec", "misspelt"), ours)


PAPER = Paper(
    data=MultiGec,
    tables={"means": means, "scales": scales, "misspelt": misspelt},
    progress="Ratings",
    steps={},
)
