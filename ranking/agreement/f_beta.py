"""F-beta from precision and recall, and for which beta it goes best with human scores (GJG15, Figure 3)."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from core.arrays import FloatArray
from ranking.agreement.correlation import Coefficient, Correlation, correlation


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """How F-beta goes with human scores at one beta.

    Attributes:
        beta: the weight of recall against precision; below 1 precision weighs more.
        spearman: Spearman's rho of F-beta with the human scores.
        pearson: Pearson's r.
    """

    beta: float
    spearman: Correlation
    pearson: Correlation


def f_beta(precision: ArrayLike, recall: ArrayLike, beta: float) -> FloatArray:
    """The weighted harmonic mean of precision and recall, (1 + b^2) P R / (b^2 P + R), 0 where P or R is 0.

    `precision` and `recall` have one shape, which is that of the result (van Rijsbergen 1979).
    """
    p, r = np.asarray(precision, dtype=float), np.asarray(recall, dtype=float)
    defined = (p > 0) & (r > 0)
    return np.where(defined, (1 + beta**2) * p * r / np.where(defined, beta**2 * p + r, 1), 0.0)


def f_beta_sweep(
    precision: ArrayLike, recall: ArrayLike, human: ArrayLike, betas: Iterable[float]
) -> tuple[SweepPoint, ...]:
    """Both correlations of F-beta with human scores at each beta (GJG15, section 6.3 and Figure 3).

    `precision`, `recall` and `human` are of n systems, shape (n,) each.

    Raises `ValueError` as `ranking.agreement.correlation` does.
    """
    points = []
    for beta in betas:
        scores = f_beta(precision, recall, beta)
        points.append(
            SweepPoint(
                beta=beta,
                spearman=correlation(scores, human, Coefficient.SPEARMAN),
                pearson=correlation(scores, human, Coefficient.PEARSON),
            )
        )
    return tuple(points)
