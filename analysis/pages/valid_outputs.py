"""Contents of the page of judgments of validity: the judged outputs, and the buttons of admins."""

from collections.abc import Mapping
from dataclasses import replace

from analysis.analyses.references.valid_outputs import VALID_OUTPUTS, ValidOutputs
from analysis.results.declared_pages import declared_page
from analysis.results.list_pages import CHOICES, rows_of_page
from analysis.results.registered_pages import register_page
from analysis.runs.requests import Request
from analysis.runs.sources import source_of
from annotate.models import User
from core.results import Computed

OUTPUTS_PER_PAGE = 20


def further(request: Request, computed: Computed, user: User) -> dict[str, object]:
    """Why there is nothing to show, and whether the user may make references."""
    is_empty = not computed.result.answers
    return {
        "is_empty": is_empty,
        "nothing": source_of(VALID_OUTPUTS).why_not(request.subject, VALID_OUTPUTS) if is_empty else "",
        "may_make": user.is_admin and request.corpus.has_texts,
        "corpus": request.corpus,
    }


def page_of_outputs(
    request: Request, result: ValidOutputs, user: User, choices: Mapping[str, str]
) -> dict[str, object]:
    """The judged outputs of a page, the most frequent first, beside what the analysis declares."""
    ordered = sorted(result.outputs, key=lambda each: (-(each.frequency or 0), each.sentence))
    shown, numbers = rows_of_page(ordered, choices, size=OUTPUTS_PER_PAGE)
    return {**PAGE.chosen(request, result, user, choices), "shown": shown, **numbers}


PAGE = declared_page(VALID_OUTPUTS, further)
register_page(replace(PAGE, choices=CHOICES, chosen=page_of_outputs))
