"""Features of single outputs for MTeRater and MTeRater-Plus (Parton et al. 2011, section 4).

Groups of features, which an ablation leaves out one by one:

* `metrics`: the sentence scores of other metrics, and the weighted accuracy of the I-measure
* `matching`: matches of words and stems, and an edit rate (`metrics.learned.matching`)
* `text`: n-grams, lengths and words of the source (`metrics.learned.text_features`)
* `checker`: errors for each token that a grammar checker finds in the output, by rule and in all
* `document`: the same in pseudo-documents of 20 contiguous sentences of a system

MTeRater has the last two. Language-model features of the paper are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.arrays import FloatArray, IntArray
from core.progress import Advance
from metrics.base.evaluation_sets import (
    EvaluationSet,
    InputError,
    Need,
    required_checker,
    required_references,
)
from metrics.base.metric import AnyMetric, NotScored, reduce_many
from metrics.base.scoring import stacked
from metrics.imeasure import IMeasure, weighted_accuracy
from metrics.learned import matching, text_features
from metrics.learned.checked import errors_of
from metrics.meta_evaluation.metric_scores import MetricScores
from metrics.untrained import untrained_metric_from_text

METRICS = ("bleu", "ibleu", "gleu", "chrf", "imeasure", "sari", "minld", "m2", "ld-source")
"""Ten metrics: the I-measure also gives its weighted accuracy."""

GROUPS = ("metrics", "matching", "text", "checker", "document")

OF_OUTPUTS = GROUPS[:-1]
"""Groups that depend on an output and its sentence alone, so that a saved model can have them."""

MTERATER = ("checker", "document")

UNCHECKED = tuple(group for group in GROUPS if group not in MTERATER)

DOCUMENT = 20
"""Contiguous sentences of a pseudo-document (section 5)."""

WEIGHTED = "weighted accuracy"
"""The further feature of the I-measure."""

ALL_RULES = "errors"
"""The feature of all rules of a checker together."""


@dataclass(frozen=True, slots=True, eq=False)
class OutputFeatures:
    """Features of S systems on m sentences.

    Attributes:
        systems: their names, in order.
        names: of the F features, each as "GROUP: NAME".
        values: shape (m, S, F); NaN where a metric does not score an output or a sentence has no reference.
        signatures: of the metrics and the checker.
    """

    systems: tuple[str, ...]
    names: tuple[str, ...]
    values: FloatArray
    signatures: tuple[str, ...]

    def of_groups(self, groups: Sequence[str]) -> OutputFeatures:
        """The features of some groups alone."""
        chosen = [place for place, name in enumerate(self.names) if name.split(":")[0] in groups]
        names = tuple(self.names[place] for place in chosen)
        return replace(self, names=names, values=self.values[:, :, chosen])


class FeatureReader:
    """Computes features of outputs of an evaluation set.

    Args:
        data: n sentences with what the features need.
        groups: which groups; not `document`, which is no matter of one output.
        metrics: names of the metrics in the group `metrics`, with their parameters.
        rules: names of the checker's rules that are features; others count in the total.

    Raises:
        InputError: the data lack what a feature needs.
    """

    def __init__(
        self,
        data: EvaluationSet,
        groups: Sequence[str] = OF_OUTPUTS,
        metrics: Sequence[str] = METRICS,
        rules: Sequence[str] = (),
    ) -> None:
        self._data = data
        self._groups = tuple(groups)
        self._rules = tuple(rules)
        self._metrics = [untrained_metric_from_text(each) for each in metrics] if "metrics" in groups else []
        for metric in self._metrics:
            metric.check_needs(data)
        if {"matching", "text"}.intersection(groups):
            required_references(data)
        if "checker" in groups:
            required_checker(data)
        self._reduce = [metric.prepare(data) for metric in self._metrics]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the features, in order."""
        names: list[str] = []
        for metric in self._metrics:
            names.append(f"metrics: {metric.name}")
            if isinstance(metric, IMeasure):
                names.append(f"metrics: {WEIGHTED}")
        if "matching" in self._groups:
            names += [f"matching: {name}" for name in matching.FEATURES]
        if "text" in self._groups:
            names += [f"text: {name}" for name in text_features.FEATURES]
        if "checker" in self._groups:
            names += [f"checker: {name}" for name in (ALL_RULES, *self._rules)]
        return tuple(names)

    @property
    def signatures(self) -> tuple[str, ...]:
        """Signatures of the metrics and the checker, which reproduce the features."""
        signatures = [metric.signature(self._data) for metric in self._metrics]
        if "checker" in self._groups:
            signatures.append(required_checker(self._data).signature)
        return tuple(signatures)

    def features(self, outputs: Sequence[tuple[int, str]], progress: Advance | None = None) -> FloatArray:
        """The features of outputs, each with its sentence, shape (D, F).

        Args:
            outputs: sentence, counted from 0, and text.
            progress: called with the number of outputs; each metric and each further group reads all D.

        Raises:
            CheckerError: the grammar checker does not answer.
            MetricError: a metric cannot do its work.
        """
        report = progress or (lambda _: None)
        sentences = [sentence for sentence, _ in outputs]
        columns = [np.empty((len(outputs), 0))]
        for metric, reduce in zip(self._metrics, self._reduce, strict=True):
            columns.append(_scores(metric, reduce_many(reduce, outputs, report), sentences))
        if "matching" in self._groups:
            columns.append(self._matching(outputs, report))
        if "text" in self._groups:
            columns.append(text_features.features_of(self._data, outputs, report))
        if "checker" in self._groups:
            texts = [text for _, text in outputs]
            errors = errors_of(required_checker(self._data), texts, report, self._rules)
            columns.append(errors.for_each_token(np.arange(len(texts))))
        return np.concatenate(columns, axis=1)

    def _matching(self, outputs: Sequence[tuple[int, str]], report: Advance) -> FloatArray:
        references = required_references(self._data)
        values = np.full((len(outputs), len(matching.FEATURES)), np.nan)
        for number, (sentence, text) in enumerate(outputs):
            if texts := references[sentence]:
                tokens = [each.split() for each in texts]
                values[number] = matching.matching_features(text.split(), tokens)
            report(1)
        return values


