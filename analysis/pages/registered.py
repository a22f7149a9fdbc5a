"""Registry of the pages of analyses. Each page's module registers it."""

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
        analysis: name of the analysis.
        template: template of the common page; it extends `analysis/page.html`.
        context: makes the template's context from a result, for `user`.
        route: URL name of a page that is not the common one.
        fields: attributes of the parameters in the form of the common page; None for all. The others can be
            set in the address.
        tabs: name shared by several pages that link to each other; empty for a single page.
        label: text of the links between them.
        place: position among them.
        choices: names in the address that choose which part of a result is shown; they are not parameters.
        chosen: makes the further context that depends on these choices, given by name.
    """

    analysis: str
    template: str = ""
    context: Callable[[Request, Any, User], Mapping[str, Any]] = lambda request, result, user: {}
    route: str = ""
    fields: Collection[str] | None = None
    tabs: str = ""
    label: str = ""
    place: int = 0
    choices: Collection[str] = ()
    chosen: Callable[[Request, Any, User, Mapping[str, str]], Mapping[str, Any]] = (
        lambda request, result, user, choices: {}
    )


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
_further: dict[str, list[tuple[str, str]]] = {}


def register_page(page: AnalysisPage, *, is_default: bool = False) -> None:
    """Register a page; a default one only if the analysis has no other."""
    if not is_default or page.analysis not in _registered:
        _registered[page.analysis] = page


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
    """The address of the page of an analysis."""
    if page.route:
        return reverse(page.route, args=[subject.uuid])
    return reverse(routes_of(subject).page, args=[subject.uuid, page.analysis])


def register_further(tabs: str, label: str, route: str) -> None:
    """Link the pages that share these tabs to a page that belongs to no campaign or corpus."""
    _further.setdefault(tabs, []).append((label, route))


def tabs_of(page: AnalysisPage, subject: Subject) -> list[tuple[str, str, bool]]:
    """Label and address of each page with these tabs, and whether it is this one; empty for a single page."""
    members = [other for other in pages().values() if page.tabs and other.tabs == page.tabs]
    further = [(label, reverse(route), False) for label, route in _further.get(page.tabs, ())]
    return [
        *(
            (other.label, address_of(subject, other), other is page)
            for other in sorted(members, key=lambda other: other.place)
        ),
        *further,
    ]


def page_address(request: Request) -> str:
    """The page that shows the result of a request; empty if there is none."""
    page = pages().get(request.analysis.name)
    if page is None:
        return ""
    address = address_of(request.subject, page)
    query = query_of(request.parameters)
    return f"{address}?{query}" if query else address
