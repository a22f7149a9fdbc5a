"""The page of verdicts on the validity of corrections."""

from typing import Any

from analysis.analyses.validity import Validity
from analysis.pages.annotators import judges_of
from analysis.pages.registered import AnalysisPage, register_page
from analysis.pages.tables import in_order
from analysis.runs.requests import Request
from annotate.judgments.queries import labels_of
from annotate.models import User


def context(request: Request, result: Validity, user: User) -> dict[str, Any]:
    """Each annotator, by number, with their verdicts and their agreement with the others."""
    of_annotator = {
        str(counts.of): (counts, kappa)
        for counts, kappa in zip(result.annotators, result.with_rest, strict=True)
    }
    judges = in_order(of_annotator, judges_of(request.campaign, may_see_names=user.may_see_names))
    return {
        "judges": [(judge, *of_annotator[judge.key]) for judge in judges],
        "labels": labels_of(request.campaign.corpus),
    }


register_page(AnalysisPage("validity", "analysis/validity.html", context))
