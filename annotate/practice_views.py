"""Practice before the work: the same form as on a screen, and how one would have rated.

Nothing is stored, unless the campaign lets only those begin who agree on enough items.
"""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.entry import entered
from annotate.models import Annotator, Campaign
from annotate.practice import PracticeItem, practice_items, without_practice
from annotate.protocols import PROTOCOLS, AnswerError
from annotate.screen import form_of
from annotate.services.qualification import finish_practice, keep_practice, qualification


def practice_of(campaign: Campaign) -> tuple[PracticeItem, ...]:
    """What there is to practise in the campaign."""
    return practice_items(campaign.design.guidelines, PROTOCOLS[campaign.protocol])


@entered
@require_http_methods(["GET", "HEAD", "POST"])
def practice(request: HttpRequest, annotator: Annotator, number: int) -> HttpResponse:
    """One practice item, counted from 1; posting shows how one would have rated it."""
    campaign = annotator.campaign
    items = practice_of(campaign)
    if not 1 <= number <= len(items):
        raise Http404
    if (now := qualification(annotator)) is not None and now.is_failed:
        return redirect("practice-result", campaign.uuid)
    protocol = PROTOCOLS[campaign.protocol]
    item = items[number - 1]
    fields = request.POST.dict()
    given, fault = None, None
    if request.method == "POST":
        try:
            given = protocol.ratings(fields, len(item.expected))
        except AnswerError as error:
            fault = error
    context = {
        **form_of(campaign, item.block.corrections, fields, fault=fault),
        "frame": "annotate/judging/practice.html",
        "sentence": {"text": item.block.source},
        "number": number,
        "count": len(items),
        "needed": campaign.design.practice_needed,
        "guidelines": without_practice(campaign.design.guidelines) if now else campaign.design.guidelines,
    }
    if given is None:
        return render(request, protocol.template, context, status=422 if fault else 200)
    agrees = protocol.agree(given, item.expected)
    keep_practice(annotator, number=number, agrees=agrees, fields=protocol.fields(given))
    rated = zip(item.block.corrections, given, item.expected, strict=True)
    context |= {
        "rated": [(text, protocol.mark(yours), protocol.mark(ours)) for text, yours, ours in rated],
        "agrees": agrees,
        "why": item.block.why,
        "next_number": number + 1 if number < len(items) else None,
    }
    return render(request, "annotate/judging/practised.html", context)


@entered
@require_POST
def end(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """Begin the work, if nothing more is asked."""
    if finish_practice(annotator) is not None:
        return redirect("practice-result", annotator.campaign.uuid)
    return redirect("work", annotator.campaign.uuid)


@entered
@require_safe
def result(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """What is missing for the work to begin."""
    now = qualification(annotator)
    if annotator.has_practised or now is None or now.is_passed:
        return redirect("work", annotator.campaign.uuid)
    context = {
        "campaign": annotator.campaign,
        "qualification": now,
        "count": len(practice_of(annotator.campaign)),
        "is_worker": hasattr(annotator, "worker"),
    }
    return render(request, "annotate/judging/practice_result.html", context)
