"""What an analysis is: parameters, inputs, a pure function, a result. And the registry of all of them.

Each module of this package registers its own; nothing else lists them.
"""

import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Generic, Protocol, TypeVar

import pandas as pd

from assay import __version__
from formats.snapshots import content_hash
from metrics.parameters import check_parameters, parameter, parameters_as_text
from ranking import without_systems
from ranking.snapshot import system_names

DIGITS_OF_DIGEST = 16
"""Of a content hash, as signatures show it."""

LEAVING_OUT = ("controls", "excluded")
"""Names of the parameters that say what to leave out of a campaign's judgments."""

P = TypeVar("P")
R = TypeVar("R")


class Progress(Protocol):
    """How a computation says how far it is, which is also where it may be stopped."""

    def begin(self, step: str, *, total: int = 0) -> None:
        """Say what comes now, and of how many parts it is, where that is known."""

    def advance(self, parts: int) -> None:
        """Say that so many more parts are done."""


class Untold:
    """Progress that nobody looks at."""

    def begin(self, step: str, *, total: int = 0) -> None:
        """Nobody is told."""

    def advance(self, parts: int) -> None:
        """Nobody is told."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What an analysis leaves out, by name.

    Attributes:
        systems: whether they were judged or not.
        annotators: as the snapshot calls them.
    """

    systems: tuple[str, ...] = ()
    annotators: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The part of a signature that says so."""
        systems = "|without:" + "+".join(self.systems) if self.systems else ""
        excluded = len(self.annotators)
        return systems + (f"|excluded-annotators:{excluded}" if excluded else "")

    def counted(self, snapshot: pd.DataFrame) -> pd.DataFrame:
        """The part of a snapshot that counts; itself, where nothing is left out."""
        left_out = snapshot["annotator"].isin(self.annotators)
        kept = snapshot[~left_out] if left_out.any() else snapshot
        judged = set(system_names(kept)).intersection(self.systems)
        return without_systems(kept, judged) if judged else kept


@dataclass(frozen=True, slots=True, eq=False)
class Judgments:
    """The inputs of an analysis of judgments.

    Attributes:
        snapshot: the judgments that count, in the columns that the analysis reads.
        digest: SHA-256 of the same judgments in all columns, in hexadecimal.
        left_out: what is not among them.
        roles: the role of each system, by name; empty where roles are not known.
        source: the system that leaves each sentence as it is; None where it is not known.
    """

    snapshot: pd.DataFrame
    digest: str
    left_out: LeftOut
    roles: Mapping[str, str]
    source: str | None

    def signature(self, what: str) -> str:
        """What was computed, of which judgments, by which version: equal signatures mean equal numbers."""
        return f"{what}{self.left_out}|snapshot:{self.digest[:DIGITS_OF_DIGEST]}|assay:{__version__}"


def judgments(
    snapshot: pd.DataFrame,
    columns: Sequence[str],
    *,
    left_out: LeftOut | None = None,
    roles: Mapping[str, str] | None = None,
    source: str | None = None,
) -> Judgments:
    """The inputs of an analysis that reads these columns, those of them that the snapshot has."""
    left_out = left_out or LeftOut()
    counted = left_out.counted(snapshot)
    present = [column for column in columns if column in counted.columns]
    return Judgments(counted[present], content_hash(counted), left_out, roles or {}, source)


@dataclass(frozen=True, slots=True)
class Table:
    """A part of a result for the terminal.

    Attributes:
        title: its heading; may be empty.
        columns: their headings.
        rows: texts, numbers and None for what is not known, one for each column.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | float | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Chunks(Generic[P, R]):
    """The parts of a long analysis, each stored when it is done: a killed worker costs no more than one.

    A part depends on the inputs, the parameters and its number alone, so that it does not matter which
    process computes it, nor when.

    Attributes:
        number: how many there are.
        prepare: what all parts need, made once in each process.
        part: the type of what a part gives.
        compute: a part, by what `prepare` made and its number from 0.
        combine: the result, by what `prepare` made and all parts in order.
    """

    number: Callable[[P], int]
    prepare: Callable[[Judgments, P], Any]
    part: Any
    compute: Callable[[Any, P, int], Any]
    combine: Callable[[Judgments, Any, P, Sequence[Any]], R]


