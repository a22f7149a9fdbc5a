"""Ridge regression over features of corpora, by scikit-learn (Pedregosa et al. 2011)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray
from metrics.base.evaluation_sets import InputError

ALPHA = 0.001
"""The paper's, found by cross-validation (GMEG, section 5.2)."""

ALPHAS = tuple(10.0**power for power in range(-6, 3))
"""Penalties that cross-validation chooses from."""

FOLDS = 10

SCORING = "neg_mean_squared_error"
"""What cross-validation compares."""


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
    whole = _whole(values, human)
    pipeline = _pipeline(alpha, standardise)
    pipeline.fit(values[whole], human[whole])
    ridge = pipeline[-1]
    coefficients, intercept = np.asarray(ridge.coef_, dtype=np.float64), float(ridge.intercept_)
    if standardise:
        scaler = pipeline[0]
        coefficients = coefficients / scaler.scale_
        intercept -= float(scaler.mean_ @ coefficients)
    return LinearModel(features, coefficients, intercept, values[whole].std(axis=0))


def best_alpha(
    values: FloatArray,
    human: FloatArray,
    *,
    alphas: Sequence[float] = ALPHAS,
    standardise: bool = False,
    seed: int = 0,
) -> float:
    """The penalty with the lowest mean squared error on held-out corpora, by cross-validation.

    Corpora are divided at random. Synthetic systems share sentences, so held-out ones are not independent of
    those learned from, and small penalties are favoured; GMEG does not say how it divided.

    Args:
        values: shape (H, F), of the corpora to learn from.
        human: shape (H,), their human scores.
        alphas: the penalties to choose from; of equal ones the first is chosen.
        standardise: whether the penalty sees features of unit variance.
        seed: of the division.

    Raises:
        InputError: fewer than two corpora have all features and a human score.
    """
    from sklearn.model_selection import KFold, cross_val_score

    whole = _whole(values, human)
    folds = KFold(min(FOLDS, int(whole.sum())), shuffle=True, random_state=seed)
    means = [
        np.mean(
            cross_val_score(
                _pipeline(alpha, standardise), values[whole], human[whole], cv=folds, scoring=SCORING
            )
        )
        for alpha in alphas
    ]
    return alphas[int(np.argmax(means))]


def _whole(values: FloatArray, human: FloatArray) -> NDArray[np.bool_]:
    whole: NDArray[np.bool_] = np.isfinite(values).all(axis=1) & np.isfinite(human)
    if whole.sum() < 2:
        raise InputError("fewer than two systems have all features and a human score")
    return whole


def _pipeline(alpha: float, standardise: bool) -> Any:
    from sklearn.linear_model import Ridge
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(*([StandardScaler()] if standardise else []), Ridge(alpha=alpha))
