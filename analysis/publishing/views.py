"""Pages on which admins publish results."""

from typing import Any, cast
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from analysis.analyses.base import AnyAnalysis
from analysis.analyses.systems.ranking import RANKING
from analysis.models import Leaderboard, Publication
from analysis.publishing.leaderboard_pages import LeaderboardForm, listed_leaderboards
from analysis.publishing.leaderboards import leaderboards_of
from analysis.publishing.public_views import published_by_older_rule
from analysis.publishing.publications import ENDED, NOT_ENDED, publish, restore, retract
from analysis.publishing.stated import publishable
from analysis.results.analysis_pages import about, checked, refusal
from analysis.results.registered_pages import address_of, pages
from analysis.runs.sources import reasons_against, source_of
from annotate.models import Campaign, CampaignState
from annotate.models.corpora import validate_heading
from annotate.web.access import AccountRequest, admin, campaign_or_404
from annotate.web.parameter_forms import AnyParametersForm, query_of
from annotate.web.refusals import RefusalsAt, refusals_lead_to
from core.parameters import ParameterError
from core.wording import counted


class PublicationForm(forms.Form):
    """Options of a published result."""

    title = forms.CharField(max_length=200, label="Title", validators=[validate_heading])
    authors = forms.CharField(
        max_length=500,
        required=False,
        label="Authors",
        validators=[validate_heading],
        help_text="As in a citation, such as “Anna Alder and Ben Birch”. May stay empty.",
    )
    with_names = forms.BooleanField(
        required=False,
        initial=True,
        label="Show the names of systems",
        help_text="People who have the outputs of the systems can tell them apart without names too.",
    )
    is_beside_rankings = forms.BooleanField(
        required=False,
        label="Also show it with the rankings of this campaign",
        help_text="The pages of its published rankings show the finding and the first table, with a link.",
    )

    leaderboard = forms.ModelChoiceField(
        Leaderboard.objects.none(),
        required=False,
        label="Leaderboard",
        empty_label="None: a link of its own only",
        to_field_name="slug",
        help_text="The ranking becomes its next version, and also has a permanent link of its own.",
    )

    def __init__(self, *args: Any, campaign: Campaign, analysis: AnyAnalysis, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        boards = leaderboards_of(campaign).filter(retired_at=None)
        if analysis is RANKING:
            del self.fields["is_beside_rankings"]
        if analysis is RANKING and boards.exists():
            cast("forms.ModelChoiceField[Leaderboard]", self.fields["leaderboard"]).queryset = boards
        else:
            del self.fields["leaderboard"]


@admin
@require_http_methods(["GET", "HEAD", "POST"])
def publications(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """The published results of a campaign, and the form to publish the one of the address."""
    campaign = campaign_or_404(uuid)
    asked = request.GET.dict()
    analysis = publishable().get(asked.pop("analysis", "ranking"))
    if analysis is None:
        raise Http404
    settings = AnyParametersForm(analysis.parameters, asked)
    try:
        parameters = checked(settings, analysis, campaign).parameters
    except ParameterError as error:
        context = {**about(campaign), "analysis": analysis, "kept": {"analysis": analysis.name}}
        return refusal(request, settings, error, context)
    initial = {"title": str(campaign)}
    form = PublicationForm(
        request.POST or None, initial=initial, label_suffix="", campaign=campaign, analysis=analysis
    )
    if request.method == "POST" and form.is_valid():
        with RefusalsAt(form, "title"):
            publish(campaign, analysis, parameters=parameters, by=request.user, **form.cleaned_data)
            messages.success(request, "The result is being prepared. Its link works as soon as it is ready.")
            return redirect("publications", uuid)
    query = query_of(parameters)
    page = address_of(campaign, pages()[analysis.name])
    context = {
        "campaign": campaign,
        "form": form,
        "analysis": analysis,
        "analyses": _offered(campaign, analysis),
        "stated": query.replace("&", ", "),
        "address": f"{page}?{query}" if query else page,
        "publications": _listed(request, campaign),
        "leaderboards": listed_leaderboards(request, campaign),
        "leaderboard_form": LeaderboardForm(label_suffix=""),
        "still_judged": _still_judged(campaign),
        "why_not": NOT_ENDED
        if campaign.state not in ENDED
        else source_of(analysis).why_not(campaign, analysis),
    }
    status = 400 if form.errors else 200
    return render(request, "analysis/publications.html", context, status=status)


@admin
@require_POST
def retract_publication(request: AccountRequest, uuid: UUID, publication: UUID) -> HttpResponse:
    """Take a published result away."""
    result = _publication(uuid, publication)
    retract(result, by=request.user)
    messages.success(request, f"“{result}” is retracted. Its link says so. You can publish it again.")
    return redirect("publications", uuid)


@admin
@require_POST
@refusals_lead_to("publications", "uuid")
def restore_publication(request: AccountRequest, uuid: UUID, publication: UUID) -> HttpResponse:
    """Publish a retracted result again."""
    result = _publication(uuid, publication)
    restore(result, by=request.user)
    messages.success(request, f"“{result}” is published again, at the same link.")
    return redirect("publications", uuid)


def _publication(campaign: UUID, publication: UUID) -> Publication:
    return get_object_or_404(Publication, campaign=campaign_or_404(campaign), uuid=publication)


def _offered(campaign: Campaign, shown: AnyAnalysis) -> list[tuple[AnyAnalysis, bool]]:
    """The analyses that have something to publish, by title, and whether each is the shown one."""
    concerned = [each for each in publishable().values() if source_of(each).concerns(campaign, each)]
    reasons = reasons_against(campaign, concerned)
    offered = [each for each in concerned if each is shown or each.name not in reasons]
    return [(each, each is shown) for each in sorted(offered, key=lambda each: each.title)]


def _still_judged(campaign: Campaign) -> str:
    """A campaign of the same corpus that has not ended, and how many there are beside it; empty if none."""
    others = Campaign.objects.filter(
        corpus=campaign.corpus_id, state__in=(CampaignState.RUNNING, CampaignState.PAUSED)
    )
    names = list(others.exclude(pk=campaign.pk).values_list("name", flat=True))
    if len(names) < 2:
        return "".join(names)
    return f"{names[0]} and {counted(len(names) - 1, 'other campaign')}"


def _listed(request: AccountRequest, campaign: Campaign) -> list[dict[str, object]]:
    """All published results, each with its full address."""
    listed = Publication.objects.filter(campaign=campaign).defer("content")
    ready = dict(listed.filter(content__isnull=False).values_list("pk", "content__signatures"))
    return [
        {
            "publication": each,
            "title": publishable()[each.analysis].title,
            "address": request.build_absolute_uri(each.get_absolute_url()),
            "is_ready": each.pk in ready,
            "is_of_older_rule": published_by_older_rule(ready.get(each.pk) or ()),
            "anew": urlencode({"analysis": each.analysis, **each.parameters}),
        }
        for each in listed.select_related("published_by", "job", "version__leaderboard")
    ]
