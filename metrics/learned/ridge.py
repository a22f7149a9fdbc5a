"""Ridge regression over features of corpora, by scikit-learn (Pedregosa et al. 2011)."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from core.arrays import FloatArray
from metrics.base.evaluation_sets import InputError

ALPHA = 0.001
"""The paper's, found by cross-validation (GMEG, section 5.2)."""


@dataclass(frozen=True, slots=True, eq=False)
class LinearModel:
    """A score that is linear in F features.

    Attributes:
        features: their names, in order.
        coefficients: shape (F,), of the features as they are, not standardised.
        intercept: added to their sum.
        spread: shape (F,), standard deviation of each feature in training: coefficient times spread says how
            far a usual change of a feature moves the score.
    """

    features: tuple[str, ...]
    coefficients: FloatArray
    intercept: float
    spread: FloatArray

    def predict(self, values: FloatArray) -> FloatArray:
        """The score of features of shape (..., F); NaN where one is missing."""
        return np.asarray(values @ self.coefficients + self.intercept)


def fit_ridge(
    features: tuple[str, ...],
    values: FloatArray,
    human: FloatArray,
    *,
    alpha: float = ALPHA,
    standardise: bool = False,
) -> LinearModel:
    """Fit human scores, with an intercept that is not penalised.

    The scikit-learn pipeline is a `Ridge`, after a `StandardScaler` if features are standardised, whose
    coefficients are then turned back to those of the features as they are.

    Args:
        features: names of the F features.
        values: shape (H, F), of the corpora to learn from.
        human: shape (H,), their human scores.
        alpha: the penalty of squared coefficients.
        standardise: whether the penalty sees features of unit variance; GMEG does not say.

    Raises:
        InputError: fewer than two corpora have all features and a human score.
    """
    from sklearn.linear_model import Ridge
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    whole = np.isfinite(values).all(axis=1) & np.isfinite(human)
    if whole.sum() < 2:
        raise InputError("fewer than two systems have all features and a human score")
    steps = [StandardScaler()] if standardise else []
    pipeline: Any = make_pipeline(*steps, Ridge(alpha=alpha))
    pipeline.fit(values[whole], human[whole])
    ridge = pipeline[-1]
    coefficients, intercept = np.asarray(ridge.coef_, dtype=np.float64), float(ridge.intercept_)
    if standardise:
        scaler = pipeline[0]
        coefficients = coefficients / scaler.scale_
        intercept -= float(scaler.mean_ @ coefficients)
    return LinearModel(features, coefficients, intercept, values[whole].std(axis=0))
