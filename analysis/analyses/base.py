"""What an analysis is: parameters, inputs, a pure function, a result. And the registry of all of them.

Each module of this package registers its own; nothing else lists them.
"""

import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Generic, Protocol, TypeVar

from analysis.analyses.inputs import Inputs
from metrics.parameters import check_parameters, parameter, parameters_as_text

LEAVING_OUT = ("controls", "references", "without-source", "exclude-systems", "excluded")
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
        sizes: of the parts, in order: how much each tells its progress in all.
        prepare: what all parts need, made once in each process.
        part: the type of what a part gives.
        compute: a part, by what `prepare` made and its number from 0. It is told where to say how much is
            done, every few seconds.
        combine: the result, by what `prepare` made and all parts in order.
    """

    sizes: Callable[[P], Sequence[int]]
    prepare: Callable[[Any, P], Any]
    part: Any
    compute: Callable[[Any, P, int, Callable[[int], None]], Any]
    combine: Callable[[Any, Any, P, Sequence[Any]], R]


@dataclass(frozen=True, slots=True)
class Analysis(Generic[P, R]):
    """An analysis by name.

    Attributes:
        name: in addresses and on the command line.
        title: what pages and jobs call it.
        help: what it computes, in a sentence.
        parameters: the frozen dataclass of its parameters, declared by `metrics.parameters.parameter`.
        result: the frozen dataclass of what comes out, which has the attribute `signature`.
        inputs: the kind of what it reads, which decides whether it is of a campaign or of a corpus.
        columns: the columns of the snapshot that it reads, if it reads judgments.
        compute: does it, by inputs of this kind; or
        chunks: do it, in parts.
        tables: the result for the terminal.
        resolve: gives values to the parameters that depend on whether outputs have scores instead of ranks.
            Raises `ParameterError` for what is impossible there.
        too_much: by attribute of the parameters, what a page or a program may not ask for, and why; files
            that one analyses oneself have no such limits.
        at_once: whether a page computes it within a request where the inputs are small.
        renewed_after: seconds after which a page that somebody looks at has it computed anew, if the inputs
            have changed; None for only when it is asked for.
        is_for_admins: whether researchers may not see it.
    """

    name: str
    title: str
    help: str
    parameters: type[P]
    result: type[R]
    inputs: type[Inputs]
    columns: tuple[str, ...] = ()
    compute: Callable[[Any, P, Progress], R] | None = None
    chunks: Chunks[P, R] | None = None
    tables: Callable[[R], Sequence[Table]] = lambda result: ()
    resolve: Callable[[P, bool], P] | None = None
    too_much: Callable[[P], Mapping[str, str]] = lambda parameters: {}
    at_once: bool = True
    renewed_after: int | None = None
    is_for_admins: bool = False

    def __post_init__(self) -> None:
        """Raises `ValueError` unless there is exactly one way to compute it."""
        if (self.compute is None) == (self.chunks is None):
            raise ValueError(f"{self.name} has to be computed either as a whole or in chunks")

    def resolved(self, parameters: P, *, scored: bool) -> P:
        """The parameters with values for those that the inputs decide.

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
