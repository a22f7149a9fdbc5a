"""Which page shows which analysis. Each module of a page registers its own."""

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from django.urls import reverse

from analysis.parameters.forms import query_of
from analysis.runs.requests import Request
from annotate.models import User


@dataclass(frozen=True, slots=True)
class AnalysisPage:
    """The page of an analysis.

    Attributes:
        analysis: its name.
        template: what the common page of analyses shows it by; it extends `analysis/page.html`.
        context: what the template needs of a result, which `user` is to see.
        route: the URL name of a page that is not the common one.
    """

    analysis: str
    template: str = ""
    context: Callable[[Request, Any, User], Mapping[str, Any]] = lambda request, result, user: {}
    route: str = ""


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


def page_address(request: Request) -> str:
    """Where the result of a request is shown; empty where no page shows it."""
    page = pages().get(request.analysis.name)
    if page is None:
        return ""
    uuid = request.campaign.uuid
    address = (
        reverse(page.route, args=[uuid]) if page.route else reverse("analysis", args=[uuid, page.analysis])
    )
    query = query_of(request.parameters)
    return f"{address}?{query}" if query else address
