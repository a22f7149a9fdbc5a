"""Registry of the pages of analyses. Each page's module registers it."""

import pkgutil
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from django.urls import reverse

from analysis.analyses.base import AnyAnalysis, Group
from analysis.runs.requests import Request
from analysis.runs.sources import Subject
from annotate.models import Campaign, Corpus, User
from annotate.web.parameter_forms import query_of


@dataclass(frozen=True, slots=True)
class AnalysisPage:
    """The page of an analysis.

    Attributes:
        analysis: name of the analysis.
        template: template of the common page; it extends `analysis/page.html`.
        context: makes the template's context from a result, for `user`.
        route: URL name of a page that is not the common one.
        anchor: where on that page its result is, such as "#agreement"; empty for the beginning.
        fields: attributes of the parameters in the form of the common page; None for all. The others can be
            set in the address.
        tabs, tab, label, place: as of `analysis.analyses.base.Analysis`.
        first: values that parameters have on the page, by name, where the address does not state them.
        choices: names in the address that choose which part of a result is shown; they are not parameters.
        chosen: makes the further context that depends on these choices, given by name.
        said_by: the analysis as its figures and tables say it by these choices.
    """

    analysis: str
    template: str = ""
    context: Callable[[Request, Any, User], Mapping[str, Any]] = lambda request, result, user: {}
    route: str = ""
    anchor: str = ""
    fields: Collection[str] | None = None
    tabs: str = ""
    tab: str = ""
    label: str = ""
    place: int = 0
    first: Callable[[Subject], Mapping[str, str]] = lambda subject: {}
    choices: Collection[str] = ()
    chosen: Callable[[Request, Any, User, Mapping[str, str]], Mapping[str, Any]] = (
        lambda request, result, user, choices: {}
    )
    said_by: Callable[[AnyAnalysis, Mapping[str, str]], AnyAnalysis] = lambda analysis, choices: analysis


@dataclass(frozen=True, slots=True)
class FurtherPage:
    """A page of no single campaign or corpus, which is listed with the analyses of each.

    Attributes:
        subject: whether it is listed with the analyses of campaigns or of corpora.
        title, group, question, help: as of an analysis.
        route: URL name of the page.
        tabs, tab, label, place: as of `AnalysisPage`.
    """

    subject: type[Subject]
    title: str
    group: Group
    question: str
    help: str
    route: str
    tabs: str = ""
    tab: str = ""
    label: str = ""
    place: int = 0


@dataclass(frozen=True, slots=True)
class Link:
    """A link from one page to another.

    Attributes:
        label: its text.
        address: of the other page.
        is_current: whether this is that page.
    """

    label: str
    address: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab of several pages.

    Attributes:
        label: its text.
        links: its pages; with more than one, they are chosen below the tabs.
    """

    label: str
    links: Sequence[Link]

    @property
    def address(self) -> str:
        """The address of the tab's page."""
        return self.links[0].address

    @property
    def is_current(self) -> bool:
        """Whether this page is one of its pages."""
        return any(link.is_current for link in self.links)


@dataclass(frozen=True, slots=True)
class Routes:
    """URL names of the common page.

    Attributes:
        page: page of an analysis.
        compute: address that queues a new computation.
    """

    page: str
    compute: str


ROUTES: Mapping[type[Subject], Routes] = {
    Campaign: Routes("analysis", "compute-analysis"),
    Corpus: Routes("corpus-analysis", "compute-corpus-analysis"),
}

_registered: dict[str, AnalysisPage] = {}
_further: list[FurtherPage] = []


def register_page(page: AnalysisPage, *, is_default: bool = False) -> None:
    """Register a page; a default one only if the analysis has no other."""
    if not is_default or page.analysis not in _registered:
        _registered[page.analysis] = page


@cache
def pages() -> dict[str, AnalysisPage]:
    """All pages by the name of their analysis. The first call loads their modules."""
    for module in pkgutil.walk_packages(import_module("analysis.pages").__path__, "analysis.pages."):
        import_module(module.name)
    import_module("analysis.results.declared_pages")
    return _registered


def routes_of(subject: Subject) -> Routes:
    """The URL names of the common page of a campaign or corpus."""
    return ROUTES[type(subject)]


def address_of(subject: Subject, page: AnalysisPage | FurtherPage) -> str:
    """The address of a page."""
    if isinstance(page, FurtherPage):
        return reverse(page.route)
    if page.route:
        return reverse(page.route, args=[subject.uuid])
    return reverse(routes_of(subject).page, args=[subject.uuid, page.analysis])


def register_further(page: FurtherPage) -> None:
    """List the page with the analyses of every campaign or corpus."""
    _further.append(page)


def further_pages(subject: Subject) -> list[FurtherPage]:
    """The pages that are listed with the analyses of this campaign or corpus."""
    pages()
    return [page for page in _further if isinstance(subject, page.subject)]


def tabs_of(page: AnalysisPage, subject: Subject) -> list[Tab]:
    """The tabs of a page; none for a single page."""
    if not page.tabs:
        return []
    everywhere: list[AnalysisPage | FurtherPage] = [*pages().values(), *further_pages(subject)]
    tabs: dict[str, list[Link]] = {}
    for other in sorted(everywhere, key=lambda each: each.place):
        if other.tabs == page.tabs:
            link = Link(other.label, address_of(subject, other), other is page)
            tabs.setdefault(other.tab or other.label, []).append(link)
    return [Tab(label, links) for label, links in tabs.items()]


def place_of(page: AnalysisPage) -> str:
    """URL name of the place that its tabs belong to; empty if they have none of their own."""
    together = [other for other in pages().values() if page.tabs and other.tabs == page.tabs]
    first = min(together, key=lambda other: other.place, default=page)
    return first.route


def page_address(request: Request) -> str:
    """The page that shows the result of a request; empty if there is none."""
    page = pages().get(request.analysis.name)
    if page is None:
        return ""
    address = address_of(request.subject, page)
    query = query_of(request.parameters)
    return f"{address}?{query}" if query else address
