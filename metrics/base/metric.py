"""Base of all metrics: sufficient statistics per distinct output, sentence scores and corpus scores.

A metric prepares an `EvaluationSet` once and then reduces an output of a sentence to a *row* of sufficient
statistics, or to one row per reference where it chooses among references later. Everything else (sentence
and corpus scores, bootstraps, comparisons, synthetic systems) is computed from rows, without reading a text
again.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from assay import __version__
from core.arrays import FloatArray, IntArray
from core.parameters import ParameterError, check_parameters, parameters_as_text
from core.progress import Advance
from metrics.base.evaluation_sets import EvaluationSet, InputError, Need

P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class NoParameters:
    """Parameters of a metric that has none."""


@dataclass(frozen=True, slots=True)
class NotScored:
    """Stands for the row of an output that a metric does not score.

    Attributes:
        reason: why. The sentence then has no score and adds nothing to the corpus score.
    """

    reason: str


Reduce = Callable[[int, str], FloatArray | NotScored]
"""Reduces an output of a sentence (counted from 0) to its row, shape (K,), or rows, shape (references, K)."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Sufficient statistics of the D distinct outputs of an evaluation set.

    Attributes:
        values: shape (D, R, K), with R the largest number of rows of an output; zero beyond an output's rows.
        sizes: shape (D,), the number of rows of each output; 0 where it is not scored.
        sentences: shape (D,), the sentence of each output, counted from 0.
    """

    values: FloatArray
    sizes: IntArray
    sentences: IntArray


class MetricError(Exception):
    """A metric that cannot do its work, such as one whose model does not answer.

    The message says which, why, and what to do.
    """


class BatchReduce(ABC):
    """A `Reduce` that takes several outputs at a time, such as one that asks a model in another process."""

    def __call__(self, sentence: int, output: str) -> FloatArray | NotScored:
        """The statistics of one output."""
        [reduced] = self.many([(sentence, output)], lambda _: None)
        return reduced

    @abstractmethod
    def many(
        self, outputs: Sequence[tuple[int, str]], progress: Callable[[int], None]
    ) -> list[FloatArray | NotScored]:
        """The statistics of outputs, each with its sentence.

        `progress` gets the number of outputs finished, and 0 every second or so during a wait, because it may
        raise an exception to end the wait.

        Raises:
            MetricError: they cannot be scored.
        """

    def close(self) -> None:  # noqa: B027
        """End what was begun; nothing unless a metric says otherwise. No output comes afterwards."""


def reduce_many(
    reduce: Reduce, outputs: Sequence[tuple[int, str]], progress: Callable[[int], None]
) -> list[FloatArray | NotScored]:
    """The statistics of outputs, each with its sentence; `progress` gets the number finished."""
    if isinstance(reduce, BatchReduce):
        return reduce.many(outputs, progress)
    reduced = []
    for sentence, output in outputs:
        reduced.append(reduce(sentence, output))
        progress(1)
    return reduced


class Metric(ABC, Generic[P]):
    """A metric with its parameters. It holds no data, so one instance serves any number of evaluation sets.

    Higher scores are better: rankings, comparisons and correlations with people rely on it. A metric of
    errors or distances changes the sign, or subtracts from 1.

    Reducing an output takes less than a second, however long or repetitive the output is: jobs cannot be
    cancelled in between. An output that would take longer is `NotScored`, with the bound as the reason. A
    metric that asks another process is a `BatchReduce` instead, which reports progress while it waits.

    Attributes:
        name: as written on the command line.
        label: as shown to people.
        summary: one sentence on what it measures.
        needs: what it needs besides the sources, with its default parameters.
        additive: whether a corpus score is a function of the sum of rows.
        reads_edits: whether it reads the edits of an `EditedText`; others get its text alone.
        reads_source: whether the score of an output depends on its source.
        perfect: score of the only reference, in sentences and in the corpus, if sentences are no shorter than
            the longest n-grams; None if not fixed.
        Parameters: the dataclass of its parameters.
        package: name and version of the package that it comes from, such as "length-metric-1.0"; empty for a
            metric of Assay. `metrics.entry_points` sets it.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    summary: ClassVar[str]
    needs: ClassVar[frozenset[Need]] = frozenset({Need.REFERENCES})
    additive: ClassVar[bool] = False
    reads_edits: ClassVar[bool] = False
    reads_source: ClassVar[bool] = True
    perfect: ClassVar[float | None] = None
    Parameters: ClassVar[type[Any]] = NoParameters
    package: ClassVar[str] = ""

    def __init__(self, parameters: P | None = None) -> None:
        """Raises `ParameterError` for an invalid parameter value."""
        self.parameters: P = self.Parameters() if parameters is None else parameters
        if not isinstance(self.parameters, self.Parameters):
            raise ParameterError(f"{self.name} does not take {type(self.parameters).__name__}")
        check_parameters(self.parameters)

    @property
    def required(self) -> frozenset[Need]:
        """Its needs with its parameters; by default `needs`."""
        return self.needs

    @property
    def is_for_english(self) -> bool:
        """Whether it assumes English texts with its parameters, as what reads a grammar checker does."""
        return Need.CHECKER in self.needs

    @property
    def parts(self) -> tuple["AnyMetric", ...]:
        """The metrics whose statistics it reads: itself, unless it is made of others."""
        return (self,)

    def check_needs(self, data: EvaluationSet) -> None:
        """Raise `InputError` if the data lack what this metric needs."""
        if missing := [
            str(need) for need, there in data.parts.items() if need in self.required and not there
        ]:
            raise InputError(f"{self.name} needs {' and '.join(missing)}")

    @abstractmethod
    def prepare(self, data: EvaluationSet) -> Reduce:
        """Read sources, references and gold edits once; return the function that reduces an output.

        Raises:
            InputError: something that the metric needs is missing.
        """

    @contextmanager
    def prepared(self, data: EvaluationSet) -> Iterator[Reduce]:
        """The result of `prepare`, closed at the end of the block."""
        reduce = self.prepare(data)
        try:
            yield reduce
        finally:
            if isinstance(reduce, BatchReduce):
                reduce.close()

    def look_ahead(
        self, data: EvaluationSet, outputs: Mapping[str, Sequence[str]], progress: Advance | None = None
    ) -> None:
        """Prepare all outputs together if that is faster than one by one; by default nothing.

        `progress` is called with 0 meanwhile; it may stop the work by raising an error.
        """

    @abstractmethod
    def sentence_scores(self, rows: Rows) -> FloatArray:
        """The score of each of D distinct outputs, shape (D,). Outputs without rows may get any value."""

    @abstractmethod
    def corpus_scores(self, rows: Rows, picks: IntArray) -> FloatArray:
        """The scores of B corpora, shape (B,).

        Args:
            rows: D distinct outputs.
            picks: shape (B, n): the outputs of each corpus as numbers into `rows`, in order.
        """

    def details(self, rows: Rows, picks: IntArray) -> Mapping[str, float]:
        """Further figures of one corpus (`picks` of shape (n,)), such as precision and recall."""
        return {}

    def signature_parts(self, data: EvaluationSet) -> Mapping[str, str]:
        """Parts of the signature besides parameters, number of references and version."""
        return {}

    def signature(self, data: EvaluationSet) -> str:
        """Signature of a score, such as `m2|beta:0.5|max-unchanged:2|refs:2|tok:given|assay:0.1.0`."""
        parts = parameters_as_text(self.parameters)
        if number := number_of_references(self.required, data):
            parts["refs"] = number
        parts |= {"tok": data.tokeniser, **self.signature_parts(data)}
        if self.package:
            parts["package"] = self.package
        parts["assay"] = __version__
        return "|".join([self.name, *(f"{name}:{value}" for name, value in parts.items())])


