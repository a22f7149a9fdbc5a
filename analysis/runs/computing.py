"""Computes analyses of campaigns, corpora and files."""

from typing import Any, cast

from analysis.analyses.analysis_inputs import Inputs
from analysis.analyses.base import AnyAnalysis, AnyChunks, analysis_named
from analysis.runs.parts import Parts
from core.parameters import ParameterError
from core.progress import Progress
from core.results import Computed
from metrics import InputError, MetricError
from metrics.english.grammar_checkers import CheckerError
from metrics.english.spacy_pipelines import PipelineError


def computed_with_beside(
    analysis: AnyAnalysis, inputs: Inputs, parameters: object, progress: Progress
) -> Computed:
    """The result of an analysis with resolved parameters, and that of the analysis beside it.

    Raises:
        ParameterError, SnapshotError: as for `computed`.
    """
    result, beside = computed(analysis, inputs, parameters, progress), None
    if analysis.beside:
        other = analysis_named(analysis.beside)
        beside = computed(other, inputs, analysis.parameters_beside(parameters), progress)
    return analysis.shown(parameters, result, beside=beside)


def computed(
    analysis: AnyAnalysis,
    inputs: Inputs,
    parameters: object,
    progress: Progress,
    parts: Parts | None = None,
) -> Any:
    """The result of an analysis with resolved parameters.

    `parts` holds the parts already computed for the same inputs; each further part is added when it is done.

    Raises:
        ParameterError: the inputs do not allow these parameters, or a metric cannot do its work.
        SnapshotError: the inputs lack something.
    """
    try:
        if analysis.compute is not None:
            return analysis.compute(inputs, parameters, progress)
        chunks = cast(AnyChunks, analysis.chunks)
        parts = Parts() if parts is None else parts
        prepared = _compute_parts(analysis, inputs, parameters, progress, parts)
        ordered = [parts[number] for number in sorted(parts)]
        return chunks.combine(inputs, prepared, parameters, ordered)
    except (InputError, MetricError, PipelineError, CheckerError) as error:
        raise ParameterError(str(error)) from error


def compute_parts(
    analysis: AnyAnalysis, inputs: Inputs, parameters: object, progress: Progress, parts: Parts
) -> None:
    """Compute parts of an analysis, which another worker combines.

    Raises:
        ParameterError, SnapshotError: as for `computed`.
    """
    try:
        _compute_parts(analysis, inputs, parameters, progress, parts)
    except (InputError, MetricError, PipelineError, CheckerError) as error:
        raise ParameterError(str(error)) from error


def _compute_parts(
    analysis: AnyAnalysis, inputs: Inputs, parameters: object, progress: Progress, parts: Parts
) -> Any:
    """Compute the missing parts, and return what all parts have in common."""
    chunks = cast(AnyChunks, analysis.chunks)
    sizes = chunks.sizes(parameters)
    progress.begin("Preparing")
    prepared = chunks.prepare(inputs, parameters)
    progress.begin(analysis.title, total=sum(sizes))
    for number in parts.to_compute(sizes, progress):
        parts[number] = chunks.compute(prepared, parameters, number, progress.advance)
    return prepared
