"""The answers about judgments in a file, computed from the file, and from metric scores in further ones."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from analysis.analyses.annotators.agreement import AGREEMENT
from analysis.analyses.annotators.quality import QUALITY
from analysis.analyses.base import AnyAnalysis
from analysis.analyses.judgment_inputs import (
    Judgments,
    LeftOut,
    MeasuredJudgments,
    WithMachineIfAsked,
    beside_none,
    judgments,
    measured,
)
from analysis.analyses.metrics.metric_advice import METRIC_ADVICE
from analysis.analyses.metrics.metric_advice_verdicts import MetricAdvice
from analysis.analyses.systems.ranking import RANKING
from analysis.answers.answer import Answer
from analysis.answers.questions import BY_PROTOCOL, RANKED, Known, Question, analyses_for, answers
from analysis.answers.ranked import Work
from analysis.runs.computing import computed
from analysis.runs.sources.base import Options
from analysis.runs.sources.judgments import JUDGMENTS
from analysis.runs.sources.stressed_metrics import STRESSED_METRICS
from annotate.models import SystemRole
from core.later import pd
from core.names import Naming
from core.parameters import ParameterError
from core.progress import Progress
from formats import FormatError
from formats.metric_scores import read_metric_scores
from formats.snapshot.snapshots import frame_of_file
from formats.snapshot.vocabulary import JudgmentState, ProtocolName
from ranking import holds_scores
from ranking.judgments.snapshot import system_names

NO_SCORES = "No scores of metrics were given."


def add_options(parser: ArgumentParser) -> None:
    """Add the options of a command for roles of systems, and for scores of metrics."""
    JUDGMENTS.add_file_options(parser)
    STRESSED_METRICS.add_score_options(parser)


def answers_of_file(path: Path, options: Options, progress: Progress) -> dict[str, Answer]:
    """The answers about the judgments of a file, by the key of their question.

    Args:
        path: judgments in a format that `read_judgments` reads.
        options: of the command, for roles of systems and for scores of metrics.
        progress: receives reports.

    Raises:
        FormatError: a file cannot be read, or holds corrections instead of judgments.
        ParameterError: judgments and scores do not fit together, or a role is of no system.
        SnapshotError: the judgments lack something.
    """
    progress.begin("Reading the judgments")
    frame = frame_of_file(path)
    questions = _questions(frame, path)
    roles = _roles(frame, path, options)
    results: dict[str, object] = {}
    missing: dict[str, str] = {}
    for analysis in analyses_for(questions):
        if analysis is METRIC_ADVICE:
            if options["scores"] or options["metric"]:
                results[analysis.name] = _advice(path, options, progress)
            else:
                missing[analysis.name] = NO_SCORES
        elif issubclass(analysis.inputs, Judgments):
            parameters = _parameters(analysis, scored=holds_scores(frame))
            results[analysis.name] = computed(analysis, _inputs(frame, analysis, roles), parameters, progress)
    known = Known(results, Naming("", {}, roles, {}, by_key=True), _work(frame), missing=missing)
    return answers(questions, known)


def _questions(frame: pd.DataFrame, path: Path) -> Sequence[Question]:
    protocols = set(frame["protocol"].unique())
    if ProtocolName.CORRECTION in protocols:
        raise FormatError(
            path, None, "it holds corrections, and no sentences: import it, and name the campaign"
        )
    return next((asked for name, asked in BY_PROTOCOL.items() if name in protocols), RANKED)


def _roles(frame: pd.DataFrame, path: Path, options: Options) -> dict[str, str]:
    """The roles of systems by name."""
    roles: dict[str, str] = dict(options["role"])
    given = [metric for csv in options["scores"] for metric in read_metric_scores(csv).values()]
    scored = {system for metric in given for system in (*metric.systems, *metric.sentences)}
    systems = {*system_names(frame), *dict(options["output"]), *scored}
    if unknown := sorted({*roles} - systems):
        there_are = ", ".join(sorted(systems)) or "none"
        raise ParameterError(
            faults={"role": f"{path} has no system {', '.join(unknown)}; systems are: {there_are}"}
        )
    return roles


def _parameters(analysis: AnyAnalysis, *, scored: bool) -> Any:
    """The parameters with which the page of the analysis begins."""
    if analysis is AGREEMENT:
        return RANKING.parameters_beside(_parameters(RANKING, scored=scored))
    return analysis.resolved(analysis.parameters(), scored=scored)


def _inputs(frame: pd.DataFrame, analysis: AnyAnalysis, roles: Mapping[str, str]) -> Judgments:
    """The judgments that count on the page of the analysis: without controls, except to check annotators."""
    is_control = (name for name, role in roles.items() if role == SystemRole.CONTROL)
    left_out = LeftOut() if analysis is QUALITY else LeftOut(tuple(sorted(is_control)))
    source = next((name for name, role in roles.items() if role == SystemRole.SOURCE), None)
    judged = judgments(frame, analysis.columns, left_out=left_out, roles=roles, source=source)
    if analysis.inputs is WithMachineIfAsked:
        return beside_none(judged)
    return measured(judged, {}) if analysis.inputs is MeasuredJudgments else judged


def _advice(path: Path, options: Options, progress: Progress) -> MetricAdvice:
    asked = STRESSED_METRICS.of_file(
        path, METRIC_ADVICE, METRIC_ADVICE.parameters(), {**options, "judgments": []}
    )
    try:
        advice: MetricAdvice = computed(METRIC_ADVICE, asked.inputs, asked.parameters, progress)
    except ParameterError as error:
        files = ", ".join(map(str, [path, *options["scores"]]))
        raise ParameterError(f"{files}: {error}") from error
    return advice


def _work(frame: pd.DataFrame) -> Work:
    """The skips that the file states; files hold no reports."""
    states = frame.drop_duplicates("judgment")["state"].astype("str")
    answered, skipped = (states == JudgmentState.COMPLETE).sum(), (states == JudgmentState.SKIPPED).sum()
    return Work(len(states), int(answered), int(skipped), 0)
