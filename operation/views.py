"""Addresses for monitors."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4

from annotate.web.access import anyone, has_metrics_token, monitor
from operation.health import health
from operation.prometheus import metrics_text

AGAIN_SECONDS = 60


@anyone
@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Whether the site works; what is wrong is only for programs with the token."""
    findings = health()
    is_well = not any(finding.fault for finding in findings)
    answer: dict[str, object] = {"status": "ok" if is_well else "unavailable"}
    if has_metrics_token(request):
        answer["checks"] = {finding.check: finding.fault or "ok" for finding in findings}
    if is_well:
        return JsonResponse(answer)
    headers = {"Retry-After": str(AGAIN_SECONDS)}
    return JsonResponse(answer, status=HTTPStatus.SERVICE_UNAVAILABLE, headers=headers)


@monitor
@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """The site's figures for Prometheus."""
    return HttpResponse(metrics_text(), content_type=CONTENT_TYPE_PLAIN_0_0_4)
