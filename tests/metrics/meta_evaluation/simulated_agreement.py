"""Populations of judged sentences whose agreement between people and metrics is known, and samples of them.

A population is a list of sentences, each with its judgments and its scores by metrics. Samples are drawn with
replacement, so their true scores are those of the whole list.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from core.arrays import FloatArray, IntArray
from metrics.base.resampling import SIGNIFICANT
from metrics.meta_evaluation.intervals import AgreementIntervals, Measure, Resampled
from metrics.meta_evaluation.significance import bootstrap_tests
from metrics.meta_evaluation.system_level import accuracies
from ranking import Coefficient, replicate_coefficients
from ranking.models.expected_wins import mean_shares_won

MEASURES: dict[str, Measure] = {
    **{each.value: partial(replicate_coefficients, coefficient=each) for each in Coefficient},
    "accuracy": accuracies,
}


@dataclass(frozen=True, eq=False)
class Population:
    """N sentences with judgments of S systems, and their scores by K metrics.

    Attributes:
        wins: shape (N, S, S), how often the system of the row was judged better than that of the column.
        metrics: by name, statistics of shape (N, S, k) and the function from their sums to scores.
    """

    wins: FloatArray
    metrics: Mapping[str, tuple[FloatArray, Callable[[FloatArray], FloatArray]]]

    def scores(self, draws: IntArray) -> FloatArray:
        """Scores by people (ExpectedWins) and each metric, shape (1 + K, B, S), of draws (B, m)."""
        sentences, size = self.wins.shape[:2]
        weights = np.stack([np.bincount(draw, minlength=sentences) for draw in draws]).astype(np.float32)

        def sums(values: FloatArray) -> FloatArray:
            flat = values.reshape(sentences, -1).astype(np.float32)
            return (weights @ flat).reshape(len(draws), size, -1).astype(np.float64)

        by_metrics = [of_sums(sums(statistics)) for statistics, of_sums in self.metrics.values()]
        return np.stack([mean_shares_won(sums(self.wins)), *by_metrics])

    @cached_property
    def true(self) -> FloatArray:
        """The scores of the whole population, shape (1 + K, S)."""
        return self.scores(np.arange(len(self.wins))[None])[:, 0]

    def samples(self, sentences: int, number: int, replicates: int, seed: int) -> Iterator[FloatArray]:
        """Scores of samples and their bootstraps, shape (1 + K, 1 + B, S), the sample itself first."""
        rng = np.random.default_rng(seed)
        for _ in range(number):
            sample = rng.integers(len(self.wins), size=sentences)
            drawn = sample[rng.integers(sentences, size=(replicates, sentences))]
            yield self.scores(np.concatenate([sample[None], drawn]))


def means(sums: FloatArray) -> FloatArray:
    """Scores of a metric whose statistics are a score and 1."""
    return np.asarray(sums[..., 0] / sums[..., 1])


def synthetic(
    systems: int,
    correlations: Sequence[float],
    *,
    spread: float,
    judgments: int,
    seed: int,
    sentences: int = 1500,
    noise: float = 0.9,
    below: float = 0.0,
) -> Population:
    """Systems of normal quality, judged five at a time, and a metric of each of these true correlations.

    The quality of an output varies around that of its system with a standard deviation of 1, judges err with
    another 1, and do not tell outputs apart that seem closer than 0.5.

    Args:
        systems: how many.
        correlations: of the mean scores of a metric with the quality of systems.
        spread: standard deviation of the quality of systems: .1 is close together, 1 far apart.
        judgments: of each sentence.
        seed: of everything.
        sentences: of the population.
        noise: standard deviation of a metric's errors in a sentence.
        below: how far one system is below the others, in standard deviations of these.
    """
    rng = np.random.default_rng(seed)
    normal = rng.normal(size=systems)
    normal[0] -= below
    standard = _standard(normal)
    quality = spread * standard + rng.normal(size=(sentences, systems))
    wins = _wins(quality, judgments, rng)
    metrics = {}
    for correlation in correlations:
        other = rng.normal(size=systems)
        other = _standard(other - standard * (other @ standard) / systems)
        mean = correlation * standard + np.sqrt(1 - correlation**2) * other
        scores = spread * mean + 0.5 * (quality - spread * standard) + noise * rng.normal(size=quality.shape)
        metrics[f"r {correlation:g}"] = (np.stack([scores, np.ones_like(scores)], axis=2), means)
    return Population(wins, metrics)


@dataclass(frozen=True, eq=False)
class EqualMetrics:
    """Two metrics that agree equally well with people by every measure, and samples of judgments and scores.

    The qualities of the systems are symmetric around 0, and the mean scores of the second metric are those of
    the first, mirrored. With `lead`, the second metric correlates less by it.

    Attributes:
        systems: how many.
        spread: standard deviation of the quality of systems.
        judgments: of each sentence.
        correlation: of the first metric with the quality of systems.
        noise: standard deviation of the errors of both metrics in a sentence.
        lead: how much less the second metric correlates.
    """

    systems: int
    spread: float
    judgments: int
    correlation: float
    noise: tuple[float, float] = (0.9, 0.9)
    lead: float = 0.0

    def sample(self, sentences: int, rng: np.random.Generator) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Wins, shape (n, S, S), and scores of both metrics, shape (n, S); of other systems each time."""
        half = rng.normal(size=self.systems)
        standard = _standard(np.sort(half) - np.sort(half)[::-1])
        other = rng.normal(size=self.systems)
        other = _standard(other - standard * (other @ standard) / self.systems)
        first, second = (
            r * standard + np.sqrt(1 - r**2) * along
            for r, along in (
                (self.correlation, other),
                (self.correlation - self.lead, -other[::-1]),
            )
        )
        quality = self.spread * standard + rng.normal(size=(sentences, self.systems))
        wins = _wins(quality, self.judgments, rng)
        scores = [
            self.spread * mean
            + 0.5 * (quality - self.spread * standard)
            + noise * rng.normal(size=quality.shape)
            for mean, noise in zip((first, second), self.noise, strict=True)
        ]
        return wins, scores[0], scores[1]

    def claims(self, sentences: int, *, samples: int, seed: int, replicates: int = 200) -> tuple[int, int]:
        """Of samples with a test, how many say that one metric is better; and how many have a test."""
        rng = np.random.default_rng(seed)
        claimed = tested = 0
        for _ in range(samples):
            wins, *by_metrics = self.sample(sentences, rng)
            metrics = {
                name: (np.stack([scores, np.ones_like(scores)], axis=2), means)
                for name, scores in zip("ab", by_metrics, strict=True)
            }
            drawn = rng.integers(sentences, size=(replicates, sentences))
            scores = Population(wins, metrics).scores(np.concatenate([np.arange(sentences)[None], drawn]))
            both = [Resampled(scores[0, 0], each[0], scores[0, 1:], each[1:]) for each in scores[1:]]
            if any(each.reason for each in both):
                continue
            corrected = dict(zip("ab", (each.corrected() for each in both), strict=True))
            tests = bootstrap_tests(corrected, "ab")
            tested += 1
            claimed += min(p for row in tests.holm for p in row if p is not None) <= SIGNIFICANT
        return claimed, tested


