"""Requests: an analysis of a campaign or a corpus with parameters."""

import hashlib
import json
from dataclasses import dataclass, fields
from typing import Any

from analysis.analyses.base import ADDED_LATER, Analysis, analysis_named
from analysis.analyses.inputs import LeftOut
from analysis.models import Run
from analysis.runs.results import from_json, to_json
from analysis.runs.sources import Subject, source_of
from annotate.models import Campaign, Corpus
from assay import __version__


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """A requested analysis.

    Attributes:
        analysis: the analysis.
        subject: the campaign or corpus.
        parameters: all parameters, resolved for these inputs.
        left_out: what the parameters leave out of the inputs.
    """

    analysis: Analysis[Any, Any]
    subject: Subject
    parameters: Any
    left_out: LeftOut

    @property
    def campaign(self) -> Campaign:
        """The campaign of an analysis of judgments.

        Raises:
            TypeError: the subject is a corpus.
        """
        if not isinstance(self.subject, Campaign):
            raise TypeError(f"{self.analysis.name} is of a corpus")
        return self.subject

    @property
    def corpus(self) -> Corpus:
        """The corpus of the subject or of its campaign."""
        return self.subject.corpus if isinstance(self.subject, Campaign) else self.subject

    @property
    def key(self) -> str:
        """Digest that is equal for equal requests to this version of Assay."""
        parts = [
            self.analysis.name,
            str(self.subject.uuid),
            _stated(self.parameters),
            to_json(self.left_out),
            __version__,
        ]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    @property
    def title(self) -> str:
        """Title of its job."""
        return f"{self.analysis.title} of {self.subject._meta.verbose_name} {self.subject}"


def request_of(
    analysis: Analysis[Any, Any], subject: Subject, parameters: Any, *, left_out: LeftOut | None = None
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


def _stated(parameters: Any) -> Any:
    """The parameters as JSON, without those that results kept by earlier commits lack, if they are usual."""
    usual = {each.name: each.default for each in fields(parameters) if each.name in ADDED_LATER}
    return {name: value for name, value in to_json(parameters).items() if usual.get(name, ...) != value}


def request_of_run(run: Run, analysis: Analysis[Any, Any]) -> Request:
    """The request of a run.

    Raises:
        ValueError: the row is from an incompatible earlier release.
    """
    parameters = from_json(analysis.parameters, run.parameters)
    return Request(analysis, run.subject, parameters, from_json(LeftOut, run.left_out))