def output_features(
    data: EvaluationSet,
    outputs: Mapping[str, Sequence[str]],
    *,
    groups: Sequence[str] = GROUPS,
    metrics: Sequence[str] = METRICS,
    sentences: IntArray | None = None,
    progress: Advance | None = None,
) -> OutputFeatures:
    """The features of the outputs of m sentences; each distinct output is read once.

    Args:
        data: n sentences with what the features need.
        outputs: by system, n texts.
        groups: which groups.
        metrics: names of the metrics of the group `metrics`.
        sentences: shape (m,), the sentences whose outputs are wanted, ascending; others are read only where
            they share a pseudo-document with one of them. None for all.
        progress: called with the number of outputs whenever a metric, a group or the checker has read them.

    Raises:
        InputError: a system has another number of sentences, or the data lack what a feature needs.
        CheckerError: the grammar checker does not answer.
        MetricError: a metric cannot do its work.
    """
    for system, texts in outputs.items():
        if len(texts) != len(data.sources):
            raise InputError(f"{system} has {len(texts)} sentences, sources are {len(data.sources)}")
    wanted = np.arange(len(data.sources)) if sentences is None else sentences
    report = progress or (lambda _: None)
    distinct, picks = _distinct(outputs, wanted)
    reader = FeatureReader(data, [group for group in UNCHECKED if group in groups], metrics)
    names, signatures = reader.names, reader.signatures
    parts = []
    if set(MTERATER).intersection(groups):
        checker = required_checker(data)
        read = _checked_sentences(wanted, len(data.sources), groups)
        everything, places = _distinct(outputs, read)
        errors = errors_of(checker, [text for _, text in everything], report)
        of_errors = (ALL_RULES, *errors.rules)
        if "checker" in groups:
            names += tuple(f"checker: {name}" for name in of_errors)
            parts.append(errors.for_each_token(places[np.searchsorted(read, wanted)]))
        if "document" in groups:
            names += tuple(f"document: {name}" for name in of_errors)
            documents = errors.in_documents(places, read // DOCUMENT)
            own = (wanted // DOCUMENT)[:, None] * len(outputs) + np.arange(len(outputs))
            parts.append(documents.for_each_token(own))
        signatures += (checker.signature,)
    values = np.concatenate([reader.features(distinct, report)[picks], *parts], axis=2)
    return OutputFeatures(tuple(outputs), names, values, signatures)


def outputs_read(
    data: EvaluationSet,
    outputs: Mapping[str, Sequence[str]],
    *,
    groups: Sequence[str] = GROUPS,
    metrics: Sequence[str] = METRICS,
    sentences: IntArray | None = None,
) -> int:
    """How many outputs `output_features`, called in the same way, tells its progress in all."""
    wanted = np.arange(len(data.sources)) if sentences is None else sentences
    times = sum(len(metrics) if group == "metrics" else 1 for group in UNCHECKED if group in groups)
    read = times * len(_distinct(outputs, wanted)[0])
    if set(MTERATER).intersection(groups):
        read += len(_distinct(outputs, _checked_sentences(wanted, len(data.sources), groups))[0])
    return read


def _checked_sentences(wanted: IntArray, sentences: int, groups: Sequence[str]) -> IntArray:
    """The sentences that the checker reads: with features of documents, all of those of a wanted one."""
    if "document" not in groups:
        return wanted
    return np.flatnonzero(np.isin(np.arange(sentences) // DOCUMENT, wanted // DOCUMENT))


def _distinct(
    outputs: Mapping[str, Sequence[str]], sentences: IntArray
) -> tuple[list[tuple[int, str]], IntArray]:
    """The distinct outputs of m sentences, and the number of that of each sentence and system, (m, S)."""
    numbers: dict[tuple[int, str], int] = {}
    picks = [
        [numbers.setdefault((sentence, str(texts[sentence])), len(numbers)) for texts in outputs.values()]
        for sentence in sentences.tolist()
    ]
    return list(numbers), np.array(picks, dtype=np.int64).reshape(-1, len(outputs))


def scored_features(metrics: Sequence[MetricScores], systems: Sequence[str]) -> OutputFeatures:
    """The group `metrics` from scores that are known already, in the order of the metrics.

    Args:
        metrics: computed by distinct metrics, with scores of sentences.
        systems: S names, in the order of the scores.
    """
    names, columns = [], []
    for metric in metrics:
        if metric.sentences is None or metric.statistics is None:
            raise InputError(f"{metric.name} has no scores of sentences that new outputs could be given")
        kind, rows, picks = metric.statistics.metric, metric.statistics.rows, metric.statistics.picks.T
        names.append(f"metrics: {kind.name}")
        columns.append(metric.sentences)
        if isinstance(kind, IMeasure):
            names.append(f"metrics: {WEIGHTED}")
            accuracy = weighted_accuracy(rows.values[:, 0], kind.parameters.weight)
            columns.append(np.where(np.isfinite(metric.sentences), accuracy[picks], np.nan))
    values = np.stack(columns, axis=2)
    return OutputFeatures(tuple(systems), tuple(names), values, tuple(each.signature for each in metrics))


def joined(parts: Sequence[OutputFeatures]) -> OutputFeatures:
    """The features of several groups of the same systems and sentences."""
    return OutputFeatures(
        parts[0].systems,
        tuple(name for each in parts for name in each.names),
        np.concatenate([each.values for each in parts], axis=2),
        tuple(dict.fromkeys(signature for each in parts for signature in each.signatures)),
    )


def needs_of(groups: Sequence[str]) -> frozenset[Need]:
    """The needs of groups of features, besides the sources and the needs of the metrics."""
    needs: set[Need] = set()
    if {"matching", "text"}.intersection(groups):
        needs.add(Need.REFERENCES)
    if set(MTERATER).intersection(groups):
        needs.add(Need.CHECKER)
    return frozenset(needs)


def _scores(
    metric: AnyMetric, reduced: Sequence[FloatArray | NotScored], sentences: Sequence[int]
) -> FloatArray:
    """The sentence scores of a metric, shape (D, 1), or (D, 2) for the I-measure with weighted accuracy."""
    rows = stacked(reduced, sentences)
    if not len(sentences) or not rows.sizes.any():
        scores = [np.full(len(sentences), np.nan)] * (2 if isinstance(metric, IMeasure) else 1)
    else:
        scores = [metric.sentence_scores(rows)]
        if isinstance(metric, IMeasure):
            scores.append(weighted_accuracy(rows.values[:, 0], metric.parameters.weight))
    return np.where(rows.sizes[:, None] > 0, np.stack(scores, axis=1), np.nan)
