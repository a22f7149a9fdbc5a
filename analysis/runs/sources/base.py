"""Base of sources of inputs."""

import hashlib
import json
from abc import ABC, abstractmethod
from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from django.db.models import QuerySet

from analysis.analyses.analysis_inputs import Inputs
from analysis.analyses.base import ADDED_LATER, AnyAnalysis
from analysis.analyses.judgment_inputs import LeftOut
from analysis.runs.results import to_json
from annotate.design.protocols import kind_of_answers
from annotate.models import Campaign, Corpus
from annotate.models.listed import campaigns, corpora
from assay import __version__
from core.progress import Progress
from formats.digests import text_digest
from formats.snapshot.vocabulary import AnswerKind

Subject = Campaign | Corpus
S = TypeVar("S", bound=Subject)

Options = Mapping[str, Any]
"""The options of a command, by name, as its parser has read them."""


LONGEST_STATE = 200
"""Characters that a run stores of the state of its inputs."""


@dataclass(frozen=True, slots=True)
class Version:
    """The state of inputs, which is cheap to read.

    Attributes:
        state: value that changes whenever the inputs do; one that would be too long to store is replaced by
            its digest.
        size: number of answers of the campaign, or sentences of the corpus.
    """

    state: str
    size: int

    def __post_init__(self) -> None:
        """Shortens the state."""
        if len(self.state) > LONGEST_STATE:
            object.__setattr__(self, "state", text_digest(self.state))


@dataclass(frozen=True, slots=True)
class Asked:
    """A request for a file.

    Attributes:
        inputs: content of the file.
        parameters: all parameters, resolved for these inputs.
    """

    inputs: Inputs
    parameters: Any


@dataclass(frozen=True, slots=True, eq=False)
class Request:
    """A requested analysis.

    Attributes:
        analysis: the analysis.
        subject: the campaign or corpus.
        parameters: all parameters, resolved for these inputs.
        left_out: what the parameters leave out of the inputs.
    """

    analysis: AnyAnalysis
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
            _stated(self.left_out),
            __version__,
        ]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    @property
    def title(self) -> str:
        """Title of its job."""
        return f"{self.analysis.title} of {self.subject._meta.verbose_name} {self.subject}"


def _stated(asked: Any) -> Any:
    """A dataclass as JSON, without usual values of attributes that results of earlier commits lack."""
    usual = {each.name: each.default for each in fields(asked) if each.name in ADDED_LATER}
    return {name: value for name, value in to_json(asked).items() if usual.get(name, ...) != value}


class Source(ABC, Generic[S]):
    """Reads the inputs of one kind.

    Attributes:
        subject: model that they belong to.
        plural: plural of its name.
        file_help: description of a file of such inputs.
        file_option: option that names the file instead, without dashes; empty for none.
    """

    subject: type[S]
    plural: ClassVar[str]
    file_help: ClassVar[str]
    file_option: ClassVar[str] = ""

    @abstractmethod
    def subjects(self) -> QuerySet[S]:
        """All campaigns or corpora that may be analysed."""

    @abstractmethod
    def version(self, subject: S) -> Version:
        """The state of the inputs."""

    def concerns(self, subject: S, analysis: AnyAnalysis) -> bool:
        """Whether the analysis is about such a campaign or corpus, and so is listed for it."""
        return True

    def why_not(self, subject: S, analysis: AnyAnalysis) -> str:
        """Why there is nothing to analyse yet, and what to do; empty if there is something."""
        return ""

    def has_scores(self, subject: S) -> bool:
        """Whether outputs have scores, which decides some parameters."""
        return False

    def left_out(self, subject: S, parameters: Any) -> LeftOut:
        """The systems and annotators that the parameters exclude."""
        return LeftOut()

    @abstractmethod
    def load(self, request: Request, size: int, progress: Progress, *, at_once: bool) -> Inputs:
        """Read the current inputs.

        Args:
            request: the request.
            size: number of answers or sentences, for the progress.
            progress: receives reports.
            at_once: whether they are few and read within a web request.

        Raises:
            RefusedError: the inputs cannot be read; the message says what to do.
            ObjectDoesNotExist: the subject was deleted meanwhile.
        """

    def add_file_options(self, parser: ArgumentParser) -> None:
        """Add the options of a command for information that a file lacks."""

    @abstractmethod
    def of_file(self, path: Path, analysis: AnyAnalysis, stated: object, options: Options) -> Asked:
        """Read a file, without a database.

        Args:
            path: the file.
            analysis: the analysis.
            stated: its given parameters.
            options: options of the command.

        Raises:
            FormatError: the file cannot be read.
            ParameterError: a parameter has an invalid value, or one that is impossible for this file.
        """


class OfCampaign(Source[Campaign]):
    """Reads inputs that belong to a campaign.

    Attributes:
        answers: the kind of answers that all analyses of these inputs are about; None for any.
    """

    subject = Campaign
    plural: ClassVar[str] = "Campaigns"
    answers: ClassVar[AnswerKind | None] = None

    def concerns(self, subject: Campaign, analysis: AnyAnalysis) -> bool:
        """Whether its answers are of the kind of the analysis, or of all these inputs."""
        about = analysis.answers or self.answers
        return about is None or about.includes(kind_of_answers(subject.protocol))

    def subjects(self) -> QuerySet[Campaign]:
        return campaigns()


class OfCorpus(Source[Corpus]):
    """Reads inputs that belong to a corpus."""

    subject = Corpus
    plural: ClassVar[str] = "Corpora"

    def subjects(self) -> QuerySet[Corpus]:
        return corpora()
