"""What a source of inputs is."""

from abc import ABC, abstractmethod
from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from django.db.models import QuerySet

from analysis.analyses.base import Analysis, Progress
from analysis.analyses.inputs import Inputs, LeftOut
from annotate.models import Campaign, Corpus

if TYPE_CHECKING:
    from analysis.runs.requests import Request

Subject = Campaign | Corpus
S = TypeVar("S", bound=Subject)


@dataclass(frozen=True, slots=True)
class Version:
    """The state of inputs, which costs little to ask for.

    Attributes:
        state: changes whenever the inputs do.
        size: how many answers of a campaign, or sentences of a corpus, there are.
    """

    state: str
    size: int


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a file.

    Attributes:
        inputs: what the file holds.
        parameters: all of them, resolved for these inputs.
    """

    inputs: Inputs
    parameters: Any


class Source(ABC, Generic[S]):
    """How the inputs of one kind are read.

    Attributes:
        subject: what they belong to.
        plural: what several of these are called.
        file_help: what a file of such inputs holds.
        file_option: an option that names the file instead, without dashes; empty for none.
    """

    subject: type[S]
    plural: ClassVar[str]
    file_help: ClassVar[str]
    file_option: ClassVar[str] = ""

    @abstractmethod
    def subjects(self) -> QuerySet[S]:
        """All that may be analysed."""

    @abstractmethod
    def version(self, subject: S) -> Version:
        """The state of the inputs."""

    def why_not(self, subject: S) -> str:
        """Why there is nothing to analyse yet, and what to do, in words; empty where there is."""
        return ""

    def has_scores(self, subject: S) -> bool:
        """Whether outputs were given scores, which decides some parameters."""
        return False

    def left_out(self, subject: S, parameters: Any) -> LeftOut:
        """What the parameters leave out."""
        return LeftOut()

    @abstractmethod
    def load(self, request: "Request", size: int, progress: Progress, *, at_once: bool) -> Inputs:
        """Read the inputs as they stand.

        Args:
            request: for what.
            size: how many answers or sentences there are, to tell progress.
            progress: told of them.
            at_once: whether they are few, and somebody waits.

        Raises:
            RefusedError: they cannot be read; the message says what to do.
            ObjectDoesNotExist: the subject was deleted meanwhile.
        """

    def add_file_options(self, parser: ArgumentParser) -> None:
        """Add the options of a command that say what a file does not."""

    @abstractmethod
    def of_file(
        self, path: Path, analysis: Analysis[Any, Any], stated: Any, options: Mapping[str, Any]
    ) -> Asked:
        """Read a file, without a database.

        Args:
            path: the file.
            analysis: for which.
            stated: its parameters as somebody stated them.
            options: of the command.

        Raises:
            FormatError: the file cannot be read.
            ParameterError: a parameter has an impossible value, or one that is impossible for this file.
        """
