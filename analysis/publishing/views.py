"""Pages that publish rankings, and the public pages of published ones."""

from typing import Any, TypeVar
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.http.request import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from analysis.analyses.ranking import RANKING, RankingParameters
from analysis.models import Publication
from analysis.pages.analyses import checked
from analysis.publishing.publications import ENDED, NOT_ENDED, publish, restore, retract, zip_of
from annotate.models import Campaign
from annotate.web.access import AccountRequest, admin, anyone, campaign_or_404
from annotate.web.parameter_forms import ParametersForm, query_of
from annotate.web.refusals import RefusalsAt
from metrics.parameters import ParameterError

GONE = 410
PREPARING = 202
HIDDEN = {"X-Robots-Tag": "noindex", "Cache-Control": "no-store"}
"""Search engines do not list what only a link leads to."""

Response = TypeVar("Response", bound=HttpResponseBase)


class PublicationForm(forms.Form):
    """What a published ranking shows."""

    title = forms.CharField(max_length=200, label="Title")
    with_names = forms.BooleanField(required=False, initial=True, label="Show the names of systems")


@admin
@require_http_methods(["GET", "HEAD", "POST"])
def publications(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """The published rankings of a campaign, and the form to publish the one of the address."""
    campaign = campaign_or_404(uuid)
    try:
        parameters = _parameters(request, campaign)
    except ParameterError as error:
        messages.error(request, f"This is no ranking: {error}.")
        return redirect("publications", uuid)
    form = PublicationForm(request.POST or None, initial={"title": str(campaign)}, label_suffix="")
    if request.method == "POST" and form.is_valid():
        with RefusalsAt(form, "title"):
            publish(campaign, parameters=parameters, by=request.user, **form.cleaned_data)
            messages.success(request, "The ranking is being prepared. Its link works as soon as it is ready.")
            return redirect("publications", uuid)
    context = {
        "campaign": campaign,
        "form": form,
        "stated": str(parameters),
        "ranking_query": query_of(parameters),
        "publications": _listed(request, campaign),
        "why_not": "" if campaign.state in ENDED else NOT_ENDED,
    }
    status = 400 if form.errors else 200
    return render(request, "analysis/publications.html", context, status=status)


@admin
@require_POST
def retract_publication(request: AccountRequest, uuid: UUID, publication: UUID) -> HttpResponse:
    """Take a published ranking away."""
    found = _publication(uuid, publication)
    retract(found, by=request.user)
    messages.success(request, f"“{found}” is retracted. Its link says so. You can publish it again.")
    return redirect("publications", uuid)


@admin
@require_POST
def restore_publication(request: AccountRequest, uuid: UUID, publication: UUID) -> HttpResponse:
    """Publish a retracted ranking again."""
    found = _publication(uuid, publication)
    restore(found, by=request.user)
    messages.success(request, f"“{found}” is published again, at the same link.")
    return redirect("publications", uuid)


@anyone
@require_safe
def published(request: HttpRequest, link: str) -> HttpResponse:
    """A published ranking, for anyone with the link."""
    publication = get_object_or_404(Publication, link=link)
    context = {"publication": publication, "content": publication.content}
    status = GONE if publication.retracted_at else 200 if publication.content else PREPARING
    return _hidden(render(request, "analysis/published.html", context, status=status))


@anyone
@require_safe
def published_figure(request: HttpRequest, link: str, name: str) -> HttpResponse:
    """A figure of a published ranking."""
    figures = _shown_or_404(link)[1]["figures"]
    theme = request.GET.get("theme", "light")
    if name not in figures or theme not in figures[name]:
        raise Http404
    return _hidden(HttpResponse(figures[name][theme], content_type="image/svg+xml"))


@anyone
@require_safe
def published_zip(request: HttpRequest, link: str) -> StreamingHttpResponse:
    """Judgments, tables and figures of a published ranking."""
    publication, content = _shown_or_404(link)
    response = StreamingHttpResponse(zip_of(publication), content_type="application/zip")
    response["Content-Disposition"] = 'attachment; filename="ranking.zip"'
    response["Content-Length"] = content["bytes"]
    return _hidden(response)


def _hidden(response: Response) -> Response:
    for name, value in HIDDEN.items():
        response[name] = value
    return response


def _shown_or_404(link: str) -> tuple[Publication, dict[str, Any]]:
    """A publication that is not retracted, with its content."""
    publication = get_object_or_404(Publication, link=link, retracted_at=None, content__isnull=False)
    return publication, publication.content or {}


def _publication(campaign: UUID, publication: UUID) -> Publication:
    return get_object_or_404(Publication, campaign=campaign_or_404(campaign), uuid=publication)


def _listed(request: AccountRequest, campaign: Campaign) -> list[dict[str, Any]]:
    """All published rankings, each with its full address."""
    listed = (
        Publication.objects.filter(campaign=campaign).defer("content").select_related("published_by", "job")
    )
    ready = set(listed.filter(content__isnull=False).values_list("pk", flat=True))
    return [
        {
            "publication": each,
            "address": request.build_absolute_uri(each.get_absolute_url()),
            "is_ready": each.pk in ready,
        }
        for each in listed.select_related("published_by", "job")
    ]


def _parameters(request: AccountRequest, campaign: Campaign) -> RankingParameters:
    """The ranking of the address.

    Raises:
        ParameterError: it is impossible.
    """
    form = ParametersForm[RankingParameters](RankingParameters, request.GET.dict())
    parameters: RankingParameters = checked(form, RANKING, campaign).parameters
    return parameters
