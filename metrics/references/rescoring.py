"""Effect of further references on scores: F, P, R and rank of each system before and after."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.arrays import FloatArray
from metrics.base.evaluation_sets import EvaluationSet, InputError
from metrics.base.metric import AnyMetric, Rows
from metrics.base.resampling import sentence_draws
from metrics.base.scoring import Scored, score
from metrics.meta_evaluation.estimates import Estimate, estimated
from metrics.references.edits import Edits
from metrics.references.growing import GrownReference, with_references

COUNTS = ("TP", "FP", "FN")
NO_REFERENCE = "the sentence has no reference"


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one system against one set of references.

    Attributes:
        f: corpus score of the metric with its interval.
        precision: of its edits.
        recall: of the references' edits.
        tp: edits that a reference has.
        fp: edits that the chosen references lack.
        fn: edits of the chosen references that are lacking.
    """

    f: Estimate
    precision: Estimate
    recall: Estimate
    tp: float
    fp: float
    fn: float


@dataclass(frozen=True, slots=True)
class SystemChange:
    """One system before and after the references have grown.

    Attributes:
        system: its name.
        before: against the references of the corpus.
        after: against these and the grown references.
        without_own: F against these, without the grown references that the system itself produced.
        gain: how much higher F is after, with its interval over the same resampled sentences.
        rank_before: 1 is best; systems with equal F share the better rank.
        rank_after: the same after.
        rank_without_own: the same for all systems, each without its own references.
        own: number of grown references that the system produced.
    """

    system: str
    before: Figures
    after: Figures
    without_own: Figures
    gain: Estimate
    rank_before: int
    rank_after: int
    rank_without_own: int
    own: int


@dataclass(frozen=True, slots=True)
class GrownScores:
    """The systems before and after, the best after first.

    Attributes:
        signature_before: signature of the metric with the references of the corpus.
        signature_after: signature of the metric with the grown references too.
        systems: one for each.
    """

    signature_before: str
    signature_after: str
    systems: tuple[SystemChange, ...]


def grown_scores(
    metric: AnyMetric,
    data: EvaluationSet,
    grown: Sequence[GrownReference],
    outputs: Mapping[str, Sequence[str]],
    edits: Edits,
    *,
    replicates: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    progress: Callable[[int], None] = lambda systems: None,
) -> GrownScores:
    """Score systems against the references of a corpus, and against these with further ones.

    Sentences are resampled with replacement, the same for before and after; intervals are percentile
    intervals.

    Args:
        metric: one whose details have precision, recall and counts of edits: `m2` or `errant`.
        data: n sentences with their references.
        grown: the further references.
        outputs: by system, n texts.
        edits: gives the edits of the further references.
        replicates: number of resamples.
        confidence: confidence level of the intervals.
        seed: seed of the resamples.
        progress: called with the number of systems finished.

    Raises:
        InputError: the metric lacks what it needs, or has no precision and recall.
    """
    with_all = with_references(data, grown, edits)
    after = score(metric, with_all, outputs)
    places = _rows_of(with_all, grown)
    before = _without(after, [place for place, _ in places])
    changes: list[tuple[str, tuple[Figures, Figures, Figures], Estimate, int]] = []
    for name in outputs:
        own = [place for place, systems in places if name in systems]
        compared = (before, after, _without(after, own))
        drawn = [_drawn(each, name, replicates, seed) for each in compared]
        first, second, third = (
            _figures(each, name, values, confidence) for each, values in zip(compared, drawn, strict=True)
        )
        gain = estimated(
            _difference(second.f.value, first.f.value),
            drawn[1][:, 0] - drawn[0][:, 0],
            confidence,
            "one of the two has no value",
        )
        changes.append((name, (first, second, third), gain, len(own)))
        progress(1)
    ranks = [_ranks({name: figures[place].f.value for name, figures, _, _ in changes}) for place in range(3)]
    systems = [
        SystemChange(
            name,
            *figures,
            gain,
            rank_before=ranks[0][name],
            rank_after=ranks[1][name],
            rank_without_own=ranks[2][name],
            own=own_references,
        )
        for name, figures, gain, own_references in changes
    ]
    ordered = sorted(systems, key=lambda each: (each.rank_after, each.system))
    return GrownScores(metric.signature(data), after.signature, tuple(ordered))


