"""The page of answers per hour."""

from typing import Any

from analysis.analyses.answers_per_hour import AnswersPerHour
from analysis.pages.annotators import judges_of
from analysis.pages.registered import AnalysisPage, register_page
from analysis.pages.tables import in_order
from analysis.runs.requests import Request
from annotate.models import User


def context(request: Request, result: AnswersPerHour, user: User) -> dict[str, Any]:
    """Each annotator, by number, with their answers per hour."""
    pace_of = {str(pace.annotator): pace for pace in result.annotators}
    judges = in_order(pace_of, judges_of(request.campaign, may_see_names=user.may_see_names))
    return {"rows": [(judge, pace_of[judge.key]) for judge in judges]}


register_page(AnalysisPage("answers-per-hour", "analysis/answers_per_hour.html", context))
