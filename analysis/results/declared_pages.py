"""Pages and files of analyses that declare their tables, figures and headline."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.urls import reverse

from analysis.analyses.base import AnyAnalysis, UnknownOptionError, analyses
from analysis.analyses.from_judgments import MAY_ADD_FOLLOWED, adds_followed
from analysis.results import shared_files
from analysis.results.registered_pages import AnalysisPage, register_page, routes_of
from analysis.results.shared_files import described, naming_of
from analysis.runs.requests import Request
from annotate.campaigns.follow_ups.one_sample import asks_about_newcomers
from annotate.models import User
from annotate.web.parameter_forms import query_of
from core.names import Naming
from core.results import LAYOUTS, Computed, Layout, Section, named, said
from core.tables import FilledTable, PageTable

Further = Callable[[Request, Computed, User], Mapping[str, object]]


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """A figure on a page.

    Attributes:
        name: in the address of its files.
        caption: what it shows.
        description: what it shows and finds, for people who cannot see it.
        note: how to read it, in Markdown.
        stated: query of its files.
        others: title and query of each other option that it can show.
        heights: in pixels by layout, if they are declared.
    """

    name: str
    caption: str
    description: str
    note: str
    stated: str
    others: Sequence[tuple[str, str]]
    heights: Mapping[Layout, int]


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table on a page.

    Attributes:
        name: in the address of its files.
        page: its cells.
        note: how to read it, in Markdown.
        has_files: whether it can be downloaded.
        figure: the figure that its rows draw on the page; None if there is none.
    """

    name: str
    page: PageTable
    note: str
    has_files: bool
    figure: ShownFigure | None


@dataclass(frozen=True, slots=True)
class ShownSection:
    """A section of a page; attributes as of `core.results.Section`."""

    title: str
    text: str
    figures: Sequence[ShownFigure]
    tables: Sequence[ShownTable]
    note: str = ""
    is_folded: bool = False


def drawn_figures(
    analysis: AnyAnalysis, computed: Computed, naming: Naming
) -> dict[str, shared_files.Figure]:
    """The figures of a result, and of the one beside, by name, without those that have nothing to show.

    A figure of a choice is drawn for each option, with the option's number in its name.
    """
    return {
        f"{name}-{place}" if figure.by else name: shared_files.Figure(
            said(figure.caption, option),
            described(each, figure, option, naming),
            figure.draw(option, naming, "wide"),
            option.signature(of_beside=figure.is_of_beside),
            figure.draw(option, naming, "narrow"),
            figure.of_table,
        )
        for each, shown in analysis.with_beside(computed)
        for name, figure in each.figures.items()
        for place, option in enumerate(each.options_of(figure.by, shown), start=1)
        if figure.has_content(option)
    }


def published_tables(analysis: AnyAnalysis, computed: Computed, naming: Naming) -> dict[str, FilledTable]:
    """The tables of a published result, and of the one beside, by name; numbered as figures are."""
    return {
        f"{name}-{place}" if table.by else name: table.of(option, naming)
        for each, shown in analysis.with_beside(computed)
        if not callable(each.tables)
        for name, table in each.tables.items()
        if table.in_files and table.is_published
        for place, option in enumerate(each.options_of(table.by, shown), start=1)
    }


def declared_page(
    analysis: AnyAnalysis, further: Further = lambda request, computed, user: {}
) -> AnalysisPage:
    """The page of an analysis that declares its headline; `further` adds to the context of its template."""

    def context(request: Request, result: object, user: User, asked: Mapping[str, str]) -> dict[str, object]:
        try:
            computed = analysis.shown(request.parameters, result, asked=asked)
        except UnknownOptionError:
            computed = analysis.shown(request.parameters, result)
        naming = naming_of(request.subject, request.parameters, may_see_names=user.may_see_names)
        sections = _sections(analysis, computed, naming)
        return {
            "computed": computed,
            "finding": analysis.finding(computed, naming),
            "sections": sections,
            "is_empty": not any(section.figures or section.tables for section in sections),
            "choices": _choices(analysis, computed),
            "naming": naming,
            "files": reverse(routes_of(request.subject).page, args=[request.subject.uuid, analysis.name]),
            "nothing": said(analysis.nothing, computed),
            "explanation": said(analysis.explanation, computed),
            "query": query_of(request.parameters),
            "stated": _query(analysis, computed),
            "other_judgments": _other_judgments(request),
            "is_combined": adds_followed(request.parameters),
            **further(request, computed, user),
        }

    return AnalysisPage(
        analysis.name,
        analysis.template,
        route=analysis.route,
        fields=analysis.fields,
        tabs=analysis.tabs,
        tab=analysis.tab,
        label=analysis.label,
        place=analysis.place,
        choices=tuple(analysis.choices),
        chosen=context,
    )


