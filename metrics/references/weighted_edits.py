"""Precision of edits in which people's verdicts weigh the edits that references lack.

Reference-based precision counts each edit outside the references as wrong, although people accept many of
them (Choshen and Abend 2018, "Inherent Biases in Reference-based Evaluation"). Here an edit weighs

- 1 if a reference of its sentence has it;
- else, if people accepted or rejected it, the share of these verdicts that accept it;
- else (a + m p) / (n + m), where n edits of its type outside the references were judged, a is the sum of
  their shares, p the share of all types together, and m the `prior`: a type with few judged edits has about
  the share of all types (the mean of a beta distribution, whose prior has the mean p and weighs m edits).

Weighted precision is the sum of weights divided by the number of edits. Recall stays that of the references:
nobody judged what a system did not change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray, IntArray
from core.later import pd, stats
from core.progress import Advance
from formats.text.edit_spans import SpanEdit
from metrics.base.resampling import sentence_draws
from metrics.edits.edit_columns import COUNTS, FN, FP, TP
from metrics.meta_evaluation import Estimate
from metrics.meta_evaluation.estimates import estimated
from ranking.judgments.edit_verdicts import with_operations

BETA = 0.5

PLACE = ("sentence", "output", "start", "end")
"""Columns that tell an edit of an output."""

EDITS = (*PLACE, "type", "edit", "covered")
MATCHES = ("sentence", "output", "reference", "tp", "fp", "fn")
PRODUCED = ("sentence", "output", "system")

NOT_JUDGED = "nobody has accepted or rejected an edit that the references lack"


@dataclass(frozen=True, slots=True, eq=False)
class MadeEdits:
    """The edits of systems in sentences with references. Sentences and outputs are named as in a snapshot.

    Attributes:
        edits: a row for each edit of an output: `sentence`, `output`, `start`, `end`, `type` (or one of
            `ranking.judgments.edit_verdicts.OPERATIONS`), `edit`, a number that equal edits of a sentence
            share, as they do their type, and `covered`, whether a reference has it.
        matches: a row for each output and each reference of its sentence: `sentence`, `output`, `reference`
            (from 0), and the numbers of edits `tp` in both, `fp` in the output alone, `fn` in the reference
            alone.
        produced: a row for each output of a system: `sentence`, `output`, `system`.
    """

    edits: pd.DataFrame
    matches: pd.DataFrame
    produced: pd.DataFrame


@dataclass(frozen=True, slots=True)
class TypeWeight:
    """The weight of edits of a type that neither a reference has nor anybody judged.

    Attributes:
        type: of the edits; empty for all types together.
        judged: number of different edits outside the references that people accepted or rejected.
        share: mean over these of the share of verdicts that accept, with Wilson's interval.
        weight: the share, drawn towards that of all types.
        unjudged: number of different edits outside the references that have this weight.
    """

    type: str
    judged: int
    share: Estimate
    weight: float | None
    unjudged: int


@dataclass(frozen=True, slots=True)
class WeightedSystem:
    """A system's scores with the references alone, and with weights.

    Attributes:
        system: its name.
        edits: number of edits.
        covered: how many of these a reference has.
        judged: how many of the others people accepted or rejected.
        precision: by the references that ERRANT chooses, one for each sentence.
        weighted_precision: the mean weight of the edits.
        recall: by the same references.
        f: F0.5 of precision and recall.
        weighted_f: F0.5 of weighted precision and recall.
    """

    system: str
    edits: int
    covered: int
    judged: int
    precision: Estimate
    weighted_precision: Estimate
    recall: Estimate
    f: Estimate
    weighted_f: Estimate


@dataclass(frozen=True, slots=True)
class WeightedEdits:
    """Weights by type, and the scores of systems with them.

    Attributes:
        total: all types together.
        types: those with most judged edits first.
        systems: in alphabetical order.
    """

    total: TypeWeight
    types: tuple[TypeWeight, ...]
    systems: tuple[WeightedSystem, ...]


def made_edits(
    references: Mapping[int, Sequence[Iterable[SpanEdit]]],
    outputs: Mapping[tuple[int, str], Sequence[SpanEdit]],
    produced: Iterable[tuple[int, str, str]],
) -> MadeEdits:
    """Compare outputs with references: an edit of both replaces the same span by the same words.

    Args:
        references: the edits of each reference, by sentence; sentences without references are left out.
        outputs: the edits of each output, by sentence and output.
        produced: sentence, output and system.
    """
    gold = {
        sentence: [{_key(edit) for edit in edits} for edits in given]
        for sentence, given in references.items()
        if given
    }
    numbers: dict[tuple[int, int, int, str], int] = {}
    types: dict[int, str] = {}
    edits, matches = [], []
    for (sentence, output), own in sorted(outputs.items(), key=lambda item: item[0]):
        if sentence not in gold:
            continue
        keys = {_key(edit): edit for edit in own}
        for key, edit in keys.items():
            number = numbers.setdefault((sentence, *key), len(numbers))
            types[number] = min(types.get(number, edit.type), edit.type)
            covered = any(key in reference for reference in gold[sentence])
            edits.append((sentence, output, *key, number, covered))
        for place, reference in enumerate(gold[sentence]):
            hits = len(keys.keys() & reference)
            matches.append((sentence, output, place, hits, len(keys) - hits, len(reference) - hits))
    frame = pd.DataFrame(edits, columns=[*PLACE, "replacement", "edit", "covered"])
    frame = with_operations(frame.assign(type=frame["edit"].map(types)))
    rows = sorted(row for row in produced if row[0] in gold)
    return MadeEdits(
        frame[list(EDITS)],
        pd.DataFrame(matches, columns=list(MATCHES)),
        pd.DataFrame(rows, columns=list(PRODUCED)),
    )


def weighted_edits(
    made: MadeEdits,
    verdicts: pd.DataFrame,
    *,
    prior: float,
    replicates: int,
    confidence: float,
    seed: int,
    progress: Advance | None = None,
) -> WeightedEdits:
    """Weigh the edits by verdicts, and score the systems.

    Each resample of the sentences gives weights of types, choices of references and scores of its own.

    Args:
        made: the edits.
        verdicts: as `ranking.judgments.edit_verdicts.edit_verdicts` gives them; verdicts on other edits than
            those made count for nothing.
        prior: number of edits that the share of all types weighs, more than 0.
        replicates: number of resamples.
        confidence: confidence level of the intervals.
        seed: same seed, same resamples.
        progress: gets the number of resamples finished.
    """
    weighing = _Weighing(made, _shares(made.edits, verdicts), prior, confidence)
    everything = np.arange(len(weighing.sentences))[None]
    found = weighing.scores(everything)
    drawn = []
    for picks in sentence_draws(len(weighing.sentences), range(replicates), seed):
        drawn.append(weighing.scores(picks))
        if progress is not None:
            progress(len(picks))
    resampled = np.concatenate(drawn) if drawn else np.empty((0, *found.shape[1:]))
    is_judged = weighing.total.judged > 0

    def estimate(system: int, figure: int) -> Estimate:
        value = float(found[0, system, figure])
        known = value if np.isfinite(value) else None
        fault = None if is_judged else NOT_JUDGED
        return estimated(known, resampled[:, system, figure], confidence, fault)

    return WeightedEdits(
        weighing.total,
        weighing.types,
        tuple(
            WeightedSystem(name, *counts, *(estimate(place, figure) for figure in range(found.shape[2])))
            for place, (name, counts) in enumerate(weighing.counts.items())
        ),
    )


def weights_of_types(accepted: FloatArray, judged: FloatArray, prior: float) -> FloatArray:
    """The weights of T types, shape (..., T): shares of acceptance, drawn towards that of all types.

    Args:
        accepted: shape (..., T), sums of the shares of judged edits.
        judged: the same shape, numbers of judged edits. Without any of all types, weights are NaN.
        prior: number of edits that the share of all types weighs.
    """
    number = judged.sum(axis=-1, keepdims=True)
    overall = np.full(number.shape, np.nan)
    np.divide(accepted.sum(axis=-1, keepdims=True), number, out=overall, where=number > 0)
    return (accepted + prior * overall) / (judged + prior)


def wilson(accepted: float, judged: float, confidence: float) -> Estimate:
    """The share of judged edits that were accepted, with Wilson's interval (Wilson 1927).

    `accepted` is a sum of shares, so it may be no whole number.
    """
    if not judged:
        return Estimate(None, None, None, NOT_JUDGED)
    share, square = accepted / judged, float(stats.norm.ppf((1 + confidence) / 2)) ** 2
    middle = (accepted + square / 2) / (judged + square)
    half = np.sqrt(square * (judged * share * (1 - share) + square / 4)) / (judged + square)
    return Estimate(share, max(0.0, float(middle - half)), min(1.0, float(middle + half)), None)


def _key(edit: SpanEdit) -> tuple[int, int, str]:
    return edit.start, edit.end, edit.replacement


def _shares(edits: pd.DataFrame, verdicts: pd.DataFrame) -> pd.Series[float]:
    """The share of verdicts that accept, by the number of each edit that was accepted or rejected."""
    decided = verdicts.loc[verdicts["outcome"] != 0, [*PLACE, "outcome"]]
    decided = decided.assign(output=decided["output"].astype("object"))
    joined = decided.merge(edits[[*PLACE, "edit"]], on=list(PLACE))
    return (joined.groupby("edit")["outcome"].mean() + 1) / 2


@dataclass(frozen=True, slots=True, eq=False)
class _System:
    """A system in N sentences: `COUNTS` by reference, and sums of weights.

    Attributes:
        values: shape (N, R, 5).
        sizes: shape (N,), number of references; 0 for a sentence without an output.
        certain: shape (N,), sums of the weights of edits that a reference has or somebody judged.
        of_types: shape (N, T), numbers of the other edits by type.
    """

    values: FloatArray
    sizes: IntArray
    certain: FloatArray
    of_types: FloatArray


class _Weighing:
    """Edits as arrays, ready for resamples of sentences."""

    def __init__(self, made: MadeEdits, shares: pd.Series[float], prior: float, confidence: float) -> None:
        self.prior, self.confidence = prior, confidence
        self.sentences = np.unique(made.matches["sentence"].to_numpy(dtype=np.int64))
        edits = made.edits.assign(share=made.edits["edit"].map(shares))
        names = sorted(edits["type"].unique())
        edits["kind"] = pd.Categorical(edits["type"], categories=names).codes
        edits["judged"] = ~edits["covered"].astype(bool) & edits["share"].notna()
        edits["weight"] = edits["share"].mask(edits["covered"].astype(bool), 1.0)
        distinct = edits.drop_duplicates("edit")
        judged = distinct[distinct["judged"]]
        self.accepted = self._by_type(judged, judged["share"], len(names))
        self.judged = self._by_type(judged, 1.0, len(names))
        unjudged = self._by_type(distinct[distinct["weight"].isna()], 1.0, len(names)).sum(axis=0)
        self.total, self.types = self._weights(names, unjudged)
        self.counts: dict[str, tuple[int, int, int]] = {}
        self._systems = []
        for name, rows in made.produced.groupby("system", sort=True):
            own = rows.merge(edits, on=["sentence", "output"])
            self.counts[str(name)] = len(own), int(own["covered"].sum()), int(own["judged"].sum())
            matches = rows.merge(made.matches, on=["sentence", "output"])
            self._systems.append(self._system(own, matches, len(names)))

    def scores(self, picks: IntArray) -> FloatArray:
        """Precision, weighted precision, recall, F and weighted F of S systems in samples, shape (B, S, 5).

        Args:
            picks: shape (B, N), the sentences of each sample.
        """
        from metrics.edits.cumulative_choice import choose_by_f

        number = len(self.sentences)
        times = np.stack([np.bincount(each, minlength=number) for each in picks]).astype(np.float64)
        weights = weights_of_types(times @ self.accepted, times @ self.judged, self.prior)
        figures = np.empty((len(picks), len(self._systems), 5))
        for place, system in enumerate(self._systems):
            totals, _ = choose_by_f(system.values, system.sizes, picks, BETA**2)
            hits, made = totals[:, TP], totals[:, TP] + totals[:, FP]
            sums = times @ system.certain + ((times @ system.of_types) * weights).sum(axis=1)
            recall = _ratio(hits, hits + totals[:, FN])
            plain, weighted = _ratio(hits, made), _ratio(sums, made)
            figures[:, place] = np.stack(
                [plain, weighted, recall, _f(plain, recall), _f(weighted, recall)], axis=1
            )
        return figures

    def _places(self, rows: pd.DataFrame) -> IntArray:
        return np.searchsorted(self.sentences, rows["sentence"].to_numpy(dtype=np.int64))

    def _by_type(self, rows: pd.DataFrame, values: pd.Series[float] | float, kinds: int) -> FloatArray:
        """Sums of values by sentence and type, shape (N, T)."""
        sums = np.zeros((len(self.sentences), kinds))
        np.add.at(sums, (self._places(rows), rows["kind"].to_numpy()), values)
        return sums

    def _weights(
        self, names: Sequence[str], unjudged: FloatArray
    ) -> tuple[TypeWeight, tuple[TypeWeight, ...]]:
        accepted, judged = self.accepted.sum(axis=0), self.judged.sum(axis=0)
        weights = weights_of_types(accepted, judged, self.prior)

        def row(name: str, share: float, number: float, weight: float, others: float) -> TypeWeight:
            accepted = wilson(share, number, self.confidence)
            return TypeWeight(name, int(number), accepted, None if np.isnan(weight) else weight, int(others))

        columns = (values.tolist() for values in (accepted, judged, weights, unjudged))
        types = [row(*values) for values in zip(names, *columns, strict=True)]
        share, number = float(accepted.sum()), float(judged.sum())
        total = row("", share, number, share / number if number else np.nan, float(unjudged.sum()))
        return total, tuple(sorted(types, key=lambda each: (-each.judged, -each.unjudged)))

    def _system(self, own: pd.DataFrame, matches: pd.DataFrame, kinds: int) -> _System:
        number = len(self.sentences)
        references = int(matches["reference"].max()) + 1 if len(matches) else 1
        values = np.zeros((number, references, len(COUNTS)))
        sizes = np.zeros(number, dtype=np.int64)
        places, reference = self._places(matches), matches["reference"].to_numpy()
        for column, name in ((TP, "tp"), (FP, "fp"), (FN, "fn")):
            values[places, reference, column] = matches[name]
        np.maximum.at(sizes, places, reference + 1)
        is_certain = own["weight"].notna()
        certain = np.zeros(number)
        np.add.at(certain, self._places(own[is_certain]), own.loc[is_certain, "weight"])
        return _System(values, sizes, certain, self._by_type(own[~is_certain], 1.0, kinds))


def _ratio(part: FloatArray, whole: FloatArray) -> FloatArray:
    """The part, and 1 of nothing, as ERRANT counts."""
    return np.where(whole > 0, part / np.where(whole > 0, whole, 1), 1.0)


def _f(precision: FloatArray, recall: FloatArray) -> FloatArray:
    load = BETA**2 * precision + recall
    return np.where(load == 0, 0.0, (1 + BETA**2) * precision * recall / np.where(load == 0, 1, load))
