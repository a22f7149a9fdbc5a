"""Which page shows which analysis. Each module of a page registers its own."""

import pkgutil
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from django.urls import reverse

from analysis.runs.requests import Request
from analysis.runs.sources import Subject
from annotate.models import Campaign, Corpus, User
from annotate.web.parameter_forms import query_of


@dataclass(frozen=True, slots=True)
class AnalysisPage:
    """The page of an analysis.

    Attributes:
        analysis: its name.
        template: what the common page of analyses shows it by; it extends `analysis/page.html`.
        context: what the template needs of a result, which `user` is to see.
        route: the URL name of a page that is not the common one.
        fields: attributes of the parameters that the form of the common page shows; None for all. Others can
            be stated in the address.
        group: URL name of the first of several pages that link to each other; empty for a page alone.
        label: what the links between them call it.
        place: they come in the order of these numbers.
    """

    analysis: str
    template: str = ""
    context: Callable[[Request, Any, User], Mapping[str, Any]] = lambda request, result, user: {}
    route: str = ""
    fields: Collection[str] | None = None
    group: str = ""
    label: str = ""
    place: int = 0


@dataclass(frozen=True, slots=True)
class Routes:
    """URL names of the common page.

    Attributes:
        page: of an analysis.
        compute: where it is asked for anew.
    """

    page: str
    compute: str


ROUTES: Mapping[type[Subject], Routes] = {
    Campaign: Routes("analysis", "compute-analysis"),
    Corpus: Routes("corpus-analysis", "compute-corpus-analysis"),
}

_registered: dict[str, AnalysisPage] = {}


def register_page(page: AnalysisPage) -> AnalysisPage:
    """Let results be shown by this page."""
    _registered[page.analysis] = page
    return page


@cache
def pages() -> dict[str, AnalysisPage]:
    """All pages by the name of their analysis. The first call loads their modules."""
    package = __name__.rpartition(".")[0]
    for module in pkgutil.iter_modules(import_module(package).__path__):
        import_module(f"{package}.{module.name}")
    return _registered


def routes_of(subject: Subject) -> Routes:
    """The URL names of the common page of a campaign or corpus."""
    return ROUTES[type(subject)]


def address_of(subject: Subject, page: AnalysisPage) -> str:
    """Where the analysis of a campaign or corpus is shown."""
    if page.route:
        return reverse(page.route, args=[subject.uuid])
    return reverse(routes_of(subject).page, args=[subject.uuid, page.analysis])


def grouped_with(page: AnalysisPage, subject: Subject) -> list[tuple[str, str, bool]]:
    """Label and address of each page of the same group, and whether it is this one; none for a page alone."""
    members = [other for other in pages().values() if page.group and other.group == page.group]
    return [
        (other.label, address_of(subject, other), other is page)
        for other in sorted(members, key=lambda other: other.place)
    ]


def page_address(request: Request) -> str:
    """Where the result of a request is shown; empty where no page shows it."""
    page = pages().get(request.analysis.name)
    if page is None:
        return ""
    address = address_of(request.subject, page)
    query = query_of(request.parameters)
    return f"{address}?{query}" if query else address
