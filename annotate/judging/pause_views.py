"""The pause between two batches: what was done, the next batch, or an end for now."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from annotate.judging import handout
from annotate.judging.ways_in import entered
from annotate.judging.work_time import duration, own_pace
from annotate.models import Annotator


def pause_page(request: HttpRequest, annotator: Annotator, pause: handout.Pause) -> HttpResponse:
    """The finished batch in numbers, and how to continue."""
    seconds = own_pace(annotator)
    batch_size = annotator.campaign.design.batch_size
    context = {
        "campaign": annotator.campaign,
        "annotator": annotator,
        "pause": pause,
        "took": duration(pause.active_ms / 1000) if pause.active_ms else "",
        "next_takes": duration(batch_size * seconds) if seconds else "",
        "batch_size": batch_size,
    }
    return render(request, "annotate/judging/pause.html", context)


@entered
@require_safe
def next_batch(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """Begin the next batch, in steps, and lead to its first screen."""
    given = handout.give_screen_or_step(annotator)
    route = "next-batch" if isinstance(given, handout.Step) else "work"
    return redirect(route, annotator.campaign.uuid)


@entered
@require_safe
def stop(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """The page of an annotator who stops for now: how to come back."""
    context = {
        "campaign": annotator.campaign,
        "annotator": annotator,
        "is_worker": hasattr(annotator, "worker"),
    }
    return render(request, "annotate/judging/stopped.html", context)
