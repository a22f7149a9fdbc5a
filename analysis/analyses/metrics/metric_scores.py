"""Scores of systems by automatic metrics, from files, for `manage.py score`."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.analyses.corpus_inputs import annotators_with_edits, gold_edits
from core.progress import Advance
from formats import SentenceRecord, read_edited_outputs, read_parallel
from metrics import (
    AnyMetric,
    Checker,
    EditedText,
    EvaluationSet,
    Parser,
    Scored,
    bootstrap_intervals,
    compare_with_best,
    score,
)
from metrics.edits.edit_metric import EditMetric
from metrics.edits.edit_sources import texts_to_parse

EDITS = ".m2"
"""Suffix of a file that holds the edits of a system instead of its texts."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An evaluation set with the outputs of systems.

    Attributes:
        data: sources with what outputs are compared to.
        outputs: texts by system.
        warnings: repairs by the lenient reading of M2.
    """

    data: EvaluationSet
    outputs: Mapping[str, Sequence[str]]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SystemMetricScore:
    """Scores of one system by one metric.

    Attributes:
        score: corpus score; None if it cannot be computed.
        reason: why there is no score.
        details: further figures, such as precision and recall.
        low: lower end of the bootstrap interval; None unless asked for.
        high: upper end.
        p_value: against the best system; None for the best itself, and unless requested.
        sentences: scores by sentence, None for a sentence without score.
        not_scored: reasons by sentence number, counted from 1.
    """

    score: float | None
    reason: str
    details: Mapping[str, float]
    low: float | None
    high: float | None
    p_value: float | None
    sentences: list[float | None]
    not_scored: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class MetricScores:
    """Scores of all systems by one metric.

    Attributes:
        signature: signature for repeating the scores.
        systems: the highest score first, those without a score last.
    """

    signature: str
    systems: Mapping[str, SystemMetricScore]


def read_evaluation(
    source: Path,
    outputs: Mapping[str, Path],
    *,
    references: Mapping[str, Path],
    m2: Sequence[Path],
    lenient: bool,
    checker: Checker | None,
) -> Evaluation:
    """Read an evaluation set and outputs from parallel text and M2 files.

    Outputs are texts, or the edits of a system in an M2 file, which ends in ".m2".

    Metrics that need references get the texts of `references` or, if there are none, the texts that result
    from the edits of the M2 files.

    Raises:
        FormatError: as `formats.read_parallel` and `formats.read_edited_outputs`.
    """
    plain = {system: path for system, path in outputs.items() if path.suffix != EDITS}
    corpus = read_parallel(source, plain, references=references, m2=m2, lenient=lenient)
    warnings = list(corpus.warnings)
    edited: dict[str, list[EditedText]] = {}
    for system in outputs.keys() - plain.keys():
        found, repaired = read_edited_outputs(source, outputs[system], lenient=lenient)
        edited[system] = [EditedText(each.text, gold_edits(each)) for each in found]
        warnings += repaired
    sentences = corpus.sentences
    data = EvaluationSet(
        sources=tuple(sentence.source for sentence in sentences),
        references=tuple(_texts(sentence, edited=not references) for sentence in sentences)
        if references or m2
        else None,
        annotations=tuple(annotators_with_edits(sentence) for sentence in sentences) if m2 else None,
        checker=checker,
    )
    texts: dict[str, Sequence[str]] = {
        system: edited.get(system) or [sentence.outputs[system] for sentence in sentences]
        for system in outputs
    }
    return Evaluation(data, texts, tuple(warnings))


def unparsed(metrics: Iterable[AnyMetric], evaluation: Evaluation) -> list[str]:
    """The texts that edit-based metrics must parse."""
    texts: dict[str, None] = {}
    for part in (part for metric in metrics for part in metric.parts):
        if isinstance(part, EditMetric):
            outputs = evaluation.outputs.values()
            texts |= texts_to_parse(evaluation.data, outputs, part.parameters.gold)
    return list(texts)


def with_parser(metric: AnyMetric, evaluation: Evaluation, parser: Parser) -> Evaluation:
    """The evaluation with a parser, if the metric must parse any of its texts."""
    if not unparsed([metric], evaluation):
        return evaluation
    return replace(evaluation, data=replace(evaluation.data, parser=parser))


def metric_scores(
    metric: AnyMetric,
    evaluation: Evaluation,
    *,
    intervals: int,
    comparisons: int,
    seed: int,
    progress: Advance,
) -> MetricScores:
    """Score all systems.

    Args:
        metric: with its parameters.
        evaluation: evaluation set and outputs.
        intervals: replicates of the bootstrap intervals; 0 for none.
        comparisons: replicates of the paired bootstrap of each system against the best; 0 for none.
        seed: seed of both.
        progress: gets finished work, `steps` in total.

    Raises:
        InputError: something that the metric needs is missing.
    """
    scored = score(metric, evaluation.data, evaluation.outputs, progress=progress)
    bounds = bootstrap_intervals(scored, intervals, seed, progress=progress) if intervals else {}
    compared = compare_with_best(scored, comparisons, seed, progress=progress)[1] if comparisons else {}
    systems = {}
    for system in evaluation.outputs:
        corpus = scored.corpus(system)
        interval, comparison = bounds.get(system), compared.get(system)
        systems[system] = SystemMetricScore(
            score=corpus.value,
            reason=corpus.reason,
            details=corpus.details,
            low=interval.low if interval else None,
            high=interval.high if interval else None,
            p_value=comparison.p_value if comparison else None,
            sentences=_sentences(scored, system),
            not_scored={number + 1: why for number, why in scored.not_scored(system).items()},
        )
    order = sorted(systems, key=lambda system: _descending(systems[system].score))
    return MetricScores(scored.signature, {system: systems[system] for system in order})


def steps(evaluation: Evaluation, intervals: int, comparisons: int) -> int:
    """Total progress that `metric_scores` reports."""
    systems = len(evaluation.outputs)
    return systems * len(evaluation.data.sources) + intervals + (systems - 1) * comparisons


def _descending(value: float | None) -> tuple[bool, float]:
    return value is None, -(value or 0)


def _sentences(scored: Scored, system: str) -> list[float | None]:
    left_out = scored.not_scored(system)
    values = scored.sentences(system).tolist()
    return [None if number in left_out else value for number, value in enumerate(values)]


def _texts(sentence: SentenceRecord, *, edited: bool) -> tuple[str, ...]:
    return tuple(each.text for each in sentence.references if (each.edits is not None) == edited)
