"""Which types of errors systems leave uncorrected, compared with people.

Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation for Grammatical Error Correction and
Text Simplification", section 3.4 and Table 6.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from core.later import stats
from metrics.base import FloatArray
from metrics.validation.estimates import Estimate, estimated

DRAWN_AT_ONCE = 200
FEWEST_TYPES = 3


@dataclass(frozen=True, slots=True)
class TypeRatio:
    """How often systems make edits of a type, compared with people.

    Attributes:
        type: of the edits.
        systems: mean number of such edits of a system.
        people: mean number of such edits of an annotator.
        ratio: systems over people; 1 if systems correct as much as people, less if they under-correct.
    """

    type: str
    systems: float
    people: float
    ratio: Estimate


@dataclass(frozen=True, slots=True)
class TypeRatios:
    """Edits of systems compared with those of people, by type.

    Attributes:
        types: by descending ratio; types that only systems make come last.
        frequency: Spearman correlation of the ratio with people's number of edits; None if undefined.
        p_value: of this correlation, two-sided; None if undefined.
    """

    types: tuple[TypeRatio, ...]
    frequency: float | None
    p_value: float | None


def type_ratios(
    systems: FloatArray,
    people: FloatArray,
    types: Sequence[str],
    *,
    confidence: float = 0.95,
    replicates: int = 1000,
    seed: int = 0,
    step: Callable[[], None] = lambda: None,
) -> TypeRatios:
    """Compare the edits of systems with those of people; intervals resample sentences.

    Args:
        systems: shape (n, T), number of edits by sentence and type, as a mean over systems.
        people: shape (n, T), the same over people.
        types: the T types.
        confidence: of the percentile intervals.
        replicates: number of resamples; 0 for no intervals.
        seed: of the resamples.
        step: called between resamples; it may stop the computation by raising an error.
    """
    drawn = _drawn_ratios(systems, people, replicates, seed, step)
    totals = systems.sum(axis=0), people.sum(axis=0)
    rows = [
        TypeRatio(
            name,
            float(of_systems),
            float(of_people),
            estimated(
                float(of_systems / of_people) if of_people else None,
                drawn[:, place],
                confidence,
                "people make no edit of this type",
            ),
        )
        for place, (name, of_systems, of_people) in enumerate(zip(types, *totals, strict=True))
        if of_systems or of_people
    ]
    rows.sort(key=lambda row: (row.ratio.value is None, -(row.ratio.value or 0.0), row.type))
    return TypeRatios(tuple(rows), *_with_frequency([row for row in rows if row.ratio.value is not None]))


def _drawn_ratios(
    systems: FloatArray, people: FloatArray, replicates: int, seed: int, step: Callable[[], None]
) -> FloatArray:
    """The ratios in resamples, shape (replicates, T); NaN where people make no such edit."""
    generator = np.random.default_rng(seed)
    sentences = len(systems)
    drawn = np.empty((replicates, systems.shape[1]))
    for start in range(0, replicates, DRAWN_AT_ONCE):
        size = min(DRAWN_AT_ONCE, replicates - start)
        times = np.empty((size, sentences))
        for replicate in range(size):
            times[replicate] = generator.multinomial(sentences, np.full(sentences, 1 / sentences))
            step()
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = (times @ systems) / (times @ people)
        drawn[start : start + size] = np.where(np.isfinite(ratios), ratios, np.nan)
    return drawn


def _with_frequency(rows: Sequence[TypeRatio]) -> tuple[float | None, float | None]:
    ratios = [row.ratio.value or 0.0 for row in rows]
    frequencies = [row.people for row in rows]
    if len(rows) < FEWEST_TYPES or len(set(ratios)) == 1 or len(set(frequencies)) == 1:
        return None, None
    correlation = stats.spearmanr(ratios, frequencies)
    return float(correlation.statistic), float(correlation.pvalue)
