"""Analyses: parameters, inputs, a pure function and a result, and the registry of all analyses.

Each module of this package registers its analysis; there is no other list.
"""

import pkgutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import cache
from importlib import import_module
from itertools import product
from typing import Any, Generic, TypeVar

from analysis.analyses.analysis_inputs import Inputs
from analysis.analyses.rules import stated_rule
from core import tables as declared
from core.marks import Mark
from core.names import Naming
from core.parameters import check_parameters, parameter, parameters_as_text
from core.progress import Progress
from core.results import Choice, Computed, Figure, NamedWords, Section, Words
from formats.snapshot.vocabulary import AnswerKind

LEAVING_OUT = (
    *("controls", "references", "with-source", "exclude-systems", "excluded"),
    *("combined", "machines", "machine", "domain", "scale"),
)
"""Names of the parameters that choose the judgments."""

BOTH_COUNT = "Judgments of machines count beside those of people."

ADDED_LATER = frozenset(
    {
        *("weights", "combined", "tested_by", "machines", "with_machines", "with_opinions"),
        *("domain", "scale", "machine"),
    }
)
"""Attributes of requests that they name only where they are not usual, so that kept results stay."""

SCALE = "scale"
"""The parameter, and its attribute, that takes the points on one scale as scores."""

MACHINES = "machines"
"""The parameter, and its attribute, that includes judgments of machines."""

PEOPLE_AND_MACHINES = "People and machines"
"""What headlines and figures say where judgments of machines count beside those of people."""

WEIGHTED, UNWEIGHTED = "propensities", "none"

P = TypeVar("P")
R = TypeVar("R")


class Group(StrEnum):
    """The subject of an analysis's question. Pages list analyses by it, in this order."""

    SYSTEMS = "systems"
    ANNOTATORS = "annotators"
    METRICS = "metrics"
    REFERENCES = "references"
    PLANNING = "planning"


