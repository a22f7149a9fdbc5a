"""Uncertainty of corpus scores: bootstrap intervals over sentences, and tests between two systems.

All of it works on the statistics of `Scored`; no text is read again. Replicates are numbered and drawn in
chunks of fixed size, each from a generator of its own, so a seed gives the same numbers for any number of
workers.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.arrays import FloatArray, IntArray
from core.progress import Advance
from metrics.base.scoring import Scored

REPLICATES_PER_CHUNK = 50
"""Replicates that share a random generator. Part of what a seed means: another number, other replicates."""

SIGNIFICANT = 0.05
"""Systems and metrics whose test has a higher p-value are not told apart."""

SMALLEST_DIFFERENCE = 1e-12
"""Differences of scores closer than this are equal: they differ by rounding only."""


FEWEST_SENTENCES = 20
"""Fewest sentences for tests by resampling them: those of fewer vary so little that chance looks clear."""


def replicates_of(sentences: int, replicates: int) -> int:
    """How many replicates tests draw of this many sentences: none of fewer than `FEWEST_SENTENCES`."""
    return replicates if sentences >= FEWEST_SENTENCES else 0


D = TypeVar("D", bound=np.generic)
Draw = Callable[[np.random.Generator, int], NDArray[D]]


@dataclass(frozen=True, slots=True)
class ScoreInterval:
    """A percentile bootstrap interval.

    Attributes:
        low: lower end; None where the score is undefined in some replicate.
        high: upper end.
        confidence: share of replicates inside.
    """

    low: float | None
    high: float | None
    confidence: float


@dataclass(frozen=True, slots=True)
class DifferenceTest:
    """Two systems under one metric.

    Attributes:
        difference: score of the first system minus that of the second; None where one has no score.
        p_value: two-sided; None where the difference is.
        replicates: how many were drawn.
    """

    difference: float | None
    p_value: float | None
    replicates: int


def bootstrap_scores(
    scored: Scored,
    systems: Sequence[str],
    replicates: range,
    seed: int,
    *,
    progress: Advance | None = None,
) -> FloatArray:
    """Corpus scores of resampled sentences, shape (replicates, systems).

    Sentences are drawn with replacement, the same for all systems. Replicate r is the same in any
    range. `progress` gets the number of replicates finished.
    """
    picks = [scored.picks[system] for system in systems]
    if not scored.rows.sizes.any():
        return np.full((len(replicates), len(systems)), np.nan)
    blocks = []
    for draws in sentence_draws(len(picks[0]), replicates, seed):
        scores = [scored.metric.corpus_scores(scored.rows, each[draws]) for each in picks]
        blocks.append(np.stack(scores, axis=1))
        if progress is not None:
            progress(len(draws))
    return np.concatenate(blocks) if blocks else np.empty((0, len(systems)))


def sentence_draws(sentences: int, replicates: range, seed: int) -> Iterator[IntArray]:
    """Numbers of sentences drawn with replacement, as many as there are, in blocks of shape (B, sentences).

    Replicate r is the same in any range.
    """
    return _chunks(sentences, replicates, seed, _draw_sentences)


def resampled_means(values: FloatArray, replicates: int, seed: int) -> FloatArray:
    """Means of values of sentences, shape (n,), in resamples of these, shape (replicates,)."""
    blocks = sentence_draws(len(values), range(replicates), seed)
    return np.concatenate([values[draws].mean(axis=1) for draws in blocks])


def bootstrap_intervals(
    scored: Scored,
    replicates: int,
    seed: int,
    *,
    confidence: float = 0.95,
    progress: Advance | None = None,
) -> dict[str, ScoreInterval]:
    """A percentile interval for each system (Efron and Tibshirani 1993, chapter 13)."""
    systems = tuple(scored.picks)
    scores = bootstrap_scores(scored, systems, range(replicates), seed, progress=progress)
    return dict(zip(systems, percentile_intervals(scores, confidence), strict=True))


def percentile_intervals(scores: FloatArray, confidence: float) -> list[ScoreInterval]:
    """The interval of each column of replicates, shape (replicates, systems)."""
    tail = (1 - confidence) / 2
    bounds = np.quantile(scores, [tail, 1 - tail], axis=0)
    return [
        ScoreInterval(None, None, confidence)
        if np.isnan(low + high)
        else ScoreInterval(low, high, confidence)
        for low, high in bounds.T.tolist()
    ]


def paired_bootstrap(
    scored: Scored,
    first: str,
    second: str,
    replicates: int,
    seed: int,
    *,
    progress: Advance | None = None,
) -> DifferenceTest:
    """Test two systems on the same resampled sentences (Koehn 2004, in the two-sided form of sacreBLEU).

    The p-value is (b + 1) / (B + 1), b the number of the B replicates whose difference lies at least as far
    from the mean difference as the observed difference lies from 0 (Riezler and Maxwell 2005).
    """
    difference = _difference(scored, first, second)
    if difference is None:
        return DifferenceTest(None, None, replicates)
    scores = bootstrap_scores(scored, (first, second), range(replicates), seed, progress=progress)
    return paired_test(difference, scores[:, 0] - scores[:, 1])


def paired_test(difference: float, resampled: FloatArray) -> DifferenceTest:
    """The test of `paired_bootstrap`, from differences of two systems in resamples, shape (replicates,)."""
    return _compared(difference, resampled - resampled.mean())


def approximate_randomisation(
    scored: Scored,
    first: str,
    second: str,
    replicates: int,
    seed: int,
    *,
    progress: Advance | None = None,
) -> DifferenceTest:
    """Test two systems by swapping their outputs at random (Noreen 1989; Riezler and Maxwell 2005).

    Each sentence's outputs are swapped with probability 1/2. The p-value is (b + 1) / (B + 1), b the number
    of the B replicates whose absolute difference is at least the observed one.
    """
    difference = _difference(scored, first, second)
    if difference is None:
        return DifferenceTest(None, None, replicates)
    one, other = scored.picks[first], scored.picks[second]
    corpus_scores = scored.metric.corpus_scores
    differences = []
    for swaps in _chunks(len(one), range(replicates), seed, _draw_swaps):
        swapped = corpus_scores(scored.rows, np.where(swaps, other, one))
        differences.append(swapped - corpus_scores(scored.rows, np.where(swaps, one, other)))
        if progress is not None:
            progress(len(swaps))
    return _compared(difference, np.concatenate(differences))


def compare_with_best(
    scored: Scored, replicates: int, seed: int, *, progress: Advance | None = None
) -> tuple[str, Mapping[str, DifferenceTest]]:
    """The system with the highest score, and the paired bootstrap of each other one against it."""
    scores = {system: scored.corpus(system).value for system in scored.picks}
    defined = {system: value for system, value in scores.items() if value is not None}
    best = max(defined or scores, key=lambda system: defined.get(system, 0.0))
    others = [system for system in scores if system != best]
    return best, {
        system: paired_bootstrap(scored, best, system, replicates, seed, progress=progress)
        for system in others
    }


def _draw_sentences(rng: np.random.Generator, sentences: int) -> IntArray:
    return rng.integers(sentences, size=(REPLICATES_PER_CHUNK, sentences))


def _draw_swaps(rng: np.random.Generator, sentences: int) -> NDArray[np.bool_]:
    return rng.random((REPLICATES_PER_CHUNK, sentences)) < 0.5


def _chunks(sentences: int, replicates: range, seed: int, draw: Draw[D]) -> Iterator[NDArray[D]]:
    first = replicates.start // REPLICATES_PER_CHUNK
    for chunk in range(first, -(-replicates.stop // REPLICATES_PER_CHUNK)):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(chunk,)))
        begin = chunk * REPLICATES_PER_CHUNK
        yield draw(rng, sentences)[max(replicates.start - begin, 0) : replicates.stop - begin]


def _difference(scored: Scored, first: str, second: str) -> float | None:
    one, other = scored.corpus(first).value, scored.corpus(second).value
    return None if one is None or other is None else one - other


def _compared(difference: float, differences: FloatArray) -> DifferenceTest:
    """`differences` if the systems were equal; NaN counts as extreme, so the p-value is not too low."""
    extreme = ~(np.abs(differences) < abs(difference) - SMALLEST_DIFFERENCE)
    p_value = (int(extreme.sum()) + 1) / (len(differences) + 1)
    return DifferenceTest(difference, p_value, len(differences))
