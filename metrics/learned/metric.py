"""A saved model as a metric: it scores new outputs like any other (`metrics.base.metric`)."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from core.arrays import FloatArray, IntArray
from metrics.base.evaluation_sets import Annotation, EvaluationSet, InputError, Need, required_checker
from metrics.base.metric import (
    AnyMetric,
    BatchReduce,
    MeanMetric,
    Metric,
    NoParameters,
    NotScored,
    Rows,
    mean_row,
    reduce_many,
)
from metrics.base.scoring import stacked
from metrics.edits.edit_metric import EditMetric
from metrics.learned.features import corpus_features
from metrics.learned.outputs import FeatureReader, needs_of
from metrics.learned.saved import GMEG, ModelError, SavedModel, read_model
from metrics.untrained import untrained_metric_from_text

SENTENCES_AT_ONCE = 100
"""Sentences scored as corpora of one: GLEU sums each by all rows of a block."""


class LearnedMetric(Metric[NoParameters]):
    """A metric that has learned from human judgments.

    Attributes:
        model: what was saved.
    """

    model: ClassVar[SavedModel]

    @cached_property
    def parts(self) -> tuple[AnyMetric, ...]:
        """The metrics that give features."""
        return _parts(self.model)

    @property
    def is_for_english(self) -> bool:
        """Whether a feature is for English. Edits are: models learn from ERRANT's."""
        return any(part.is_for_english or Need.PARSER in part.needs for part in self.parts) or bool(
            needs_of(self.model.groups) & {Need.CHECKER, Need.PARSER}
        )

    @property
    def required(self) -> frozenset[Need]:
        """The needs of its features; a pipeline only if a text must be parsed."""
        return needs_of(self.model.groups).union(*(part.required for part in self.parts))

    def check_needs(self, data: EvaluationSet) -> None:
        """Raise `InputError` if the data lack what a feature needs."""
        for part in self.parts:
            part.check_needs(data)
        if missing := [str(need) for need in needs_of(self.model.groups) if not data.parts[need]]:
            raise InputError(f"{self.label} needs {' and '.join(sorted(missing))}")

    def signature_parts(self, data: EvaluationSet) -> Mapping[str, str]:
        """The digest of the model, the checker whose errors it counts, and how edits were extracted."""
        stated = {"model": self.model.digest}
        if self.model.checker:
            stated["checker"] = self.model.checker
        for part in self.parts:
            if isinstance(part, EditMetric):
                stated |= part.signature_parts(data)
        return stated


def metric_of_model(model: SavedModel, *, name: str = "") -> type[LearnedMetric]:
    """The class of a model's metric, called `name`, or as the model is.

    Raises:
        ModelError: the metrics installed here do not give the features that it has learned.
    """
    _check_features(model)
    base = GmegMetric if model.kind == GMEG else MteraterMetric
    needs = needs_of(model.groups).union(*(part.needs for part in _parts(model)))
    attributes = {
        "model": model,
        "name": name or model.name,
        "label": model.label,
        "summary": f"Learned from human judgments: {model.card.data}",
        "needs": needs,
    }
    return type("Trained", (base,), attributes)


def metric_of_file(path: str) -> AnyMetric:
    """The metric of a saved model, as `learned:FILE` on a command line.

    Raises:
        ModelError: see `metrics.learned.saved.read_model` and `metric_of_model`.
    """
    if not path:
        raise ModelError("write learned:FILE, the file of a model that `train` has saved")
    metric: AnyMetric = metric_of_model(read_model(Path(path)), name="learned")()
    return metric


class GmegMetric(LearnedMetric):
    """Ridge regression on features of corpora. It is not additive, as some of its metrics are not.

    An output has the rows of all metrics side by side, each with a column that says whether it is there. An
    output that a metric does not score is not scored. Scores of sentences are those of corpora of one: the
    model has learned from systems only, and extrapolates.
    """

    reads_edits = False

    @cached_property
    def _widths(self) -> tuple[int, ...]:
        return tuple(map(_width, self.parts))

    def prepare(self, data: EvaluationSet) -> "_SideBySide":
        """Rows of shape (R, K), with R the most rows of a metric."""
        return _SideBySide(self.parts, [part.prepare(data) for part in self.parts], data)

    def sentence_scores(self, rows: Rows) -> FloatArray:
        """The score of a corpus of one sentence."""
        scores = [np.empty(0)]
        for begin in range(0, len(rows.sizes), SENTENCES_AT_ONCE):
            block = slice(begin, begin + SENTENCES_AT_ONCE)
            part = Rows(rows.values[block], rows.sizes[block], rows.sentences[block])
            scores.append(self.corpus_scores(part, np.arange(len(part.sizes))[:, None]))
        return np.concatenate(scores)

    def corpus_scores(self, rows: Rows, picks: IntArray) -> FloatArray:
        """The weighted sum of the features of corpora."""
        columns: dict[str, FloatArray] = {}
        for part, of_part in zip(self.parts, self._split(rows), strict=True):
            columns |= corpus_features(part, of_part, picks)
        values = np.stack([columns[name] for name in self.model.features], axis=1)
        return np.asarray(values @ self.model.weights + self.model.intercept)

    def _split(self, rows: Rows) -> list[Rows]:
        """The rows of each metric."""
        parts = []
        begin = 0
        for width in self._widths:
            sizes = rows.values[:, :, begin].sum(axis=1).astype(np.int64)
            values = rows.values[:, : max(1, int(sizes.max(initial=1))), begin + 1 : begin + 1 + width]
            parts.append(Rows(np.ascontiguousarray(values), sizes, rows.sentences))
            begin += 1 + width
        return parts


