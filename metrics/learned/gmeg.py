"""GMEG-Metric (Napoles et al. 2019, section 5.2): ridge regression of human scores of systems.

The model learns from a few judged systems and from synthetic ones that mix two of them
(`metrics.meta_evaluation.sensitivity.hybrids`). What is held out is always sentences: no sentence is learned
from and tested on, and held-out systems are mixed of held-out sentences.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray, IntArray
from core.progress import Advance
from metrics.base.evaluation_sets import InputError
from metrics.learned.features import feature_table
from metrics.learned.folds import computed_folds
from metrics.learned.ridge import ALPHA, LinearModel, best_alpha, fit_ridge
from metrics.meta_evaluation.metric_scores import MetricScores
from metrics.meta_evaluation.output_statistics import Statistics
from metrics.meta_evaluation.sensitivity.hybrids import DRAWS, PERCENTS, mixed_systems
from ranking import Coefficient, correlation

METRICS = ("errant", "chrf", "m2", "imeasure", "gleu", "chargleu")
"""The metrics whose statistics are GMEG-Metric's features: 73, as many as the paper counts."""

COEFFICIENTS = (Coefficient.PEARSON, Coefficient.SPEARMAN)

DIGITS = 12
"""Scores that are equal when rounded so differ by the order of summing only, and tie."""


@dataclass(frozen=True, slots=True, eq=False)
class Domain:
    """Judged systems of a domain.

    Attributes:
        name: of the domain.
        systems: S names.
        human: shape (n, S), people's score of each system in each sentence; NaN where there is none.
        statistics: those of each metric that gives features, systems in this order.
        rivals: single metrics that the learned one is compared with, systems in this order.
    """

    name: str
    systems: tuple[str, ...]
    human: FloatArray
    statistics: tuple[Statistics, ...]
    rivals: tuple[MetricScores, ...] = ()

    @property
    def judged(self) -> IntArray:
        """Numbers of the sentences that people judged."""
        return np.flatnonzero(np.isfinite(self.human).any(axis=1))


@dataclass(frozen=True, slots=True)
class Settings:
    """How systems are mixed and the regression is fitted.

    Attributes:
        alpha: the penalty of squared coefficients; None for the one that cross-validation chooses.
        standardise: whether the penalty sees features of unit variance.
        percents: of the sentences of a synthetic system, taken from the first of its two systems.
        draws: synthetic systems of each pair and percentage.
    """

    alpha: float | None = ALPHA
    standardise: bool = False
    percents: tuple[int, ...] = PERCENTS
    draws: int = DRAWS


