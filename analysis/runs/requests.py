"""Requests: an analysis of a campaign or a corpus with parameters."""

from analysis.analyses.analysis_inputs import LeftOut
from analysis.analyses.base import AnyAnalysis, analysis_named
from analysis.models import Run
from analysis.runs.results import from_json
from analysis.runs.sources import Request, Subject, source_of

__all__ = ["Request", "request_beside", "request_of", "request_of_run"]


def request_of(
    analysis: AnyAnalysis, subject: Subject, parameters: object, *, left_out: LeftOut | None = None
) -> Request:
    """The request for an analysis with the given parameters.

    `left_out` is what they leave out, if the caller has it already.

    Raises:
        ParameterError: a parameter has an invalid value, or one that is impossible for this subject.
    """
    source = source_of(analysis)
    scored = analysis.resolve is not None and source.has_scores(subject)
    resolved = analysis.resolved(parameters, scored=scored)
    return Request(analysis, subject, resolved, left_out or source.left_out(subject, resolved))


def request_beside(request: Request) -> Request:
    """The request for the analysis beside, of the same inputs."""
    other = analysis_named(request.analysis.beside)
    parameters = request.analysis.parameters_beside(request.parameters)
    return request_of(other, request.subject, parameters, left_out=request.left_out)


def request_of_run(run: Run, analysis: AnyAnalysis) -> Request:
    """The request of a run.

    Raises:
        ValueError: the row is from an incompatible earlier release.
    """
    parameters = from_json(analysis.parameters, run.parameters)
    return Request(analysis, run.subject, parameters, from_json(LeftOut, run.left_out))
