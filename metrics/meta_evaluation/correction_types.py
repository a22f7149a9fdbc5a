"""Which types of errors systems leave uncorrected, compared with people.

Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation for Grammatical Error Correction and
Text Simplification", section 3.4 and Table 6.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray, IntArray
from core.later import stats
from core.progress import Advance
from metrics.base.evaluation_sets import EvaluationSet
from metrics.base.metric import Rows
from metrics.base.scoring import Scored, score
from metrics.edits.errant_types import CATEGORIES
from metrics.errant import Errant, ErrantParameters
from metrics.meta_evaluation.estimates import Estimate, estimated

DRAWN_AT_ONCE = 20
FEWEST_TYPES = 3
NONE_BY_PEOPLE = "people make no edit of this type"


@dataclass(frozen=True, slots=True)
class TypeRatio:
    """How often systems make edits of a type, compared with people.

    Attributes:
        type: of the edits, without operation.
        systems: mean number of such edits of a system.
        people: mean number of such edits of the references that a system is compared with.
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


@dataclass(frozen=True, slots=True, eq=False)
class TypeCounts:
    """Edits by the T types of `CATEGORIES`, of the whole set and of resamples of its sentences.

    Attributes:
        systems: shape (1 + B, T), mean number of edits of a system: TP + FP. The first row is the whole set.
        people: shape (1 + B, T), mean number of edits of the chosen references: TP + FN.
    """

    systems: FloatArray
    people: FloatArray


def type_counts(
    data: EvaluationSet,
    outputs: Mapping[str, Sequence[str | None]],
    *,
    replicates: int = 1000,
    seed: int = 0,
    progress: Advance | None = None,
) -> TypeCounts:
    """Count edits as ERRANT compares them: each output with the reference that it chooses for it.

    An edit that an output shares with its reference has the reference's type. Resamples choose anew.

    Args:
        data: n sentences with their references and a parser; sentences without a reference do not count.
        outputs: by system, n texts; None for a sentence that it has not corrected.
        replicates: number of resamples; 0 for none.
        seed: of the resamples.
        progress: called with the number of outputs finished, of n for each system, and with 0 between
            resamples; it may stop the computation by raising an error.
    """
    counts = np.zeros((3, 1 + replicates, len(CATEGORIES)))
    for name, texts in outputs.items():
        _add_system(counts, data, name, texts, seed, progress)
    tp, fp, fn = counts / max(len(outputs), 1)
    return TypeCounts(tp + fp, tp + fn)


def _add_system(
    counts: FloatArray,
    data: EvaluationSet,
    name: str,
    texts: Sequence[str | None],
    seed: int,
    progress: Advance | None,
) -> None:
    """Add the counts of a system, whose rows are gone before the next one needs as much memory."""
    metric = Errant(ErrantParameters())
    sentences, samples = len(data.sources), counts.shape[1]
    present = [source if text is None else text for source, text in zip(data.sources, texts, strict=True)]
    scored = score(metric, data, {name: present}, progress=progress)
    rows, picks = _without(scored, name, np.array([text is None for text in texts]))
    del scored
    counts[:, :1] += _by_category(metric, rows, picks[None])
    rng = np.random.default_rng(seed)  # Draws anew what would take gigabytes to keep.
    for start in range(1, samples, DRAWN_AT_ONCE):
        part = slice(start, min(start + DRAWN_AT_ONCE, samples))
        draws = rng.integers(sentences, size=(part.stop - start, sentences), dtype=np.int32)
        counts[:, part] += _by_category(metric, rows, picks[draws])
        if progress is not None:
            progress(0)


def _without(scored: Scored, system: str, missing: np.typing.NDArray[np.bool_]) -> tuple[Rows, IntArray]:
    """The rows and picks of a system, where missing outputs are a further one without rows."""
    rows = scored.rows
    if not missing.any():
        return rows, scored.picks[system]
    return (
        Rows(
            np.concatenate([rows.values, np.zeros((1, *rows.values.shape[1:]))]),
            np.append(rows.sizes, 0),
            np.append(rows.sentences, 0),
        ),
        np.where(missing, len(rows.sizes), scored.picks[system]),
    )


def _by_category(metric: Errant, rows: Rows, picks: IntArray) -> FloatArray:
    """TP, FP and FN of each category, shape (3, B, T)."""
    totals, _ = metric.totals(rows, picks)
    by_category = metric.counts_by_category(totals)
    return np.stack([by_category[name] for name in CATEGORIES], axis=2).swapaxes(0, 1)


def type_ratios(counts: TypeCounts, *, confidence: float = 0.95) -> TypeRatios:
    """Compare the edits of systems with those of people.

    Args:
        counts: of `type_counts`.
        confidence: of the percentile intervals.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(counts.people > 0, counts.systems / counts.people, np.nan)
    rows = []
    for place, name in enumerate(CATEGORIES):
        of_systems, of_people = float(counts.systems[0, place]), float(counts.people[0, place])
        if of_systems or of_people:
            value = float(ratios[0, place]) if of_people else None
            ratio = estimated(value, ratios[1:, place], confidence, NONE_BY_PEOPLE)
            rows.append(TypeRatio(name, of_systems, of_people, ratio))
    rows.sort(key=lambda row: (row.ratio.value is None, -(row.ratio.value or 0.0), row.type))
    return TypeRatios(tuple(rows), *_with_frequency([row for row in rows if row.ratio.value is not None]))


def _with_frequency(rows: Sequence[TypeRatio]) -> tuple[float | None, float | None]:
    ratios = [row.ratio.value or 0.0 for row in rows]
    frequencies = [row.people for row in rows]
    if len(rows) < FEWEST_TYPES or len(set(ratios)) == 1 or len(set(frequencies)) == 1:
        return None, None
    correlation = stats.spearmanr(ratios, frequencies)
    return float(correlation.statistic), float(correlation.pvalue)
