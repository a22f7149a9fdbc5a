"""All components on one page, for those who work on the pages; only with `DEBUG`."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.models import CampaignState
from annotate.web.access import anyone
from core.marks import scale_of
from figures.colours import colours
from jobs.models import JobState

HIDDEN = (CampaignState.IMPORTING, CampaignState.DELETING)
"""States in which a campaign is on no page."""

ROWS = (
    ("1", "Alder", 0.628, 0.59, 0.66, False, True),
    ("2–4", "Birch", 0.566, 0.52, 0.61, False, True),
    ("2–4", "Cedar", 0.561, 0.52, 0.60, False, False),
    ("2–4", "INPUT", 0.539, 0.50, 0.58, True, False),
    ("5", "Hazel", 0.300, 0.26, 0.34, False, True),
)
"""Ranks, system, score with its interval, whether it does not compete, whether a cluster begins."""


@anyone
@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    light, dark = colours("light"), colours("dark")
    of_campaigns = [state for state in CampaignState.values if state not in HIDDEN]
    context = {
        "colours": [(name, light[name], dark[name]) for name in light],
        "states": list(dict.fromkeys([*of_campaigns, *JobState.values, "flagged", "held"])),
        "rows": ROWS,
        "scale": scale_of(end for row in ROWS for end in row[3:5]),
    }
    return render(request, "annotate/web/styleguide.html", context)