@dataclass(frozen=True, slots=True, eq=False)
class Corpora:
    """H corpora on some sentences of a domain: first its S systems, then synthetic ones.

    Attributes:
        features: names of the F features.
        values: shape (H, F).
        human: shape (H,); NaN for a corpus that takes sentences from a system that nobody judged.
        contains: shape (H, S), whether a corpus takes sentences from a system.
    """

    features: tuple[str, ...]
    values: FloatArray
    human: FloatArray
    contains: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Correlations on held-out sentences, one for each split.

    Attributes:
        metric: the learned metric, or a single one.
        correlations: by coefficient, of each split; NaN where one is undefined.
    """

    metric: str
    correlations: Mapping[Coefficient, tuple[float, ...]]

    def mean(self, coefficient: Coefficient) -> float:
        """Over the splits."""
        return float(np.mean(self.correlations[coefficient]))

    def interval(self, coefficient: Coefficient, confidence: float = 0.95) -> tuple[float, float]:
        """The middle of the splits. They share sentences, so it is no confidence interval of the mean."""
        ends = [(1 - confidence) / 2, (1 + confidence) / 2]
        low, high = np.quantile(self.correlations[coefficient], ends).tolist()
        return low, high


LEARNED = "GMEG-Metric"


def train(domains: Sequence[Domain], settings: Settings | None = None, *, seed: int = 0) -> LinearModel:
    """Learn from all judged sentences of all domains, each system an instance.

    Raises:
        InputError: the domains have other features, or too few systems are judged.
    """
    settings = settings or Settings()
    return fitted([corpora(each, each.judged, settings, seed) for each in domains], settings)


def fitted(parts: Sequence[Corpora], settings: Settings) -> LinearModel:
    """Learn from the corpora of several domains.

    Raises:
        InputError: they have other features, or too few have a human score.
    """
    if len({each.features for each in parts}) != 1:
        raise InputError("the domains are scored by different metrics: score all of them by the same ones")
    values = np.concatenate([each.values for each in parts])
    human = np.concatenate([each.human for each in parts])
    standardise = settings.standardise
    alpha = settings.alpha
    if alpha is None:
        alpha = best_alpha(values, human, standardise=standardise)
    return fit_ridge(parts[0].features, values, human, alpha=alpha, standardise=standardise)


def corpora(domain: Domain, sentences: IntArray, settings: Settings, seed: int) -> Corpora:
    """The systems of a domain and the synthetic ones, on some of its sentences.

    Args:
        domain: judged systems.
        sentences: shape (m,), which sentences.
        settings: how systems are mixed.
        seed: of the mixing.

    Raises:
        InputError: they are too many to be held in memory.
    """
    origins, contains = _mixed(domain, sentences, settings, seed)
    table = feature_table(domain.statistics, origins, sentences)
    unjudged = ~np.isfinite(domain.human[sentences]).any(axis=0)
    human = np.where(contains[:, unjudged].any(axis=1), np.nan, _human(domain, origins, sentences))
    return Corpora(table.names, table.values, human, contains)


def held_out_scores(
    domains: Sequence[Domain],
    settings: Settings | None = None,
    *,
    splits: int = 10,
    share: float = 0.5,
    seed: int = 0,
    threads: int = 1,
    progress: Advance | None = None,
) -> dict[str, tuple[HeldOut, ...]]:
    """The learned metric and each rival on sentences that it has not seen, by domain.

    For each split the sentences of every domain are divided at random. The model learns from all domains'
    part, and is correlated with people over the systems and synthetic systems of each domain's rest.

    Args:
        domains: with the same metrics.
        settings: how systems are mixed and the regression is fitted.
        splits: how often the sentences are divided.
        share: of the sentences to learn from.
        seed: of the divisions and the mixing.
        threads: in which splits are computed; the numbers do not depend on it.
        progress: called with the number of splits finished.
    """
    settings = settings or Settings()

    def of_split(number: int) -> list[dict[str, dict[Coefficient, float]]]:
        known, rest = divide(domains, share, seed=seed, split=number)
        model = fitted(
            [corpora(*each, settings, seed + number) for each in zip(domains, known, strict=True)], settings
        )
        return [
            with_people(model, *each, settings, seed=seed + number)
            for each in zip(domains, rest, strict=True)
        ]

    of_splits = list(computed_folds(of_split, splits, threads=threads, progress=progress))
    return {
        domain.name: tuple(
            HeldOut(
                name,
                {each: tuple(split[place][name][each] for split in of_splits) for each in COEFFICIENTS},
            )
            for name in of_splits[0][place]
        )
        for place, domain in enumerate(domains)
    }


def with_people(
    model: LinearModel,
    domain: Domain,
    sentences: IntArray,
    settings: Settings,
    *,
    seed: int = 0,
) -> dict[str, dict[Coefficient, float]]:
    """Correlations with people over the systems and synthetic systems of a domain, on some sentences.

    Args:
        model: learned from other sentences.
        domain: with the metrics that the model learned from.
        sentences: shape (m,), which sentences.
        settings: how systems are mixed.
        seed: of the mixing.

    Returns:
        By metric, the learned one first, and by coefficient; NaN where one is undefined.
    """
    tested = corpora(domain, sentences, settings, seed)
    predicted = {LEARNED: model.predict(tested.values)}
    origins, _ = _mixed(domain, sentences, settings, seed)
    predicted |= {rival.name: _rival(rival, origins, sentences) for rival in domain.rivals}
    return {name: correlations(values, tested.human) for name, values in predicted.items()}


def correlations(metric: FloatArray, human: FloatArray) -> dict[Coefficient, float]:
    """Correlations of scores, shape (H,), with people over the corpora they scored; NaN if one has none."""
    judged = np.isfinite(human)
    metric, human = metric[judged].round(DIGITS), human[judged].round(DIGITS)
    if not np.isfinite(metric).all():
        return dict.fromkeys(COEFFICIENTS, np.nan)
    values = {each: correlation(metric, human, each).value for each in COEFFICIENTS}
    return {each: np.nan if value is None else value for each, value in values.items()}


def divide(
    domains: Sequence[Domain], share: float, *, seed: int, split: int
) -> tuple[list[IntArray], list[IntArray]]:
    """The judged sentences of each domain to learn from, and those to test on, all in their order.

    Raises:
        InputError: one of the parts would be empty.
    """
    parts: tuple[list[IntArray], list[IntArray]] = [], []
    for place, domain in enumerate(domains):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(split, place)))
        sentences = domain.judged
        known = round(share * len(sentences))
        if not 0 < known < len(sentences):
            raise InputError(
                f"at least two judged sentences are needed, to learn from and to test on, not "
                f"{len(sentences)} (rankings in which all outputs tie do not count)"
            )
        drawn = rng.permutation(sentences)
        parts[0].append(np.sort(drawn[:known]))
        parts[1].append(np.sort(drawn[known:]))
    return parts


def _mixed(
    domain: Domain, sentences: IntArray, settings: Settings, seed: int
) -> tuple[IntArray, NDArray[np.bool_]]:
    """Origins of the systems and of the synthetic ones, (S + H, n), and which systems they contain."""
    size, of = len(domain.systems), len(domain.human)
    hybrids = mixed_systems(
        size, sentences, of=of, percents=settings.percents, draws=settings.draws, seed=seed
    )
    single = np.repeat(np.arange(size)[:, None], of, axis=1)
    numbers = np.arange(size)
    mixed = (hybrids.first[:, None] == numbers) | (hybrids.second[:, None] == numbers)
    return np.concatenate([single, hybrids.origins]), np.concatenate([np.eye(size, dtype=bool), mixed])


def _human(domain: Domain, origins: IntArray, sentences: IntArray) -> FloatArray:
    """The mean of the sentences' human scores, shape (H,)."""
    scores = domain.human[sentences, origins[:, sentences]]
    numbers = np.isfinite(scores).sum(axis=1)
    return np.where(numbers > 0, np.nansum(scores, axis=1) / np.maximum(numbers, 1), np.nan)


def _rival(metric: MetricScores, origins: IntArray, sentences: IntArray) -> FloatArray:
    if metric.statistics is None:
        return np.full(len(origins), np.nan)
    scores: FloatArray = metric.statistics.scores(origins, sentences[None])[0]
    return scores
