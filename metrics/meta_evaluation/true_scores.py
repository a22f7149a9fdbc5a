"""Systems' true scores by people and by a metric, as far as judgments of some sentences tell them.

The systems are given; the sentences are a sample, and so are the judgments of them. The *true* scores of the
systems are those on all sentences like these, judged like these. Observed scores add errors to them, which
spread systems more than they differ. So observed scores correlate less than true ones (attenuation, Spearman
1904), and scores of resampled sentences, which err twice, even less: a percentile interval lies too low.

The model: the true scores of a system by people and by a metric are a draw from a bivariate normal
distribution, and errors are normal with the covariance that resampled sentences show. The standard deviations
of true scores have flat priors up to `WIDEST` times that of the observed ones, and their correlation has the
arcsine distribution, which does not favour weak ones. The interval of any measure of agreement is that of its
posterior (a hierarchical model with known errors: Gelman et al. 2013, "Bayesian Data Analysis", chapter 5).
"""

from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray

WIDEST = 3.0
DEVIATIONS = 30
CORRELATIONS = 41
"""Values of each parameter for which the posterior is computed; draws lie anywhere between them."""

ROUNDING = 1e-10


@dataclass(frozen=True, slots=True, eq=False)
class TrueScores:
    """B draws from the posterior of the true scores of S systems, up to their mean and scale.

    Attributes:
        human: shape (B, S).
        metric: shape (B, S).
    """

    human: FloatArray
    metric: FloatArray


def reliability(scores: FloatArray, replicates: FloatArray) -> float:
    """The share of the variance among S systems' scores, shape (S,), that is not error; 1 at most.

    Negative where systems differ less than errors alone would make them. Replicates, shape (B, S), are of
    resampled sentences and all finite.
    """
    among = replicates - replicates.mean(axis=1, keepdims=True)
    errors = among.var(axis=0, ddof=1).sum() / (len(scores) - 1)
    return float(1 - errors / scores.var(ddof=1))


def true_scores(
    human: FloatArray,
    metric: FloatArray,
    human_replicates: FloatArray,
    metric_replicates: FloatArray,
    *,
    seed: int,
) -> TrueScores:
    """Draw true scores, as many as there are replicates.

    Args:
        human: shape (S,), observed, of at least three systems, not all equal.
        metric: the same by the metric.
        human_replicates: shape (B, S), on resampled sentences, all finite.
        metric_replicates: the same by the metric, on the same sentences.
        seed: of the draws.
    """
    from scipy.linalg import helmert

    rng = np.random.default_rng(seed)
    draws, size = len(human_replicates), len(human) - 1
    among = helmert(size + 1)
    contrasts = np.stack([human, metric]) @ among.T
    scales = np.sqrt((contrasts**2).mean(axis=1))
    observed = contrasts / scales[:, None]
    drawn = np.stack([human_replicates, metric_replicates], axis=1) @ among.T / scales[:, None]
    errors = np.cov(drawn.reshape(draws, 2 * size), rowvar=False)
    of_system = np.trace(errors.reshape(2, size, 2, size), axis1=1, axis2=3) / size
    spread = _spreads(observed @ observed.T, size, of_system, draws, rng)
    whole = np.einsum("bij,kl->bikjl", spread, np.eye(size)).reshape(draws, 2 * size, 2 * size)
    # A draw from the prior, moved by what its observation lacks to the actual one (Matheron's rule).
    start = (_roots(spread) @ rng.standard_normal((draws, 2, size))).reshape(draws, 2 * size)
    values, vectors = np.linalg.eigh(errors)
    noise = rng.standard_normal((draws, 2 * size)) * np.sqrt(np.maximum(values, 0.0)) @ vectors.T
    lacking = observed.ravel() - start - noise
    shares = np.linalg.solve(whole + errors + ROUNDING * np.eye(2 * size), lacking[:, :, None])
    posterior = (start + (whole @ shares)[:, :, 0]).reshape(draws, 2, size) @ among
    return TrueScores(posterior[:, 0], posterior[:, 1])


def _spreads(
    products: FloatArray, freedom: int, errors: FloatArray, draws: int, rng: np.random.Generator
) -> FloatArray:
    """Draws of the covariance of true scores among systems, shape (B, 2, 2).

    For this step, errors are taken to be equal in all directions: then the sums of products of scores, shape
    (2, 2), tell all, by a Wishart distribution with `freedom` degrees.
    """
    step, turn = WIDEST / DEVIATIONS, np.pi / CORRELATIONS
    deviations = (np.arange(DEVIATIONS) + 0.5) * step
    # The correlation has the arcsine distribution: it is the sine of an angle of uniform distribution.
    angles = (np.arange(CORRELATIONS) + 0.5) * turn - np.pi / 2
    grid = np.meshgrid(deviations, deviations, angles, indexing="ij")
    total = _covariances(grid[0], grid[1], np.sin(grid[2])) + errors
    people, both, metric = total[..., 0, 0], total[..., 0, 1], total[..., 1, 1]
    determinant = np.maximum(people * metric - both**2, ROUNDING)
    distance = metric * products[0, 0] + people * products[1, 1] - 2 * both * products[0, 1]
    heights = -0.5 * (freedom * np.log(determinant) + distance / determinant)
    weights = np.exp(heights - heights.max()).ravel().cumsum()
    places = np.searchsorted(weights, (np.arange(draws) + rng.random(draws)) / draws * weights[-1])
    first, second, angle = np.unravel_index(np.minimum(places, len(weights) - 1), heights.shape)
    shifts = rng.random((3, draws)) - 0.5
    return _covariances(
        deviations[first] + shifts[0] * step,
        deviations[second] + shifts[1] * step,
        np.sin(angles[angle] + shifts[2] * turn),
    )


def _covariances(people: FloatArray, metric: FloatArray, correlation: FloatArray) -> FloatArray:
    """Shape (..., 2, 2), of standard deviations and correlations of shape (...)."""
    both = people * metric * correlation
    return np.stack([people**2, both, both, metric**2], axis=-1).reshape(*both.shape, 2, 2)


def _roots(covariances: FloatArray) -> FloatArray:
    """Lower triangles whose products with themselves are the covariances, shape (B, 2, 2)."""
    first = np.sqrt(covariances[:, 0, 0])
    below = covariances[:, 1, 0] / np.maximum(first, ROUNDING)
    last = np.sqrt(np.maximum(covariances[:, 1, 1] - below**2, 0.0))
    return np.stack([first, np.zeros_like(first), below, last], axis=-1).reshape(-1, 2, 2)
