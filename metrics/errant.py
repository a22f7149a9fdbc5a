"""ERRANT: F of the edits of an output, extracted and typed by rules (Bryant, Felice and Briscoe 2017)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray, IntArray
from core.parameters import parameter
from metrics.base.evaluation_sets import EvaluationSet, GoldEdit
from metrics.base.metric import Rows
from metrics.base.scoring import Scored
from metrics.edits.edit_columns import COUNTS
from metrics.edits.edit_metric import EditMetric, Reader
from metrics.edits.edit_sources import Correction, EditSource, gold_parameter
from metrics.edits.errant_types import CATEGORIES, DETECTED_ONLY, PLACES, category, operation, place_of

LEVELS = ("correction", "classification", "span-detection", "token-detection")
AVERAGES = ("overall", "categories")

TIERS: Mapping[str, Callable[[str], str]] = {
    "operation": operation,
    "category": category,
    "type": lambda kind: kind,
}
"""Granularity of edit types: 4 operations, 24 categories with "UNK", 55 types."""

Keys = dict[tuple[object, ...], list[str]]


@dataclass(frozen=True, slots=True)
class ErrantParameters:
    """Options of ERRANT's comparison, and GMEG's mean over categories."""

    beta: float = parameter(
        0.5,
        label="Beta",
        help="Weight of recall against precision in F.",
        minimum=0,
        maximum=100,
        changes_statistics=False,
    )
    level: str = parameter(
        "correction",
        label="Level",
        help="What must match: span and correction, these and the type (classification), "
        "the span alone, or each of its tokens.",
        choices=LEVELS,
    )
    average: str = parameter(
        "overall",
        label="Average",
        help="F of all edits, or the mean of F over the error categories that occur, as in GMEG.",
        choices=AVERAGES,
        changes_statistics=False,
    )
    gold: str = gold_parameter()


@dataclass(frozen=True, slots=True)
class TypeScore:
    """Counts of edits of one type, or of several types together.

    Attributes:
        tp: edits that match, by the reference's type.
        fp: edits of the output without a match.
        fn: edits of the reference without a match.
        precision: 1 without fp.
        recall: 1 without fn.
        f: F of both.
    """

    tp: int
    fp: int
    fn: int
    precision: float
    recall: float
    f: float


class Errant(EditMetric[ErrantParameters]):
    """ERRANT's F, equal to the package `errant`.

    A row for each reference holds `COUNTS` (TN is not counted), and TP, FP and FN by type.
    """

    name = "errant"
    label = "ERRANT"
    summary = "F of typed edits, extracted from English texts by rules."
    perfect = 1.0
    Parameters = ErrantParameters

    def reader(self, data: EvaluationSet, source: EditSource) -> Reader:
        """Rows of shape (references, 5 + 3 · 56)."""
        level = self.parameters.level

        def rows(sentence: int, output: Correction, references: Sequence[Correction]) -> FloatArray:
            proposed = _keys(output.edits, level)
            return np.array([_row(proposed, _keys(each.edits, level)) for each in references])

        return rows

    def choose(self, values: FloatArray, sizes: IntArray, picks: IntArray) -> tuple[FloatArray, IntArray]:
        """Choose by the F of all edits so far."""
        from metrics.edits.cumulative_choice import choose_by_f

        return choose_by_f(values, sizes, picks, float(self.parameters.beta**2))

    def sentence_scores(self, rows: Rows) -> FloatArray:
        """The score against the reference that gives the highest F of all edits."""
        return self.corpus_scores(rows, np.arange(len(rows.sizes))[:, None])

    def corpus_scores(self, rows: Rows, picks: IntArray) -> FloatArray:
        """F with references chosen in order; the mean over categories uses the same references."""
        if self.parameters.average == "categories":
            return self._mean_over_categories(self.totals(rows, picks)[0])
        # Counts by type, 168 of 173 columns, would only be summed.
        counts = Rows(np.ascontiguousarray(rows.values[:, :, : len(COUNTS)]), rows.sizes, rows.sentences)
        totals, _ = self.totals(counts, picks)
        return _f(totals[:, 0], totals[:, 1], totals[:, 2], self.parameters.beta)

    def details(self, rows: Rows, picks: IntArray) -> Mapping[str, float]:
        """Precision, recall, counts, all by operation, category and type, and choices of references."""
        totals, chosen = self.totals(rows, picks[None])
        overall = _type_score(totals[0, :3], self.parameters.beta)
        figures = {
            "precision": overall.precision,
            "recall": overall.recall,
            "TP": overall.tp,
            "FP": overall.fp,
            "FN": overall.fn,
            "F of all edits": overall.f,
            "mean F of categories": float(self._mean_over_categories(totals)[0]),
        }
        for tier in TIERS:
            for kind, score in _by_type(totals[0], tier, self.parameters.beta).items():
                figures |= {
                    f"TP of {tier} {kind}": score.tp,
                    f"FP of {tier} {kind}": score.fp,
                    f"FN of {tier} {kind}": score.fn,
                    f"F of {tier} {kind}": score.f,
                }
        for place, times in enumerate(chosen[0].tolist()):
            figures[f"sentences by reference {place}"] = times
        return figures

    def counts_by_category(self, totals: FloatArray) -> dict[str, FloatArray]:
        """TP, FP and FN of each of the 24 categories, shape (B, 3), of totals of shape (B, K)."""
        by_type = _counts_by_type(totals)
        return {
            name: by_type[:, :, _places(kinds)].sum(axis=2)
            for name, kinds in _groups("category").items()
            if name in CATEGORIES
        }

    def _mean_over_categories(self, totals: FloatArray) -> FloatArray:
        """Mean of F over the categories with an edit, shape (B,); 1 without any."""
        groups = [_places(kinds) for name, kinds in _groups("category").items() if name != DETECTED_ONLY]
        sums = np.stack([_counts_by_type(totals)[:, :, places].sum(axis=2) for places in groups], axis=2)
        occur = sums.sum(axis=1) > 0
        scores = _f(sums[:, 0], sums[:, 1], sums[:, 2], self.parameters.beta)
        number = occur.sum(axis=1)
        mean = np.where(occur, scores, 0).sum(axis=1) / np.maximum(number, 1)
        return np.where(number > 0, mean, 1.0)


def scores_by_type(scored: Scored, system: str, tier: str) -> dict[str, TypeScore]:
    """Counts and scores of a system by type, without types that have no edit.

    Args:
        scored: result of `score` for the metric `errant`.
        system: name of the system.
        tier: one of `TIERS`: "operation" (4 of them), "category" (24) or "type" (55). "UNK" has counts only
            for detection, and "other" counts types that are not ERRANT's.
    """
    metric = scored.metric
    if not isinstance(metric, Errant):
        raise TypeError(f"{metric.name} does not score edits by type")
    totals, _ = metric.totals(scored.rows, scored.picks[system][None])
    return _by_type(totals[0], tier, metric.parameters.beta)


def _keys(edits: Iterable[GoldEdit], level: str) -> Keys:
    """The part of each edit that must match, with the types of the edits that share it."""
    keys: Keys = {}
    detection = level.endswith("detection")
    for edit in edits:
        if edit.kind == DETECTED_ONLY and not detection:
            continue
        for key in _keys_of(edit, level):
            keys.setdefault(key, []).append(edit.kind)
    return keys


def _keys_of(edit: GoldEdit, level: str) -> list[tuple[object, ...]]:
    match level:
        case "correction":
            return [(edit.start, edit.end, edit.corrections[0])]
        case "classification":
            return [(edit.start, edit.end, edit.kind, edit.corrections[0])]
        case "span-detection":
            return [(edit.start, edit.end)]
        case _:
            # An insertion concerns the token on its right.
            return [(token,) for token in range(edit.start, max(edit.end, edit.start + 1))]


def _row(proposed: Keys, gold: Keys) -> FloatArray:
    row = np.zeros(len(COUNTS) + 3 * len(PLACES))
    by_type = row[len(COUNTS) :].reshape(3, -1)
    for key, kinds in proposed.items():
        part, kinds = (0, gold[key]) if key in gold else (1, kinds)
        for kind in kinds:
            by_type[part, place_of(kind)] += 1
    for key, kinds in gold.items():
        if key not in proposed:
            for kind in kinds:
                by_type[2, place_of(kind)] += 1
    row[:3] = by_type.sum(axis=1)
    return row


def _counts_by_type(totals: FloatArray) -> FloatArray:
    """TP, FP and FN by type, shape (B, 3, 56), of totals of shape (B, K)."""
    return totals[:, len(COUNTS) :].reshape(len(totals), 3, -1)


def _by_type(totals: FloatArray, tier: str, beta: float) -> dict[str, TypeScore]:
    counts = _counts_by_type(totals[None])[0]
    sums = {name: counts[:, _places(kinds)].sum(axis=1) for name, kinds in _groups(tier).items()}
    return {name: _type_score(each, beta) for name, each in sorted(sums.items()) if each.any()}


def _groups(tier: str) -> dict[str, list[str]]:
    """Types by their name in a tier."""
    groups: dict[str, list[str]] = {}
    for kind in PLACES:
        groups.setdefault(TIERS[tier](kind), []).append(kind)
    return groups


def _places(kinds: Iterable[str]) -> list[int]:
    return [PLACES[kind] for kind in kinds]


def _type_score(counts: FloatArray, beta: float) -> TypeScore:
    tp, fp, fn = counts.tolist()
    return TypeScore(
        int(tp),
        int(fp),
        int(fn),
        tp / (tp + fp) if fp else 1.0,
        tp / (tp + fn) if fn else 1.0,
        float(_f(counts[0], counts[1], counts[2], beta)),
    )


def _f(tp: FloatArray, fp: FloatArray, fn: FloatArray, beta: float) -> FloatArray:
    """F; precision is 1 without FP, recall 1 without FN, as in ERRANT."""
    square = beta * beta
    precision = np.where(fp > 0, tp / np.maximum(tp + fp, 1), 1.0)
    recall = np.where(fn > 0, tp / np.maximum(tp + fn, 1), 1.0)
    load = square * precision + recall
    return np.where(load > 0, (1 + square) * precision * recall / np.where(load > 0, load, 1), 0.0)