class MteraterMetric(LearnedMetric, MeanMetric[NoParameters]):
    """A weighted sum of features of an output; a corpus scores the mean of its sentences."""

    def prepare(self, data: EvaluationSet) -> "_Weighted":
        """One row: `mean_row`.

        Raises:
            InputError: the grammar checker is another one than in training.
        """
        if self.model.checker and required_checker(data).signature != self.model.checker:
            raise InputError(
                f"{self.model.label} has learned from the errors that {self.model.checker} finds, and the "
                f"checker here is {required_checker(data).signature}: train it again with this one"
            )
        reader = FeatureReader(data, self.model.groups, self.model.metrics, self.model.rules)
        return _Weighted(reader, self.model.weights)


class _SideBySide(BatchReduce):
    """Reduces outputs by several metrics."""

    def __init__(self, parts: Sequence[AnyMetric], reduces: Sequence[Any], data: EvaluationSet) -> None:
        self._parts, self._reduces, self._data = parts, reduces, data

    def many(
        self, outputs: Sequence[tuple[int, str]], progress: Callable[[int], None]
    ) -> list[FloatArray | NotScored]:
        by_part = [reduce_many(reduce, outputs, lambda _: progress(0)) for reduce in self._reduces]
        reduced = []
        for rows in zip(*by_part, strict=True):
            reduced.append(_joined(rows))
            progress(1)
        return reduced


class _Weighted(BatchReduce):
    """Reduces outputs to the weighted sum of their features."""

    def __init__(self, reader: FeatureReader, weights: FloatArray) -> None:
        self._reader, self._weights = reader, weights

    def many(
        self, outputs: Sequence[tuple[int, str]], progress: Callable[[int], None]
    ) -> list[FloatArray | NotScored]:
        scores = self._reader.features(outputs, lambda _: progress(0)) @ self._weights
        progress(len(outputs))
        return [
            mean_row(score) if np.isfinite(score) else NotScored("a feature of the learned metric is missing")
            for score in scores.tolist()
        ]


def _joined(rows: Sequence[FloatArray | NotScored]) -> FloatArray | NotScored:
    """The rows of all metrics side by side, each after a column of ones."""
    parts = []
    for each in rows:
        if isinstance(each, NotScored):
            return each
        parts.append(np.atleast_2d(each))
    height = max(len(each) for each in parts)
    columns = []
    for each in parts:
        padded = np.zeros((height, 1 + each.shape[1]))
        padded[: len(each), 0] = 1
        padded[: len(each), 1:] = each
        columns.append(padded)
    return np.concatenate(columns, axis=1)


def _width(metric: AnyMetric) -> int:
    """The number of columns of a metric's rows, which does not depend on the data."""
    data = EvaluationSet(("a",), (("a",),), ((Annotation("0", ()),),))
    reduced = metric.prepare(data)(0, "a")
    if isinstance(reduced, NotScored):
        raise ModelError(f"{metric.name} gives no features: {reduced.reason}")
    return int(np.atleast_2d(reduced).shape[1])


def _parts(model: SavedModel) -> tuple[AnyMetric, ...]:
    """The metrics that give features; a model of MTeRater that has no such group names others."""
    if model.kind != GMEG and "metrics" not in model.groups:
        return ()
    return tuple(map(untrained_metric_from_text, model.metrics))


def _check_features(model: SavedModel) -> None:
    """Raise `ModelError` unless the metrics of a model give its features here."""
    try:
        given = _given_features(model)
    except ValueError as error:
        raise ModelError(f"{model.label} cannot be used: {error}") from error
    if given != model.features:
        other = next(
            (
                f"{theirs!r} where it has learned {ours!r}"
                for theirs, ours in zip(given, model.features, strict=False)
                if theirs != ours
            ),
            f"{len(given)} where it has learned {len(model.features)}",
        )
        raise ModelError(
            f"{model.label} was trained with other features than its metrics give here: {other}. Train it "
            f"again with this version of Assay (it was saved by {model.assay})."
        )


def _given_features(model: SavedModel) -> tuple[str, ...]:
    data = EvaluationSet(("a",), (("a",),), ((Annotation("0", ()),),), checker=_NoErrors())
    if model.kind != GMEG:
        return FeatureReader(data, model.groups, model.metrics, model.rules).names
    names: list[str] = []
    for part in map(untrained_metric_from_text, model.metrics):
        rows = stacked([part.prepare(data)(0, "a")], [0])
        names += corpus_features(part, rows, np.array([[0]]))
    return tuple(names)


class _NoErrors:
    """A checker that finds nothing."""

    signature = "none"

    def check(self, texts: Sequence[str]) -> Sequence[Mapping[str, int]]:
        return [{} for _ in texts]
