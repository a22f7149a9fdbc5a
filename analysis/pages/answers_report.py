"""The answers about a campaign on one page to send to its participants, as PDF and HTML."""

from collections.abc import Iterator
from uuid import UUID

from django.http import Http404, HttpResponse
from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.views.decorators.http import require_safe

from analysis.analyses.systems.ranking_headline import NO_SYSTEMS
from analysis.answers.answer import Answer
from analysis.runs.answering import Answered, Answers, stored_answers
from annotate.models import Campaign
from annotate.web.access import AccountRequest, campaign_or_404, researcher
from annotate.web.images import title_of
from annotate.web.refusals import refusals_lead_to
from assay import __version__
from core.wording import counted
from figures.answers_report import Report, ReportedAnswer, ReportedRow, report_pdf
from figures.colours import colours
from jobs.refusals import RefusedError

NOT_YET = "Not computed yet."

CONTENT_TYPES = {"pdf": "application/pdf", "html": "text/html; charset=utf-8"}


class NothingToReportError(RefusedError):
    """No answer has been computed yet."""


@researcher
@require_safe
@refusals_lead_to("campaign-answers", "uuid")
def report(request: AccountRequest, uuid: UUID, file: str) -> HttpResponse:
    """The stored answers as a file, the same for all users: it says nothing that only admins may see."""
    if file not in CONTENT_TYPES:
        raise Http404
    campaign = campaign_or_404(uuid)
    page = report_of(campaign, stored_answers(campaign, for_admins=False))
    content = report_pdf(page) if file == "pdf" else _html(page)
    return HttpResponse(
        content,
        content_type=CONTENT_TYPES[file],
        headers={"Content-Disposition": f'attachment; filename="answers.{file}"'},
    )


def report_of(campaign: Campaign, known: Answers) -> Report:
    """The report of a campaign's answers.

    Raises:
        NothingToReportError: there is no answer yet.
    """
    if not known.has_report:
        raise NothingToReportError("There is nothing to report yet: no answer has been computed.")
    return Report(
        title_of(campaign),
        list(_about([each for each in known.answered if each.computed_at])),
        [_reported(each) for each in known.answered],
        _signatures(known),
    )


def _about(computed: list[Answered]) -> Iterator[str]:
    """Sentences about the judgments, the time of the analysis, and what has changed since."""
    facts = {each.question.key: each.answer.facts for each in computed if each.answer}
    if judged := facts.get("judgments"):
        ranked = [
            each for each in facts.get("systems", {}).get("ranking", ()) if each["role"] not in NO_SYSTEMS
        ]
        systems = f" about {counted(len(ranked), 'system')}" if ranked else ""
        answers, annotators = (
            counted(judged["answered"], "answer"),
            counted(judged["annotators"], "annotator"),
        )
        yield f"{answers} by {annotators}{systems}."
    oldest = min(each.computed_at for each in computed if each.computed_at)
    newer = max(each.newer for each in computed)
    since = ""
    if newer:
        since = f" {counted(newer, 'answer')} came since."
    elif any(each.inputs_changed for each in computed):
        since = " The inputs have changed since."
    yield f"Computed on {date_format(localtime(oldest), 'j F Y')} by Assay {__version__}.{since}"


def _reported(each: Answered) -> ReportedAnswer:
    answer = each.answer if each.answer and each.computed_at else None
    answer = answer or Answer(each.question.words, each.fault or NOT_YET)
    rows = [ReportedRow(row.label, row.value, row.mark) for row in answer.rows]
    return ReportedAnswer(answer.question, answer.heading, answer.further, answer.column, rows)


def _signatures(known: Answers) -> list[str]:
    """The signatures of all results, each once."""
    return list(dict.fromkeys(each for one in known.answered if one.answer for each in one.answer.signatures))


def _html(page: Report) -> str:
    colour = {name.replace("-", "_"): value for name, value in colours("light").items()}
    return render_to_string("analysis/answers_report.html", {"report": page, "colour": colour})
