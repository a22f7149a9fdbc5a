"""The page that says, before a campaign, how many judgments it needs."""

from dataclasses import dataclass
from math import ceil
from typing import Any

from django import forms
from django.core.exceptions import BadRequest
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from analysis.analyses.base import Group
from analysis.analyses.watched_pairs import SECONDS_PER_HOUR
from analysis.results.registered_pages import FurtherPage, register_further
from annotate.models import Campaign
from annotate.web.access import AccountRequest, researcher
from annotate.web.images import OF_IMAGES, image_of
from assay import __version__
from figures.planning.power import power_figure
from ranking import Design, Plan, plan
from ranking.machines import share_needed

register_further(
    FurtherPage(
        Campaign,
        "Judgments needed",
        Group.PLANNING,
        "How many judgments will another campaign need?",
        "How many judgments tell two neighbouring systems apart, and what they cost, before a campaign.",
        "judgments-needed",
        place=2,
    )
)

TIMES_AS_MANY = 10
"""How many sentences the machine judges for each one that people judge."""

SIGNIFICANT_DIGITS = 2
"""Digits of the number of judgments in the heading."""


class DesignForm(forms.Form):
    """A campaign to come."""

    systems = forms.IntegerField(label="Systems", initial=8, min_value=2, max_value=60)
    shown = forms.IntegerField(
        label="Outputs on a screen",
        initial=5,
        min_value=2,
        max_value=12,
        help_text="At most as many as systems.",
    )
    per_sentence = forms.IntegerField(
        label="Judgments of a sentence",
        initial=1,
        min_value=1,
        max_value=20,
        help_text="More sentences tell more than repeated judgments.",
    )
    wins = forms.FloatField(
        label="Better neighbour wins",
        initial=55,
        min_value=51,
        max_value=95,
        help_text="Percent of comparisons without ties between two neighbours. In GJG15, 50 to 55 for most.",
    )
    ties = forms.FloatField(
        label="Neighbours tie",
        initial=25,
        min_value=0,
        max_value=90,
        help_text="Percent of comparisons between them.",
    )
    correlation = forms.FloatField(
        label="Correlation with a machine",
        required=False,
        min_value=0,
        max_value=0.95,
        help_text=f"Optional: a machine judges {TIMES_AS_MANY} times as many sentences. “Ranking with a "
        "machine” of a campaign gives the correlation.",
    )
    seconds = forms.FloatField(
        label="Seconds for a judgment",
        initial=100,
        min_value=1,
        max_value=3600,
        help_text="On average. In GJG15 99, breaks left out; the median is 49.",
    )
    rate = forms.FloatField(
        label="Pay for an hour", required=False, min_value=0, max_value=10_000, help_text="In any currency."
    )

    def clean(self) -> dict[str, Any]:
        """Systems limit what a screen can show."""
        stated: dict[str, Any] = super().clean() or {}
        if stated.get("shown", 0) > stated.get("systems", 0) > 0:
            self.add_error("shown", f"There are only {stated['systems']} systems to show.")
        return stated


@dataclass(frozen=True, slots=True)
class Need:
    """A number of judgments with its time and cost.

    Attributes:
        what: what they are enough for.
        judgments: None for more than are simulated.
        hours: of all annotators together.
        cost: None where the pay is not known.
    """

    what: str
    judgments: int | None
    hours: float | None
    cost: float | None


@researcher
@require_safe
def judgments_needed(request: AccountRequest) -> HttpResponse:
    """The form, and what the design needs."""
    form = DesignForm(request.GET if request.GET else None)
    context: dict[str, object] = {"form": form, "plan": None}
    stated: dict[str, Any] = {}
    if not form.is_bound:
        stated = {name: field.initial for name, field in form.fields.items()}
    elif form.is_valid():
        stated = form.cleaned_data
    if stated:
        found = _plan(stated)
        context |= {
            "plan": found,
            "finding": _finding(found, stated["wins"]),
            "stated": stated,
            "needs": _needs(found, stated),
            "query": request.GET.urlencode(),
        }
    return render(request, "analysis/judgments_needed.html", context)


@researcher
@require_safe
def power_image(request: AccountRequest, image: str) -> HttpResponse:
    """How often campaigns of this design separate neighbours."""
    stated = {name: text for name, text in request.GET.items() if name not in OF_IMAGES}
    form = DesignForm(stated or {name: field.initial for name, field in DesignForm.base_fields.items()})
    if not form.is_valid():
        raise BadRequest("this is no design")
    design = form.cleaned_data
    title = (
        f"{design['systems']} systems, {design['shown']} on a screen, the better wins {design['wins']:g} %, "
        f"ties {design['ties']:g} %"
    )
    computed = ("systems", "shown", "per_sentence", "wins", "ties")
    signature = "|".join(["judgments-needed", *(f"{name}:{design[name]}" for name in computed)])
    found = _plan(design)
    return image_of(
        power_figure(found, title=title),
        request,
        image,
        signature=f"{signature}|assay:{__version__}",
        caption=_finding(found, design["wins"]),
    )


def _plan(stated: dict[str, Any]) -> Plan:
    return plan(
        Design(
            systems=stated["systems"],
            shown=stated["shown"],
            per_sentence=stated["per_sentence"],
            wins=stated["wins"] / 100,
            ties=stated["ties"] / 100,
        )
    )


def _finding(found: Plan, wins: float) -> str:
    about = round(found.needed, SIGNIFICANT_DIGITS - len(str(found.needed)))
    return (
        f"About {about:,} judgments separate two neighbouring systems in 80 % of campaigns if the better one "
        f"wins {wins:g} %"
    )


def _needs(found: Plan, stated: dict[str, Any]) -> list[Need]:
    two, (_, median, high) = "two neighbouring systems", found.watched
    at_the_end = f"At the end, {two} differ significantly in 80 % of campaigns"
    return [
        _need(at_the_end, found.needed, stated),
        *_with_machine(at_the_end, found, stated),
        _need(f"While watching, {two} are settled in 50 % of campaigns", median, stated),
        _need(f"While watching, {two} are settled in 90 % of campaigns", high, stated),
    ]


def _with_machine(what: str, found: Plan, stated: dict[str, Any]) -> list[Need]:
    """The judgments of people beside those of a machine, if its correlation with people is stated."""
    correlation = stated.get("correlation")
    if not correlation:
        return []
    share = share_needed(correlation, TIMES_AS_MANY)
    return [_need(f"{what}, with the machine", ceil(found.needed * share), stated)]


def _need(what: str, judgments: int | None, stated: dict[str, Any]) -> Need:
    if judgments is None:
        return Need(what, None, None, None)
    hours = judgments * stated["seconds"] / SECONDS_PER_HOUR
    rate = stated.get("rate")
    return Need(what, judgments, hours, None if rate is None else hours * rate)
