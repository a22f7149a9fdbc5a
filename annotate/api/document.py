"""The OpenAPI document."""

from drf_spectacular.views import SpectacularJSONAPIView

from annotate.api.base import ApiView


class OpenApi(ApiView, SpectacularJSONAPIView):
    """This document."""
