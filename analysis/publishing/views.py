"""Pages that publish results, and the public pages of published ones."""

from typing import Any, TypeVar
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.http.request import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from analysis.analyses.base import Analysis
from analysis.models import Publication
from analysis.pages.analyses import checked
from analysis.pages.registered import address_of, pages
from analysis.publishing.citation import citation
from analysis.publishing.publications import ENDED, NOT_ENDED, publish, restore, retract, zip_of
from analysis.publishing.stated import publishable
from analysis.runs.sources import source_of
from annotate.models import Campaign
from annotate.web.access import AccountRequest, admin, anyone, campaign_or_404
from annotate.web.parameter_forms import ParametersForm, query_of
from annotate.web.refusals import RefusalsAt
from metrics.parameters import ParameterError

GONE = 410
PREPARING = 202
HIDDEN = {"X-Robots-Tag": "noindex", "Cache-Control": "no-store"}
"""Search engines do not list what only a link leads to, and no cache keeps what may be retracted."""

Response = TypeVar("Response", bound=HttpResponseBase)


class PublicationForm(forms.Form):
    """What a published result shows."""

    title = forms.CharField(max_length=200, label="Title")
    authors = forms.CharField(
        max_length=500,
        required=False,
        label="Authors",
        help_text="As in a citation, such as “Anna Alder and Ben Birch”. May stay empty.",
    )
    with_names = forms.BooleanField(required=False, initial=True, label="Show the names of systems")


@admin
@require_http_methods(["GET", "HEAD", "POST"])
def publications(request: AccountRequest, uuid: UUID) -> HttpResponse:
    """The published results of a campaign, and the form to publish the one of the address."""
    campaign = campaign_or_404(uuid)
    asked = request.GET.dict()
    analysis = publishable().get(asked.pop("analysis", "ranking"))
    if analysis is None:
        raise Http404
    try:
        parameters = checked(ParametersForm[Any](analysis.parameters, asked), analysis, campaign).parameters
    except ParameterError as error:
        messages.error(request, f"This cannot be computed: {error}.")
        return redirect("publications", uuid)
    form = PublicationForm(request.POST or None, initial={"title": str(campaign)}, label_suffix="")
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
    found = _publication(uuid, publication)
    retract(found, by=request.user)
    messages.success(request, f"“{found}” is retracted. Its link says so. You can publish it again.")
    return redirect("publications", uuid)


@admin
@require_POST
def restore_publication(request: AccountRequest, uuid: UUID, publication: UUID) -> HttpResponse:
    """Publish a retracted result again."""
    found = _publication(uuid, publication)
    restore(found, by=request.user)
    messages.success(request, f"“{found}” is published again, at the same link.")
    return redirect("publications", uuid)


@anyone
@require_safe
def published(request: HttpRequest, link: str) -> HttpResponse:
    """A published result, for anyone with the link."""
    publication = get_object_or_404(Publication, link=link)
    if publication.retracted_at:
        return _gone(request, publication)
    address = request.build_absolute_uri(publication.get_absolute_url())
    context = {
        "publication": publication,
        "content": publication.content,
        "address": address,
        "citation": citation(publication, address),
    }
    status = 200 if publication.content else PREPARING
    return _hidden(render(request, "analysis/published.html", context, status=status))


@anyone
@require_safe
def published_figure(request: HttpRequest, link: str, name: str) -> HttpResponse:
    """A figure of a published result."""
    publication = get_object_or_404(Publication.objects.defer("content"), link=link)
    if publication.retracted_at:
        return _gone(request, publication)
    figure = get_object_or_404(publication.figures, name=name, theme=request.GET.get("theme", "light"))
    return _hidden(HttpResponse(figure.svg, content_type="image/svg+xml"))


@anyone
@require_safe
def published_zip(request: HttpRequest, link: str, name: str) -> HttpResponseBase:
    """Judgments, scores, tables and figures of a published result."""
    publication = get_object_or_404(Publication, link=link, analysis=name, content__isnull=False)
    if publication.retracted_at:
        return _gone(request, publication)
    response = StreamingHttpResponse(zip_of(publication), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="{name}.zip"'
    response["Content-Length"] = (publication.content or {})["bytes"]
    return _hidden(response)


def _gone(request: HttpRequest, publication: Publication) -> HttpResponse:
    context = {"publication": publication}
    return _hidden(render(request, "analysis/published.html", context, status=GONE))


def _hidden(response: Response) -> Response:
    for name, value in HIDDEN.items():
        response[name] = value
    return response


def _publication(campaign: UUID, publication: UUID) -> Publication:
    return get_object_or_404(Publication, campaign=campaign_or_404(campaign), uuid=publication)


def _offered(campaign: Campaign, shown: Analysis[Any, Any]) -> list[tuple[Analysis[Any, Any], bool]]:
    """The analyses that can be published, by title, and whether each is the shown one."""
    offered = [each for each in publishable().values() if source_of(each).concerns(campaign)]
    return [(each, each is shown) for each in sorted(offered, key=lambda each: each.title)]


def _listed(request: AccountRequest, campaign: Campaign) -> list[dict[str, Any]]:
    """All published results, each with its full address."""
    listed = Publication.objects.filter(campaign=campaign).defer("content")
    ready = set(listed.filter(content__isnull=False).values_list("pk", flat=True))
    return [
        {
            "publication": each,
            "title": publishable()[each.analysis].title,
            "address": request.build_absolute_uri(each.get_absolute_url()),
            "is_ready": each.pk in ready,
        }
        for each in listed.select_related("published_by", "job")
    ]
