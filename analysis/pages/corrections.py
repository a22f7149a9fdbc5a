"""The pages of a campaign's corrections: by sentence and frequency, agreement of edits, coverage."""

from collections.abc import Mapping
from typing import Any

from analysis.analyses.corrections import CORRECTIONS, CorrectionsResult
from analysis.pages.annotators import judges_of
from analysis.pages.list_pages import CHOICES, rows_of_page
from analysis.pages.registered import AnalysisPage, register_page
from analysis.pages.tables import in_order
from analysis.runs.requests import Request
from annotate.models import Origin, User
from annotate.references.forms import MakeForm
from annotate.web.parameter_forms import query_of
from core.wording import counted
from formats.writers.corrections import CORRECTIONS_FORMATS

SENTENCES_PER_PAGE = 10
MOST_LISTED = 20
"""Distinct corrections of a sentence that are shown; files hold all."""

GROUP = "corrections"


def context(request: Request, result: CorrectionsResult, user: User) -> dict[str, Any]:
    """The result in a sentence, the agreement of each annotator, files, and what admins can make."""
    campaign = request.campaign
    of_person = {person.annotator: person for person in result.people}
    judges = in_order(of_person, judges_of(campaign, may_see_names=user.may_see_names))
    references = campaign.reference_sets.filter(origin=Origin.WRITTEN, system=None)
    return {
        "headline": headline(result),
        "people": [(judge, of_person[judge.key]) for judge in judges],
        "files": [(name, each.title) for name, each in CORRECTIONS_FORMATS.items()],
        "corpus": campaign.corpus,
        "make_form": MakeForm(label_suffix="") if user.is_admin else None,
        "is_made": references.exists(),
        "query": query_of(request.parameters),
    }


def page_of_sentences(
    request: Request, result: CorrectionsResult, user: User, choices: Mapping[str, str]
) -> dict[str, Any]:
    """The sentences of a page."""
    sentences, numbers = rows_of_page(result.sentences, choices, size=SENTENCES_PER_PAGE)
    shown = [(each, each.distinct[:MOST_LISTED], each.distinct[MOST_LISTED:]) for each in sentences]
    return {"shown": shown, **numbers}


def headline(result: CorrectionsResult) -> str:
    """How many corrections there are, and how many of them differ."""
    return (
        f"{counted(len(result.sentences), 'sentence')} with {result.mean_corrections:.1f} corrections each, "
        f"{result.mean_distinct:.1f} of them distinct"
    )


register_page(
    AnalysisPage(
        CORRECTIONS.name,
        "analysis/corrections.html",
        context,
        group=GROUP,
        label="Corrections",
        place=1,
        choices=CHOICES,
        chosen=page_of_sentences,
    )
)