def _rows_of(
    data: EvaluationSet, grown: Sequence[GrownReference]
) -> list[tuple[tuple[int, int], tuple[str, ...]]]:
    """Sentence, place among the references there, and systems of each grown reference.

    Grown references come last, in their order.
    """
    references = data.references if data.annotations is None else data.annotations
    sizes = [len(each) for each in references or ()]
    left = Counter(each.sentence for each in grown)
    places = []
    for each in grown:
        places.append(((each.sentence, sizes[each.sentence] - left[each.sentence]), each.systems))
        left[each.sentence] -= 1
    return places


def _without(scored: Scored, references: Iterable[tuple[int, int]]) -> Scored:
    """The scores without some references, given by sentence and place: their rows are dropped."""
    rows = scored.rows
    dropped: dict[int, set[int]] = {}
    for sentence, place in references:
        dropped.setdefault(sentence, set()).add(place)
    values, sizes = rows.values.copy(), rows.sizes.copy()
    for output in np.flatnonzero(np.isin(rows.sentences, list(dropped)) & (sizes > 0)).tolist():
        gone = dropped[int(rows.sentences[output])]
        kept = [place for place in range(int(sizes[output])) if place not in gone]
        values[output, : len(kept)] = rows.values[output, kept]
        values[output, len(kept) :] = 0
        sizes[output] = len(kept)
    reasons = {**scored.reasons}
    for output in np.flatnonzero((sizes == 0) & (rows.sizes > 0)).tolist():
        reasons[output] = NO_REFERENCE
    return replace(scored, rows=Rows(values, sizes, rows.sentences), reasons=reasons)


def _figures(scored: Scored, system: str, drawn: FloatArray, confidence: float) -> Figures:
    corpus = scored.corpus(system)
    values = (0.0, 0.0, 0.0) if corpus.value is None else _values(corpus.details)
    f = estimated(corpus.value, drawn[:, 0], confidence, corpus.reason)
    precision, recall = (
        estimated(corpus.details.get(name), drawn[:, place], confidence, corpus.reason)
        for place, name in ((1, "precision"), (2, "recall"))
    )
    return Figures(f, precision, recall, *values)


def _values(details: Mapping[str, float]) -> tuple[float, float, float]:
    """TP, FP and FN, from what M2 and ERRANT call them.

    Raises:
        InputError: the metric counts no edits.
    """
    if "proposed" in details:
        tp = details["correct"]
        return tp, details["proposed"] - tp, details["gold"] - tp
    try:
        tp, fp, fn = (details[name] for name in COUNTS)
    except KeyError as missing:
        raise InputError("the metric has no precision and recall of edits; use m2 or errant") from missing
    return tp, fp, fn


def _drawn(scored: Scored, system: str, replicates: int, seed: int) -> FloatArray:
    """F, precision and recall of resampled sentences, shape (replicates, 3)."""
    picks = scored.picks[system]
    rows = []
    for draws in sentence_draws(len(picks), range(replicates), seed):
        scores = scored.metric.corpus_scores(scored.rows, picks[draws])
        for value, draw in zip(scores.tolist(), draws, strict=True):
            details = scored.metric.details(scored.rows, picks[draw])
            rows.append((value, details.get("precision", np.nan), details.get("recall", np.nan)))
    return np.array(rows, dtype=float).reshape(-1, 3)


def _difference(after: float | None, before: float | None) -> float | None:
    return None if after is None or before is None else after - before


def _ranks(values: Mapping[str, float | None]) -> dict[str, int]:
    scores = [-np.inf if value is None else value for value in values.values()]
    return {name: 1 + sum(other > own for other in scores) for name, own in zip(values, scores, strict=True)}
