"""Scoring systems: statistics of each distinct output computed once, then scores of sentences and corpora."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import FloatArray, IntArray
from core.progress import Advance
from metrics.base.evaluation_sets import EvaluationSet, InputError
from metrics.base.metric import AnyMetric, NotScored, Reduce, Rows, reduce_many

SENTENCES_PER_REPORT = 100
OUTPUTS_PER_PART = 8192


@dataclass(frozen=True, slots=True)
class CorpusScore:
    """The score of one system.

    Attributes:
        value: None where it cannot be computed.
        details: figures beside it, such as precision and recall.
        not_scored: number of sentences that add nothing to it.
        reason: why there is no value, in words.
    """

    value: float | None
    details: Mapping[str, float]
    not_scored: int
    reason: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """Statistics of all systems under one metric.

    Attributes:
        metric: with its parameters.
        signature: what repeats the scores.
        rows: statistics of the distinct outputs.
        picks: by system, shape (n,), its outputs as numbers into `rows`.
        reasons: by number of an output that is not scored, why.
    """

    metric: AnyMetric
    signature: str
    rows: Rows
    picks: Mapping[str, IntArray]
    reasons: Mapping[int, str]

    def corpus(self, system: str) -> CorpusScore:
        """The system's score with what explains it."""
        picks = self.picks[system]
        not_scored = int((self.rows.sizes[picks] == 0).sum())
        if not_scored == len(picks):
            reason = f"no sentence is scored; the first one: {self.reasons[int(picks[0])]}"
            return CorpusScore(None, {}, not_scored, reason)
        value = float(self.metric.corpus_scores(self.rows, picks[None])[0])
        if np.isnan(value):
            return CorpusScore(None, {}, not_scored, "the statistics of all sentences leave it undefined")
        return CorpusScore(value, self.metric.details(self.rows, picks), not_scored)

    @property
    def of_outputs(self) -> FloatArray:
        """The score of each distinct output, shape (D,); NaN where `reasons` tells why."""
        if not self.rows.sizes.any():
            return np.full(len(self.rows.sizes), np.nan)
        return np.where(self.rows.sizes > 0, self.metric.sentence_scores(self.rows), np.nan)

    def sentences(self, system: str) -> FloatArray:
        """The score of each sentence, shape (n,); NaN where `not_scored` tells why."""
        scores: FloatArray = self.of_outputs[self.picks[system]]
        return scores

    def not_scored(self, system: str) -> dict[int, str]:
        """Reasons why sentences, counted from 0, have no score."""
        picks = self.picks[system].tolist()
        return {number: self.reasons[pick] for number, pick in enumerate(picks) if pick in self.reasons}


def score(
    metric: AnyMetric,
    data: EvaluationSet,
    outputs: Mapping[str, Sequence[str]],
    *,
    progress: Advance | None = None,
) -> Scored:
    """Reduce the outputs of all systems, each distinct output of a sentence once.

    Args:
        metric: with its parameters.
        data: n sentences with what the metric needs.
        outputs: by system, n texts.
        progress: called with the number of outputs finished, of n for each system.

    Raises:
        InputError: a system has another number of sentences, or the metric lacks what it needs.
        MetricError: the metric cannot do its work.
    """
    for system, texts in outputs.items():
        if len(texts) != len(data.sources):
            raise InputError(f"{system} has {len(texts)} sentences, sources are {len(data.sources)}")
    metric.check_needs(data)
    metric.look_ahead(data, outputs, progress)
    with metric.prepared(data) as reduce:
        table = _Table(reduce)
        picks = {
            system: table.add(texts if metric.reads_edits else list(map(str, texts)), progress)
            for system, texts in outputs.items()
        }
    return Scored(metric, metric.signature(data), table.rows(), picks, table.reasons)


def stacked(reduced: Sequence[FloatArray | NotScored], sentences: Sequence[int] | IntArray) -> Rows:
    """Rows of D outputs in one array.

    Args:
        reduced: of each output its row, shape (K,), or rows, shape (R, K), or why there are none.
        sentences: shape (D,), the sentence of each, counted from 0.
    """
    parts = [np.zeros((0, 1)) if isinstance(each, NotScored) else np.atleast_2d(each) for each in reduced]
    sizes = np.array([len(each) for each in parts], dtype=np.int64)
    widths = {each.shape[1] for each in parts if len(each)}
    values = np.zeros((len(sizes), max(1, int(sizes.max(initial=1))), max(widths, default=1)))
    for number, each in enumerate(parts):
        values[number, : len(each), : each.shape[1]] = each
    return Rows(values, sizes, np.array(sentences, dtype=np.int64))


def _ignore(parts: int) -> None:
    """Ignore a report."""


class _Table:
    """Statistics of distinct outputs, growing.

    Attributes:
        reasons: why outputs have no rows, by output number.
    """

    def __init__(self, reduce: Reduce) -> None:
        self.reasons: dict[int, str] = {}
        self._reduce = reduce
        self._numbers: dict[tuple[int, str], int] = {}
        self._reduced: list[FloatArray | NotScored] = []
        self._parts: list[Rows] = []
        self._size = 0

    def add(self, texts: Sequence[str], progress: Advance | None) -> IntArray:
        """The numbers of a system's outputs."""
        tell = progress or _ignore
        picks = np.empty(len(texts), dtype=np.int64)
        for begin in range(0, len(texts), SENTENCES_PER_REPORT):
            part = texts[begin : begin + SENTENCES_PER_REPORT]
            new: list[tuple[int, str]] = []
            for sentence, text in enumerate(part, start=begin):
                number = self._numbers.setdefault((sentence, text), len(self._numbers))
                if number == self._size + len(new):
                    new.append((sentence, text))
                picks[sentence] = number
            for each in reduce_many(self._reduce, new, lambda finished: tell(0)):
                if isinstance(each, NotScored):
                    self.reasons[self._size] = each.reason
                self._reduced.append(each)
                self._size += 1
            if len(self._reduced) >= OUTPUTS_PER_PART:
                self._stack()
            tell(len(part))
        return picks

    def _stack(self) -> None:
        """Put one array in place of those of single outputs, which would stay with the process when freed."""
        self._parts.append(stacked(self._reduced, np.zeros(len(self._reduced), dtype=np.int64)))
        self._reduced = []

    def rows(self) -> Rows:
        """All rows. The parts go as soon as they are copied, so that memory holds the rows once."""
        self._stack()
        sizes = np.concatenate([part.sizes for part in self._parts])
        references, width = np.max([part.values.shape[1:] for part in self._parts], axis=0)
        values = np.zeros((self._size, references, width))
        begin = 0
        while self._parts:
            part = self._parts.pop(0).values
            values[begin : begin + len(part), : part.shape[1], : part.shape[2]] = part
            begin += len(part)
        return Rows(values, sizes, np.array([sentence for sentence, _ in self._numbers], dtype=np.int64))