@dataclass(frozen=True, slots=True)
class Table:
    """A part of a result for the terminal.

    Attributes:
        title: heading; may be empty.
        columns: headings of the columns.
        rows: for each column a text, a number, or None for an unknown value.
        are_numbers: for each column, whether its texts are numbers; empty if numbers are no texts.
        drawn: the place of the column that pages draw; None if there is none.
        drawn_as: heading of the drawing.
        marks: for each row what is drawn; None without a value.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | float | None, ...], ...]
    are_numbers: tuple[bool, ...] = ()
    drawn: int | None = None
    drawn_as: str = ""
    marks: tuple[Mark | None, ...] = ()

    @property
    def texts(self) -> list[list[str]]:
        """The rows as texts: a dash for an unknown value, numbers with three decimals unless whole."""
        return [[_text(value) for value in row] for row in self.rows]


def _text(value: str | float | None) -> str:
    match value:
        case None:
            return "–"
        case str():
            return value
        case int():
            return f"{value:,}"
        case _:
            return f"{value:.3f}"


@dataclass(frozen=True, slots=True)
class Chunks(Generic[P, R]):
    """The parts of a long analysis, each stored when it is done, so that a killed worker loses only one.

    A part depends only on the inputs, the parameters and its number, so any process can compute it at any
    time.

    Attributes:
        sizes: total progress that each part reports, in order.
        prepare: makes what all parts need, once in each process.
        part: type of a part's result.
        compute: computes a part from the result of `prepare` and its number from 0, and reports progress
            every few seconds.
        combine: makes the result from the result of `prepare` and all parts in order.
    """

    sizes: Callable[[P], Sequence[int]]
    prepare: Callable[[Any, P], Any]
    part: Any
    compute: Callable[[Any, P, int, Callable[[int], None]], Any]
    combine: Callable[[Any, Any, P, Sequence[Any]], R]


AnyChunks = Chunks[Any, Any]
"""The parts of an analysis, whatever its parameters and result."""


@dataclass(frozen=True, slots=True, eq=False)
class Analysis(Generic[P, R]):
    """A registered analysis.

    Attributes:
        name: name in addresses and on the command line.
        title: title on pages and of jobs.
        group: what it asks about.
        question: the question that it answers, in one line.
        help: what it computes, in one sentence.
        defined_in: section of the documentation that defines it, as a link from `docs/`.
        parameters: frozen dataclass of its parameters, declared by `core.parameters.parameter`.
        result: frozen dataclass of the result, with an attribute `signature`.
        inputs: kind of inputs, which decides whether it belongs to a campaign or a corpus.
        columns: the columns of the snapshot that it reads, if it reads judgments.
        answers: the kind of answers that it is about; None for answers of any kind, or if its inputs say it.
        compute: computes the result from inputs of this kind; or
        chunks: the parts that compute it.
        tables: by name, tables of the result, for its page, files, terminals and published results; or makes
            those of terminals and published results, for an analysis whose page module makes the others.
        figures: by name, figures for its page, files and published results.
        choices: by name in addresses, what readers choose to see of one result.
        headline: the finding in a sentence, which heads the page; None if a page module makes the page.
        lead: how to read the result, in Markdown, below the headline; names that users chose go through
            `core.wording.literal`.
        sections: further sections of the page; figures and tables that they do not name stand below the lead.
        explanation: how it is computed, in Markdown, for the page.
        nothing: what the page says if no table has a row.
        fields: attributes of the parameters in the form of the page; None for all. The others can be set in
            the address.
        template: of the page; it extends `analysis/result.html`.
        route: URL name of a page that has an address of its own.
        tabs: name shared by several pages that link to each other; empty for a single page.
        tab: text of the tab of several of these pages, which are chosen below it; empty for a tab of its own.
        label: text of the link to the page.
        place: position in lists and among tabs.
        methods: describes parameters and result in sentences for a paper; every number in them comes from
            these. None if results cannot be published.
        resolve: sets parameters that depend on whether outputs have scores instead of ranks. Raises
            `ParameterError` for impossible values.
        too_much: by attribute of the parameters, why pages and the API refuse a value. Analyses of local
            files have no such limits.
        at_once: whether a page computes it within a request if the inputs are small.
        renewed_after: seconds after which viewing the page computes it again if the inputs have changed and
            that is short; None to compute only on request.
        is_for_admins: whether only admins may see it.
        beside: name of the analysis of the same inputs that is computed and shown beside it, and whose
            parameters are attributes of this one's; empty for none.
        fewest_references: number of references that some sentence of a corpus needs; 0 if it needs none.
        needs_domains: whether some judged sentence has to have a domain.
    """

    name: str
    title: str
    group: Group
    question: str
    help: str
    parameters: type[P]
    result: type[R]
    inputs: type[Inputs]
    defined_in: str = ""
    columns: tuple[str, ...] = ()
    answers: AnswerKind | None = None
    compute: Callable[[Any, P, Progress], R] | None = None
    chunks: Chunks[P, R] | None = None
    tables: Mapping[str, declared.Table] | Callable[[R], Sequence[Table]] = lambda result: ()
    figures: Mapping[str, Figure] = field(default_factory=dict)
    choices: Mapping[str, Choice] = field(default_factory=dict)
    headline: Callable[[Computed, Naming], str] | None = None
    lead: NamedWords = ""
    sections: Sequence[Section] = ()
    explanation: Words = ""
    nothing: Words = "There is nothing to show yet. The page fills with the first judgments."
    fields: Collection[str] | None = None
    template: str = "analysis/result.html"
    route: str = ""
    tabs: str = ""
    tab: str = ""
    label: str = ""
    place: int = 0
    methods: Callable[[P, R], Sequence[str]] | None = None
    resolve: Callable[[P, bool], P] | None = None
    too_much: Callable[[P], Mapping[str, str]] = lambda parameters: {}
    at_once: bool = True
    renewed_after: int | None = None
    is_for_admins: bool = False
    beside: str = ""
    fewest_references: int = 0
    needs_domains: bool = False

    def __post_init__(self) -> None:
        """Raises `ValueError` unless exactly one of `compute` and `chunks` is given."""
        if (self.compute is None) == (self.chunks is None):
            raise ValueError(f"{self.name} has to be computed either as a whole or in chunks")

    @property
    def is_publishable(self) -> bool:
        """Whether its results can be published."""
        return self.methods is not None

    @property
    def all_columns(self) -> tuple[str, ...]:
        """The columns that it and the analysis beside read."""
        beside = analysis_named(self.beside).columns if self.beside else ()
        return tuple(dict.fromkeys([*self.columns, *beside]))

    def parameters_beside(self, parameters: P) -> Any:
        """The parameters of the analysis beside."""
        other = analysis_named(self.beside).parameters
        return other(**{each.name: getattr(parameters, each.name) for each in fields(other)})

    def methods_of(self, computed: Computed) -> list[str]:
        """The computation in sentences for a paper; none if its results cannot be published."""
        if self.methods is None:
            return []
        domain, scale = domain_of(computed.parameters), scale_of(computed.parameters)
        alone = [f"Only the sentences of the domain {domain} count."] if domain else []
        by = [f"The scores are the points on the scale {scale}."] if scale else []
        machines = [BOTH_COUNT] if includes_machines(computed.parameters) else []
        return [*self.methods(computed.parameters, computed.result), *alone, *by, *machines]

    def with_beside(self, computed: Computed) -> "list[tuple[AnyAnalysis, Computed]]":
        """This analysis, and the one beside it if that was computed too, each with its result."""
        if computed.beside is None:
            return [(self, computed)]
        other, parameters = analysis_named(self.beside), self.parameters_beside(computed.parameters)
        return [(self, computed), (other, other.shown(parameters, computed.beside))]

    def shown(
        self, parameters: P, result: R, *, beside: object = None, asked: Mapping[str, str] | None = None
    ) -> Computed:
        """The result with the option of each choice that is asked for by name, or else the usual one.

        Raises:
            UnknownOptionError: a choice has no such option.
        """
        chosen: dict[str, str] = {}
        for name, choice in self.choices.items():
            computed = Computed(parameters, result, beside, {**chosen})
            options = choice.options(computed)
            usual = next(iter(options), "") if choice.usual is None else choice.usual(computed)
            option = (asked or {}).get(name) or usual
            if options and option not in options:
                raise UnknownOptionError(f"{name} has no option {option!r}")
            chosen[name] = option
        return Computed(parameters, result, beside, chosen)

    def parts(self) -> list[tuple[str, str]]:
        """The declared figures and tables, each with the ending of one of its files."""
        tables = {} if callable(self.tables) else self.tables
        return [
            *((name, "svg") for name in self.figures),
            *((name, "csv") for name, table in tables.items() if table.in_files),
        ]

    def finding(self, computed: Computed, naming: Naming) -> str:
        """The headline, which says if one domain, one scale or judgments of machines count; empty without."""
        if self.headline is None:
            return ""
        who = PEOPLE_AND_MACHINES if includes_machines(computed.parameters) else ""
        asked = domain_of(computed.parameters), scale_of(computed.parameters)
        counts = ", ".join(filter(None, [*asked, who]))
        said_of = f"{counts}: " if counts else ""
        return said_of + self.headline(computed, naming)

    def filled_tables(self, computed: Computed, naming: Naming) -> dict[str, declared.FilledTable]:
        """The declared tables of a result by name."""
        if callable(self.tables):
            return {}
        return {name: table.of(computed, naming) for name, table in self.tables.items()}

    def printed_tables(self, computed: Computed, naming: Naming) -> Sequence[Table]:
        """The tables of a result for terminals and published results, with each option of its choices."""
        if callable(self.tables):
            return self.tables(computed.result)
        pages = [
            page
            for analysis, of_analysis in self.with_beside(computed)
            if not callable(analysis.tables)
            for shown in analysis._shown_options(of_analysis)
            for table in analysis.tables.values()
            for option in analysis.options_of(table.by, shown)
            if (page := table.of(option, naming).printed()).rows
        ]
        printed = (printed_table(page, page.caption if len(pages) > 1 else "") for page in pages)
        return list(dict.fromkeys(printed))

    @property
    def page_choices(self) -> dict[str, Choice]:
        """The choices that concern the whole page, since no figure has them for itself."""
        of_figures = {figure.by for figure in self.figures.values()}
        return {name: choice for name, choice in self.choices.items() if name not in of_figures}

    def options_of(self, choice: str, computed: Computed) -> list[Computed]:
        """The result with each option of the choice of this name; as it is without a name."""
        if not choice:
            return [computed]
        options = self.choices[choice].options(computed)
        return [replace(computed, chosen={**computed.chosen, choice: option}) for option in options]

    def _shown_options(self, computed: Computed) -> list[Computed]:
        """The result with each combination of options of these choices."""
        options = [choice.options(computed) or ("",) for choice in self.page_choices.values()]
        return [
            replace(computed, chosen={**computed.chosen, **dict(zip(self.page_choices, chosen, strict=True))})
            for chosen in product(*options)
        ]

    def resolved(self, parameters: P, *, scored: bool) -> P:
        """The parameters, with values for those that depend on the inputs.

        Raises:
            ParameterError: a value is invalid, or impossible for these inputs.
        """
        check_parameters(parameters)
        return self.resolve(parameters, scored) if self.resolve else parameters


def printed_table(page: declared.PageTable, title: str) -> Table:
    """The table as texts; notes of the headings of rows have a column of their own, so names stay names."""
    drawn = next((place for place, scale in enumerate(page.scales) if scale is not None), None)
    has_notes = any(heading.note for heading, *_ in page.rows)
    return Table(
        title,
        (*(column.heading or column.label for column in page.columns), *([REMARK] if has_notes else [])),
        tuple((*_printed(row), *([row[0].note] if has_notes else [])) for row in page.rows),
        (*(column.css == "number" for column in page.columns), *([False] if has_notes else [])),
        drawn,
        "" if drawn is None else getattr(page.columns[drawn], "drawn", ""),
        () if drawn is None else tuple(row[drawn].mark for row in page.rows),
    )


def _printed(row: Sequence[declared.Cell]) -> Iterator[str]:
    heading, *cells = row
    yield heading.text
    yield from (f"{cell.text} {cell.note}" if cell.note else cell.text for cell in cells)


REMARK = "Remark"


class UnknownOptionError(ValueError):
    """A choice has no such option."""


class UnknownAnalysisError(ValueError):
    """There is no analysis of that name; the message lists the existing ones."""


AnyAnalysis = Analysis[Any, Any]
"""An analysis, whatever its parameters and result."""

_registered: dict[str, AnyAnalysis] = {}


def register(analysis: Analysis[P, R]) -> Analysis[P, R]:
    """Make the analysis available by its name."""
    if analysis.name in _registered:
        raise ValueError(f"two analyses are called {analysis.name!r}")
    _registered[analysis.name] = analysis
    return analysis


@cache
def analyses() -> dict[str, AnyAnalysis]:
    """All analyses by name. The first call loads their modules."""
    package = __name__.rpartition(".")[0]
    for module in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
        import_module(module.name)
    return _registered


def analysis_named(name: str) -> AnyAnalysis:
    """The analysis of a name.

    Raises:
        UnknownAnalysisError: there is no such analysis.
    """
    if name not in analyses():
        raise UnknownAnalysisError(
            f"there is no analysis {name!r}; analyses are: {', '.join(sorted(analyses()))}"
        )
    return analyses()[name]


def stated(name: str, parameters: object) -> str:
    """The part of a signature for analysis, the version of its rule, and parameters.

    It omits parameters that choose judgments; instead the signature states domain, scale, excluded systems
    and the number of excluded annotators, and the hash of the judgments.
    """
    values = parameters_as_text(parameters).items()
    chosen = (f"{key}:{value}" for key, value in values if key not in LEAVING_OUT)
    return "|".join([f"{name}{stated_rule(name)}", *chosen])


def domain_of(parameters: object) -> str:
    """The domain whose sentences alone count; empty if all do."""
    return getattr(parameters, "domain", None) or ""


def scale_of(parameters: object) -> str:
    """The scale whose points are the scores; empty for scores by all of them, or without scales."""
    return getattr(parameters, "scale", None) or ""


def with_controls() -> bool:
    """The parameter that includes systems of the role *control*."""
    return parameter(False, label="With controls", help="Include systems with the role control.")


def with_machines() -> bool:
    """The parameter that includes judgments of machines."""
    return parameter(False, label="With machines", help="Count judgments of machines beside those of people.")


def counts_on_machine(parameters: object) -> bool:
    """Whether a machine is asked for, whose answers correct what people say."""
    return getattr(parameters, "machine", None) is not None


def includes_machines(parameters: object) -> bool:
    """Whether judgments of machines count."""
    return bool(getattr(parameters, MACHINES, False))


def with_excluded() -> bool:
    """The parameter that includes judgments of excluded annotators."""
    return parameter(
        False, label="With excluded annotators", help="Include judgments of excluded annotators."
    )
