"""The OpenAPI document, and the page that shows it."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.views import SpectacularJSONAPIView

from annotate.api.base import ApiView
from annotate.api.described import ERROR, described_api
from annotate.web.access import AccountRequest, researcher


class OpenApi(ApiView, SpectacularJSONAPIView):
    """This document."""


@researcher
@require_safe
def documentation(request: AccountRequest) -> HttpResponse:
    context = {"api": described_api(), "site": request.build_absolute_uri("/").rstrip("/"), "error": ERROR}
    return render(request, "annotate/programs/documentation.html", context)
