"""The content security policy of each page."""

from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase


class ContentPolicy(CSPMiddleware):
    """The content policy of the settings, with the exceptions of their one table."""

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        parts = super().get_policy_parts(request, response, report_only)
        if request.resolver_match is not None and request.resolver_match.url_name is not None:
            parts.replace = settings.CONTENT_POLICY_EXCEPTIONS.get(request.resolver_match.url_name)
        return parts
