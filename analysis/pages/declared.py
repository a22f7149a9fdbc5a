"""Pages and files of analyses that declare their tables, figures and headline."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.urls import reverse

from analysis.analyses.base import Analysis, analyses
from analysis.analyses.from_judgments import FromFollowedJudgments
from analysis.pages import shared_files
from analysis.pages.annotators import judges_of
from analysis.pages.registered import AnalysisPage, register_page, routes_of
from analysis.pages.shared_files import SharedFiles, naming_of
from analysis.runs.requests import Request
from annotate.models import Campaign, User
from annotate.web.parameter_forms import query_of
from core.names import Naming
from core.results import Computed, said
from core.tables import FilledTable


def drawn(analysis: Analysis[Any, Any], computed: Computed, naming: Naming) -> dict[str, shared_files.Figure]:
    """The figures of a result by name, without those that have nothing to show."""
    return {
        name: shared_files.Figure(
            said(figure.caption, computed),
            figure.draw(computed, naming, "wide"),
            computed.result.signature,
            figure.draw(computed, naming, "narrow"),
        )
        for name, figure in analysis.figures.items()
        if figure.has_content(computed)
    }


def _page(analysis: Analysis[Any, Any]) -> AnalysisPage:
    def headline(computed: Computed, naming: Naming) -> str:
        return analysis.headline(computed, naming) if analysis.headline else ""

    def tables(computed: Computed, naming: Naming) -> Mapping[str, FilledTable]:
        filled = analysis.filled_tables(computed, naming)
        return {name: table for name, table in filled.items() if table.table.in_files}

    def context(request: Request, result: Any, user: User) -> dict[str, Any]:
        computed, naming = Computed(request.parameters, result), _naming(request, user)
        filled = analysis.filled_tables(computed, naming)
        shown = {name: page for name, table in filled.items() if (page := table.page()).rows}
        return {
            "headline": headline(computed, naming),
            "lead": analysis.lead(computed, naming),
            "naming": naming,
            "tables": shown,
            "table_files": tables(computed, naming),
            "files": reverse(routes_of(request.subject).page, args=[request.subject.uuid, analysis.name]),
            "figures": {
                name: said(figure.caption, computed)
                for name, figure in analysis.figures.items()
                if figure.has_content(computed)
            },
            "nothing": said(analysis.nothing, computed),
            "query": query_of(request.parameters),
            "other_judgments": _other_judgments(request),
            "is_combined": _is_combined(request),
        }

    files = SharedFiles(headline, lambda computed, naming: drawn(analysis, computed, naming), tables)
    return AnalysisPage(
        analysis.name,
        analysis.template,
        context,
        fields=analysis.fields,
        group=analysis.group,
        label=analysis.label,
        place=analysis.place,
        files=files if analysis.is_publishable else None,
    )


def _naming(request: Request, user: User) -> Naming:
    naming = naming_of(request.subject)
    if not isinstance(request.subject, Campaign):
        return naming
    judges = judges_of(request.subject, may_see_names=user.may_see_names, combined=_is_combined(request))
    return replace(naming, judges=judges)


def _other_judgments(request: Request) -> str | None:
    """The address with, or without, the judgments of the campaigns that a follow-up follows."""
    if not (isinstance(request.parameters, FromFollowedJudgments) and request.campaign.follows):
        return None
    return query_of(replace(request.parameters, combined=not request.parameters.combined))


def _is_combined(request: Request) -> bool:
    return isinstance(request.parameters, FromFollowedJudgments) and request.parameters.combined


for _analysis in analyses().values():
    if _analysis.headline is not None:
        register_page(_page(_analysis))