@dataclass(frozen=True)
class Coverage:
    """How often intervals hold the truth.

    Attributes:
        printed: the number of samples with an interval.
        samples: the number of all samples.
        held: by measure, the number of printed intervals that hold the true value.
        percentile_held: the number of all samples whose percentile interval over resamples holds the true r.
        mean_width: of the printed intervals of r.
        reliability: the median share of the variance of people's scores that is not error.
    """

    printed: int
    samples: int
    held: dict[str, int]
    percentile_held: int
    mean_width: float
    reliability: float

    def share(self, measure: str) -> float:
        """The share of printed intervals that hold the agreement of the population."""
        return self.held[measure] / max(self.printed, 1)


def coverage(
    population: Population, sentences: int, *, samples: int, seed: int, replicates: int = 200
) -> dict[str, Coverage]:
    """By metric, how often 95 % intervals of samples of so many sentences hold the population's agreement."""
    names = list(population.metrics)
    true = {
        name: {
            each: float(of(population.true[:1], population.true[[place]])[0]) for each, of in MEASURES.items()
        }
        for place, name in enumerate(names, start=1)
    }
    held = {name: dict.fromkeys(MEASURES, 0) for name in names}
    widths: dict[str, list[float]] = {name: [] for name in names}
    percentile = dict.fromkeys(names, 0)
    reliabilities: dict[str, list[float]] = {name: [] for name in names}
    for number, scores in enumerate(population.samples(sentences, samples, replicates, seed)):
        for place, name in enumerate(names, start=1):
            resampled = Resampled(scores[0, 0], scores[place, 0], scores[0, 1:], scores[place, 1:])
            intervals = AgreementIntervals(resampled, confidence=0.95, seed=number)
            low, high = np.nanquantile(MEASURES["pearson"](*resampled.replicates), [0.025, 0.975])
            percentile[name] += low <= true[name]["pearson"] <= high
            if resampled.reliability is not None:
                reliabilities[name].append(resampled.reliability[0])
            for measure, of in MEASURES.items():
                estimate = intervals.of(0.0, of, by_order=measure != "pearson")
                if estimate.low is None or estimate.high is None:
                    continue
                # Accuracies and taus are sums of the same fractions up to rounding.
                held[name][measure] += estimate.low - 1e-9 <= true[name][measure] <= estimate.high + 1e-9
                if measure == "pearson":
                    widths[name].append(estimate.high - estimate.low)
    return {
        name: Coverage(
            len(widths[name]),
            samples,
            held[name],
            int(percentile[name]),
            float(np.mean(widths[name])) if widths[name] else float("nan"),
            float(np.median(reliabilities[name])),
        )
        for name in names
    }


def _wins(quality: FloatArray, judgments: int, rng: np.random.Generator) -> FloatArray:
    """Wins among outputs of this quality, shape (n, S), judged five at a time: shape (n, S, S)."""
    wins = np.zeros((*quality.shape, quality.shape[1]))
    for _ in range(judgments):
        seen = quality + rng.normal(size=quality.shape)
        shown = np.argsort(rng.random(quality.shape), axis=1) < 5
        wins += (seen[:, :, None] - seen[:, None] > 0.5) & shown[:, :, None] & shown[:, None]
    return wins


def _standard(values: FloatArray) -> FloatArray:
    centred = values - values.mean()
    return np.asarray(centred / centred.std())
