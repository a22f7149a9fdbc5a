"""The quality page: the figures of annotators by the thresholds of its address, and excluding annotators."""

from collections.abc import Collection, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, ClassVar
from uuid import UUID

from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from analysis.analyses.annotators.quality import (
    QUALITY,
    Quality,
    Thresholds,
    columns_of_signs,
    key_of,
    said_by,
)
from analysis.analyses.base import AnyAnalysis
from analysis.results.analysis_pages import about, analysis_page
from analysis.results.declared_pages import declared_page
from analysis.results.registered_pages import register_page
from analysis.runs.requests import Request
from annotate.design.protocols import kind_of_answers
from annotate.judging.exclusions import can_be_checked
from annotate.judging.hasty import hasty_annotators
from annotate.judgments.pseudonyms import annotators_by_pseudonym
from annotate.models import User
from annotate.web.access import AccountRequest, admin, campaign_or_404
from annotate.web.parameter_forms import ParametersForm
from core.columns import Annotator, Column
from core.names import Naming
from core.parameters import parameter_fields, parameters_from_text
from formats.snapshot.vocabulary import ProtocolName


@dataclass(frozen=True, slots=True)
class Checked(Annotator):
    """An annotator, whose judgments are a click away.

    Attributes:
        flagged: keys of those who are flagged.
    """

    _: KW_ONLY
    flagged: Collection[str]

    cell: ClassVar[str] = "analysis/cells/checked_annotator.html"

    def place(self, value: str, naming: Naming) -> tuple[object, ...]:
        """Those who are flagged come first."""
        return value not in self.flagged, naming.place(value)

    def shown(self, value: str, naming: Naming) -> Any:
        """The annotator, and whether they are flagged."""
        return naming.shown_annotator(value), value in self.flagged


class Included(Column):
    """The row of an annotator, whom admins exclude and readmit."""

    cell = "analysis/cells/included.html"


def context(request: Request, result: Quality, user: User, choices: Mapping[str, str]) -> dict[str, Any]:
    """The flags by these thresholds, with the buttons of admins for each annotator."""
    campaign, thresholds = request.campaign, parameters_from_text(Thresholds, choices)
    annotators = annotators_by_pseudonym(campaign)
    flagged = {annotator for annotator, why in result.reasons(thresholds).items() if why}
    head = Checked("", "Annotator", key_of, flagged=flagged)
    included = Included("", "Included", lambda row: annotators.get(key_of(row)), on_paper=False)
    shown = said_by(thresholds)
    shown["tables"]["signs"] = replace(
        shown["tables"]["signs"],
        columns=lambda computed: (head, *columns_of_signs(thresholds, computed)[1:], included),
    )
    declared = declared_page(replace(QUALITY, **shown)).chosen(request, result, user, {})
    form = ParametersForm(Thresholds, choices)
    form.show(thresholds)
    is_checked = can_be_checked(campaign, declared["naming"].roles)
    return {
        **declared,
        "is_empty": False,
        "form": form,
        "excluded": sum(bool(annotator.excluded_at) for annotator in annotators.values()),
        # The table has those who are flagged; this has who came since.
        "hasty": hasty_annotators(campaign, [one for key, one in annotators.items() if key not in flagged]),
        "unchecked": "" if is_checked else _unchecked(campaign.protocol),
    }


def _unchecked(protocol: str) -> str:
    """That nothing in a campaign of this protocol checks its annotators."""
    if kind_of_answers(protocol).is_checked_by_verdicts:
        what = "output of a control or reference"
    else:
        what = "control" if protocol == ProtocolName.PAIRS else "source with a control"
    return f"This campaign shows no {what}, so annotators are not checked that way."


def _said_by(analysis: AnyAnalysis, choices: Mapping[str, str]) -> AnyAnalysis:
    return replace(analysis, **said_by(parameters_from_text(Thresholds, choices)))


CHOICES = tuple(each.attribute for each in parameter_fields(Thresholds))
register_page(replace(declared_page(QUALITY), choices=CHOICES, chosen=context, said_by=_said_by))


@admin
@require_safe
def quality(request: AccountRequest, uuid: UUID) -> HttpResponseBase:
    """The page, unless the address asks for impossible thresholds."""
    form = ParametersForm(Thresholds, request.GET.dict())
    if form.asked is None:
        refused = {**about(campaign_or_404(uuid)), "analysis": QUALITY, "form": form, "faults": form.faults}
        return render(request, "analysis/refused.html", refused, status=400)
    return analysis_page(request, uuid, QUALITY.name, QUALITY.route)
