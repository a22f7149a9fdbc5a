"""Practice before the work: the same form as on a screen, then the expected ratings.

Answers are stored only if the campaign requires agreement on some items.
"""

from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.design.practice import PracticeItem, practice_items, without_practice
from annotate.design.protocols import PROTOCOLS, Answer, AnswerError, Question
from annotate.judging.orders import order_for
from annotate.judging.qualification import (
    finish_practice,
    keep_practice,
    kept_practice,
    qualification,
)
from annotate.judging.screen import form_of
from annotate.judging.ways_in import entered
from annotate.models import Annotator, Campaign
from formats.text.tokens_back import rules_on_screen


def practice_of(campaign: Campaign) -> tuple[PracticeItem, ...]:
    """The campaign's practice items."""
    return practice_items(campaign.design.guidelines, PROTOCOLS[campaign.protocol], campaign.options)


@entered
@require_http_methods(["GET", "HEAD", "POST"])
def practice(request: HttpRequest, annotator: Annotator, number: int) -> HttpResponse:
    """One practice item, counted from 1; posting leads to the expected ratings."""
    campaign = annotator.campaign
    item = _item(campaign, number)
    if (now := qualification(annotator)) is not None and now.is_failed:
        return redirect("practice-result", campaign.uuid)
    order = _order(annotator, number, item)
    fields = request.POST.dict()
    fault = None
    if request.method == "POST":
        protocol = item.protocol
        try:
            given = protocol.answer(fields, _question(campaign, item, order))
        except AnswerError as error:
            fault = error
        else:
            expected = item.expected.with_outputs_in_order(order)
            keep_practice(
                annotator,
                number=number,
                agrees=protocol.agree(given, expected),
                fields=protocol.fields(_as_written(given, order)),
            )
            address = reverse("practice-compared", args=[campaign.uuid, number])
            return redirect(f"{address}?{urlencode(protocol.fields(given))}")
    texts = [item.block.corrections[place] for place in order]
    context = {
        **form_of(
            campaign,
            texts,
            fields,
            source=item.block.source,
            prepared=_question(campaign, item, order).prepared,
            fault=fault,
        ),
        **_heading(campaign, item, number),
        "frame": "annotate/judging/practice.html",
        "guidelines": without_practice(campaign.design.guidelines) if now else campaign.design.guidelines,
    }
    template = PROTOCOLS[campaign.protocol].template
    return render(request, template, context, status=422 if fault else 200)


@entered
@require_safe
def compared(request: HttpRequest, annotator: Annotator, number: int) -> HttpResponse:
    """The answer to a practice item, from the address, next to the expected one.

    If practice counts, annotators see what is expected only after they have answered.
    """
    campaign = annotator.campaign
    item = _item(campaign, number)
    protocol = item.protocol
    order = _order(annotator, number, item)
    try:
        given = protocol.answer(request.GET.dict(), _question(campaign, item, order))
    except AnswerError:
        return redirect("practice", campaign.uuid, number)
    kept = kept_practice(annotator, number)
    if campaign.design.practice_needed and kept is None:
        return redirect("practice", campaign.uuid, number)
    expected = item.expected.with_outputs_in_order(order)
    texts = [item.block.corrections[place] for place in order]
    marks = (protocol.marks_for(texts, answer) for answer in (given, expected))
    context = {
        "campaign": campaign,
        **_heading(campaign, item, number),
        "rated": list(zip(texts, *marks, strict=True)),
        "agrees": protocol.agree(given, expected),
        "another_counts": kept is not None and kept != protocol.fields(_as_written(given, order)),
        "why": item.block.why,
        "next_number": number + 1 if number < len(practice_of(campaign)) else None,
    }
    return render(request, "annotate/judging/practised.html", context)


@entered
@require_POST
def end(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """Begin the work, if nothing else is required; if practice counts, the result comes first."""
    finish_practice(annotator)
    if annotator.campaign.design.practice_needed:
        return redirect("practice-result", annotator.campaign.uuid)
    return redirect("work", annotator.campaign.uuid)


@entered
@require_safe
def result(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """The number of practice items on which the annotator agreed, and what is missing to begin."""
    now = qualification(annotator)
    campaign = annotator.campaign
    if now is None or (annotator.has_practised and not now.is_passed):
        return redirect("work", campaign.uuid)
    if now.is_passed and not annotator.has_practised:
        return redirect("practice", campaign.uuid, 1)
    context = {
        "campaign": campaign,
        "qualification": now,
        "count": len(practice_of(campaign)),
        "is_worker": hasattr(annotator, "worker"),
    }
    return render(request, "annotate/judging/practice_result.html", context)


def _item(campaign: Campaign, number: int) -> PracticeItem:
    items = practice_of(campaign)
    if not 1 <= number <= len(items):
        raise Http404
    return items[number - 1]


def _question(campaign: Campaign, item: PracticeItem, order: Sequence[int]) -> Question:
    """The question about the corrections in this order."""
    asked = item.question(campaign.options)
    return replace(
        asked,
        prepared=[asked.prepared[place] for place in order],
        texts=[asked.texts[place] for place in order],
    )


def _order(annotator: Annotator, number: int, item: PracticeItem) -> Sequence[int]:
    """The places of the corrections as written, in the order in which this annotator sees them.

    Guidelines are written best correction first.
    """
    return order_for(annotator, "practice", number, len(item.block.corrections))


def _as_written(given: Answer, order: Sequence[int]) -> Answer:
    """The answer with the corrections in the order in which the guidelines write them."""
    return given.with_outputs_in_order([order.index(place) for place in range(len(order))])


def _heading(campaign: Campaign, item: PracticeItem, number: int) -> dict[str, object]:
    return {
        "sentence": {"text": item.block.source},
        "rules": rules_on_screen(campaign.text_rules, item.block.source, item.block.corrections),
        "number": number,
        "count": len(practice_of(campaign)),
        "needed": campaign.design.practice_needed,
    }
