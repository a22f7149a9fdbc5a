"""Contents of the page of corrections: sentences, files, and the buttons of admins."""

from collections.abc import Mapping
from dataclasses import replace

from analysis.analyses.references.corrections import CORRECTIONS, CorrectionsResult
from analysis.results.declared_pages import declared_page
from analysis.results.list_pages import CHOICES, rows_of_page
from analysis.results.registered_pages import register_page
from analysis.runs.requests import Request
from annotate.models import Origin, User
from annotate.references.forms import MakeForm
from core.results import Computed
from formats.writers.corrections import CORRECTIONS_FORMATS

SENTENCES_PER_PAGE = 10
MOST_LISTED = 20
"""Distinct corrections of a sentence that are shown; files hold all."""


def further(request: Request, computed: Computed, user: User) -> dict[str, object]:
    """Files of all corrections, and what admins can make of them."""
    written = request.campaign.reference_sets.filter(origin=Origin.WRITTEN, system=None)
    return {
        "formats": [(name, each.title) for name, each in CORRECTIONS_FORMATS.items()],
        "corpus": request.corpus,
        "make_form": MakeForm(label_suffix="") if user.is_admin else None,
        "is_made": written.exists(),
    }


def page_of_sentences(
    request: Request, result: CorrectionsResult, user: User, choices: Mapping[str, str]
) -> dict[str, object]:
    """The sentences of a page, beside what the analysis declares."""
    sentences, numbers = rows_of_page(result.sentences, choices, size=SENTENCES_PER_PAGE)
    shown = [(each, each.distinct[:MOST_LISTED], each.distinct[MOST_LISTED:]) for each in sentences]
    return {**PAGE.chosen(request, result, user, choices), "shown": shown, **numbers}


PAGE = declared_page(CORRECTIONS, further)
register_page(replace(PAGE, choices=CHOICES, chosen=page_of_sentences))