@dataclass(frozen=True, slots=True)
class Analysis(Generic[P, R]):
    """An analysis by name.

    Attributes:
        name: in addresses and on the command line.
        title: what pages and jobs call it.
        help: what it computes, in a sentence.
        parameters: the frozen dataclass of its parameters, declared by `metrics.parameters.parameter`.
        result: the frozen dataclass of what comes out, which has the attribute `signature`.
        columns: the columns of the snapshot that it reads.
        compute: does it; or
        chunks: do it, in parts.
        tables: the result for the terminal.
        resolve: gives values to the parameters that depend on whether outputs have scores instead of ranks.
            Raises `ParameterError` for what is impossible there.
        too_much: by attribute of the parameters, what a page or a program may not ask for, and why; files
            that one analyses oneself have no such limits.
        at_once: whether a page computes it within a request where judgments are few.
        is_for_admins: whether researchers may not see it.
    """

    name: str
    title: str
    help: str
    parameters: type[P]
    result: type[R]
    columns: tuple[str, ...]
    compute: Callable[[Judgments, P, Progress], R] | None = None
    chunks: Chunks[P, R] | None = None
    tables: Callable[[R], Sequence[Table]] = lambda result: ()
    resolve: Callable[[P, bool], P] | None = None
    too_much: Callable[[P], Mapping[str, str]] = lambda parameters: {}
    at_once: bool = True
    is_for_admins: bool = False

    def __post_init__(self) -> None:
        """Raises `ValueError` unless there is exactly one way to compute it."""
        if (self.compute is None) == (self.chunks is None):
            raise ValueError(f"{self.name} has to be computed either as a whole or in chunks")

    def resolved(self, parameters: P, *, scored: bool) -> P:
        """The parameters with values for those that the judgments decide.

        Raises:
            ParameterError: some have impossible values, or values that are impossible here.
        """
        check_parameters(parameters)
        return self.resolve(parameters, scored) if self.resolve else parameters


class UnknownAnalysisError(ValueError):
    """There is no analysis of that name; the message lists those there are."""


_registered: dict[str, Analysis[Any, Any]] = {}


def register(analysis: Analysis[P, R]) -> Analysis[P, R]:
    """Let everybody find the analysis by its name."""
    if analysis.name in _registered:
        raise ValueError(f"two analyses are called {analysis.name!r}")
    _registered[analysis.name] = analysis
    return analysis


@cache
def analyses() -> dict[str, Analysis[Any, Any]]:
    """All analyses by name. The first call loads their modules."""
    package = __name__.rpartition(".")[0]
    for module in pkgutil.iter_modules(import_module(package).__path__):
        import_module(f"{package}.{module.name}")
    return _registered


def analysis_named(name: str) -> Analysis[Any, Any]:
    """The analysis of a name.

    Raises:
        UnknownAnalysisError: there is none.
    """
    if name not in analyses():
        raise UnknownAnalysisError(
            f"there is no analysis {name!r}; analyses are: {', '.join(sorted(analyses()))}"
        )
    return analyses()[name]


def stated(name: str, parameters: object) -> str:
    """The part of a signature that says what is computed, with all parameters.

    Those that leave something out are not named: what they leave out is, and how many annotators.
    """
    values = parameters_as_text(parameters).items()
    return "|".join([name, *(f"{key}:{value}" for key, value in values if key not in LEAVING_OUT)])


def with_controls() -> Any:
    """The parameter that counts systems of the role *control* among the others."""
    return parameter(False, label="With controls", help="Systems of the role control, among the others.")


def with_excluded() -> Any:
    """The parameter that counts the judgments of annotators whom an admin has excluded."""
    return parameter(False, label="With excluded annotators", help="Judgments of excluded annotators too.")
