"""The figure of a campaign's judgments over time."""

from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from annotate.campaigns.progress import answered_over_time, slot_counts
from annotate.web.access import AccountRequest, researcher, run_here_or_404
from annotate.web.images import image_of, title_of, width_of
from assay import __version__
from figures.planning.progress import WIDTHS, progress_figure


@researcher
@require_safe
def progress_image(request: AccountRequest, uuid: UUID, image: str) -> HttpResponse:
    campaign = run_here_or_404(uuid)
    answered, wanted = answered_over_time(campaign), slot_counts(campaign).total
    done = sum(answered.values())
    chart = progress_figure(
        answered,
        wanted=wanted,
        title=title_of(campaign),
        width=width_of(request, WIDTHS),
    )
    signature = f"progress|campaign:{uuid}|judgments:{done}|assay:{__version__}"
    caption = f"Judgments done over time: {done:,} of {wanted:,}"
    return image_of(chart, request, image, signature=signature, caption=caption)