AnyMetric = Metric[Any]
"""A metric, whatever its parameters."""


class AdditiveMetric(Metric[P]):
    """A metric whose corpus score is a function of the sum of its rows; each output has one row."""

    additive = True

    @abstractmethod
    def score_sums(self, sums: FloatArray) -> FloatArray:
        """Corpus scores, shape (...), of sums of rows, shape (..., K). A single row is a sum of one row."""

    def sum_details(self, sums: FloatArray) -> Mapping[str, float]:
        """Further figures of one sum of rows, shape (K,)."""
        return {}

    def sentence_scores(self, rows: Rows) -> FloatArray:
        """`score_sums` of each row, unless a metric overrides it."""
        return self.score_sums(rows.values[:, 0])

    def corpus_scores(self, rows: Rows, picks: IntArray) -> FloatArray:
        """`score_sums` of each corpus's sum of rows."""
        chosen, counts = pick_counts(picks, len(rows.sizes))
        return self.score_sums(counts @ rows.values[chosen, 0])

    def details(self, rows: Rows, picks: IntArray) -> Mapping[str, float]:
        """`sum_details` of the sum of rows."""
        return self.sum_details(rows.values[picks, 0].sum(axis=0))


class MeanMetric(AdditiveMetric[P]):
    """A metric whose corpus score is the mean of its sentence scores; `prepare` reduces to `mean_row`."""

    def score_sums(self, sums: FloatArray) -> FloatArray:
        """Sum of scores over number of sentences; NaN for no sentence."""
        with np.errstate(invalid="ignore"):
            return np.asarray(sums[..., 0] / sums[..., 1])


def mean_row(score: float) -> FloatArray:
    """The row of a sentence for a `MeanMetric`: its score, and 1 sentence."""
    return np.array([score, 1.0])


def pick_counts(picks: IntArray, size: int) -> tuple[IntArray, FloatArray]:
    """The distinct values of `picks`, shape (U,), and their counts in each of its rows, shape (B, U)."""
    present = np.zeros(size, dtype=bool)
    present[picks] = True
    chosen = np.flatnonzero(present)
    places = np.empty(size, dtype=np.int64)
    places[chosen] = np.arange(len(chosen))
    replicates = len(picks)
    cells = places[picks] + (np.arange(replicates) * len(chosen))[:, None]
    counts = np.bincount(cells.ravel(), minlength=replicates * len(chosen))
    return chosen, counts.reshape(replicates, len(chosen)).astype(np.float64)


def number_of_references(needs: frozenset[Need], data: EvaluationSet) -> str:
    """The number of references, such as "2", or "1-5" if sentences differ; "" for a metric without."""
    parts = {Need.GOLD_EDITS: data.annotations, Need.REFERENCES: data.references}
    for need, part in parts.items():
        if need in needs and part is not None:
            numbers = {len(each) for each in part}
            low, high = min(numbers), max(numbers)
            return str(low) if low == high else f"{low}-{high}"
    return ""