def _sections(analysis: AnyAnalysis, computed: Computed, naming: Naming) -> list[ShownSection]:
    """The finding with everything that no further section names, then the further sections with content."""
    figures = {
        name: figure
        for name in analysis.figures
        if (figure := _shown_figure(analysis, name, computed, naming)) is not None
    }
    of_tables = {
        table: figures.pop(name) for name in [*figures] if (table := analysis.figures[name].of_table)
    }
    tables = {
        name: ShownTable(
            name,
            page,
            named(filled.table.note, computed, naming),
            filled.table.in_files,
            of_tables.get(name),
        )
        for name, filled in analysis.filled_tables(computed, naming).items()
        if (page := filled.page()).rows or (filled.table.in_files and not filled.has_page)
    }
    finding = Section(
        title="",  # The heading of the page is above it.
        text=analysis.lead,
        figures=[name for name in figures if not any(name in each.figures for each in analysis.sections)],
        tables=[name for name in tables if not any(name in each.tables for each in analysis.sections)],
    )
    shown = [
        ShownSection(
            said(section.title, computed),
            named(section.text, computed, naming),
            [figures[name] for name in section.figures if name in figures],
            [tables[name] for name in section.tables if name in tables],
            named(section.note, computed, naming),
            section.is_folded(computed) if callable(section.is_folded) else section.is_folded,
        )
        for section in (finding, *analysis.sections)
    ]
    return [
        section
        for place, section in enumerate(shown)
        if not place or section.figures or section.tables or section.note
    ]


def _shown_figure(analysis: AnyAnalysis, name: str, computed: Computed, naming: Naming) -> ShownFigure | None:
    """The figure with the chosen option, or else the first that has something to show; None if none has."""
    figure = analysis.figures[name]
    drawable = [each for each in analysis.options_of(figure.by, computed) if figure.has_content(each)]
    if not drawable:
        return None
    shown = next((each for each in drawable if each.chosen == computed.chosen), drawable[0])
    titles = analysis.choices[figure.by].options(computed) if figure.by else {}
    others = [
        (titles[each.chosen[figure.by]], _query(analysis, each)) for each in drawable if each is not shown
    ]
    return ShownFigure(
        name,
        said(figure.caption, shown),
        described(analysis, figure, shown, naming),
        named(figure.note, shown, naming),
        _query(analysis, shown),
        others,
        {layout: figure.height(shown, layout) for layout in LAYOUTS} if figure.height else {},
    )


def _choices(analysis: AnyAnalysis, computed: Computed) -> list[tuple[str, list[tuple[str, str, bool]]]]:
    """The choices of the whole page: label; title, query and whether it is shown of each option."""
    return [
        (
            choice.label,
            [
                (
                    title,
                    _query(analysis, replace(computed, chosen={**computed.chosen, name: option})),
                    option == computed.chosen[name],
                )
                for option, title in choice.options(computed).items()
            ],
        )
        for name, choice in analysis.page_choices.items()
    ]


def _query(analysis: AnyAnalysis, computed: Computed) -> str:
    """The query of the parameters and of the options that are not the first ones."""
    usual = analysis.shown(computed.parameters, computed.result).chosen
    chosen = {name: option for name, option in computed.chosen.items() if option != usual[name]}
    return "&".join(filter(None, [query_of(computed.parameters), urlencode(chosen)]))


def _other_judgments(request: Request) -> str | None:
    """The address with, or without, the judgments of the campaigns that a follow-up follows."""
    if not (isinstance(request.parameters, MAY_ADD_FOLLOWED) and request.campaign.follows):
        return None
    if asks_about_newcomers(request.campaign):
        return None
    return query_of(replace(request.parameters, combined=not request.parameters.combined))


for _analysis in analyses().values():
    if _analysis.headline is not None:
        register_page(declared_page(_analysis), is_default=True)
