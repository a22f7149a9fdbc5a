"""Requests: an analysis of a campaign or a corpus with parameters."""

from dataclasses import replace

from analysis.analyses.base import AnyAnalysis, analysis_named
from analysis.analyses.from_judgments import MAY_ADD_FOLLOWED
from analysis.analyses.judgment_inputs import LeftOut
from analysis.models import Run
from analysis.runs.results import from_json
from analysis.runs.sources import Request, Subject, source_of
from annotate.campaigns.follow_ups.one_sample import asks_about_newcomers
from annotate.models import Campaign, Corpus, System

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
    if isinstance(resolved, MAY_ADD_FOLLOWED) and isinstance(subject, Campaign):
        # Alone, such a follow-up says nothing about the sentences that it leaves out.
        resolved = replace(resolved, combined=resolved.combined or asks_about_newcomers(subject))
    if left_out is None:
        left_out = _with_withdrawn(source.left_out(subject, resolved), subject)
    return Request(analysis, subject, resolved, left_out)


def _with_withdrawn(left_out: LeftOut, subject: Subject) -> LeftOut:
    """Add the withdrawn systems of the corpus to what is left out."""
    withdrawn = System.every.filter(corpus=_corpus(subject)).exclude(withdrawn_at=None)
    names = set(withdrawn.values_list("name", flat=True)).difference(left_out.systems)
    return replace(left_out, systems=tuple(sorted({*left_out.systems, *names}))) if names else left_out


def _corpus(subject: Subject) -> int:
    return subject.pk if isinstance(subject, Corpus) else subject.corpus_id


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
