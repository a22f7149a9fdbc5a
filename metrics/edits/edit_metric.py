"""Base of edit-based metrics: sources of edits, and choosing a reference for each sentence in order."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

import numpy as np

from core.arrays import FloatArray, IntArray
from core.progress import Advance
from metrics.base.evaluation_sets import EvaluationSet, InputError, Need
from metrics.base.metric import BatchReduce, Metric, NotScored, Reduce, Rows, pick_counts
from metrics.edits.edit_sources import Correction, EditSource, signature_parts, texts_to_parse


class EditParameters(Protocol):
    """Parameters of an edit-based metric."""

    @property
    def gold(self) -> str:
        """Source of the references' edits, see `metrics.edits.edit_sources.gold_parameter`."""
        ...


P = TypeVar("P", bound=EditParameters)


class EditMetric(Metric[P]):
    """An edit-based metric; its rows, one per reference, begin with `metrics.edits.edit_columns.COUNTS`."""

    needs = frozenset({Need.REFERENCES, Need.PARSER})
    reads_edits = True

    @property
    def required(self) -> frozenset[Need]:
        """References as texts or edits; a pipeline only if a text must be parsed."""
        return frozenset({Need.REFERENCES})

    def check_needs(self, data: EvaluationSet) -> None:
        """Raise `InputError` if there are neither references nor gold edits."""
        if data.references is None and data.annotations is None:
            raise InputError(f"{self.name} needs references or gold edits")

    def look_ahead(
        self, data: EvaluationSet, outputs: Mapping[str, Sequence[str]], progress: Advance | None = None
    ) -> None:
        """Parse all texts whose edits must be extracted."""
        if data.parser is not None:
            tell = progress or (lambda _: None)
            unparsed = texts_to_parse(data, outputs.values(), self.parameters.gold)
            data.parser.parse_ahead(list(unparsed), progress=lambda _: tell(0))

    def prepare(self, data: EvaluationSet) -> Reduce:
        """Rows by reference. Outputs that are too long for ERRANT are not scored."""
        source = EditSource(data, self.parameters.gold)
        return _ReduceEdits(source, self.reader(data, source))

    @abstractmethod
    def reader(self, data: EvaluationSet, source: EditSource) -> "Reader":
        """The function that compares an output with its references."""

    @abstractmethod
    def choose(self, values: FloatArray, sizes: IntArray, picks: IntArray) -> tuple[FloatArray, IntArray]:
        """Totals of the references chosen in order, and how often each one was chosen."""

    def totals(self, rows: Rows, picks: IntArray) -> tuple[FloatArray, IntArray]:
        """Sums of rows, shape (B, K), and how often the reference at each position was chosen, (B, R)."""
        if rows.sizes.max(initial=0) > 1:
            return self.choose(rows.values, rows.sizes, picks)
        chosen, counts = pick_counts(picks, len(rows.sizes))
        scored = counts @ rows.sizes[chosen]
        return counts @ rows.values[chosen, 0], scored[:, None].astype(np.int64)

    def signature_parts(self, data: EvaluationSet) -> Mapping[str, str]:
        """The source of edits, and the pipeline that extracted them."""
        return signature_parts(data, self.parameters.gold)


class Reader(Protocol):
    """Compares an output with the references of its sentence."""

    def __call__(self, sentence: int, output: Correction, references: Sequence[Correction]) -> FloatArray:
        """Rows by reference, shape (R, K)."""
        ...


class _ReduceEdits(BatchReduce):
    """Parses some outputs together, which takes one look at the cache of parses, and compares each."""

    def __init__(self, source: EditSource, reader: Reader) -> None:
        self._source, self._reader = source, reader

    def many(
        self, outputs: Sequence[tuple[int, str]], progress: Callable[[int], None]
    ) -> list[FloatArray | NotScored]:
        self._source.parse(outputs)
        reduced = []
        for sentence, output in outputs:
            reduced.append(self._reduced(sentence, output))
            progress(1)
        return reduced

    def _reduced(self, sentence: int, output: str) -> FloatArray | NotScored:
        references = self._source.references(sentence)
        if isinstance(references, NotScored):
            return references
        correction = self._source.output(sentence, output)
        if isinstance(correction, NotScored):
            return correction
        return self._reader(sentence, correction, references)
