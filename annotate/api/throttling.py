"""Rate limits. All server processes of a machine count together, in a cache of files."""

from django.core.cache import caches
from django.utils.connection import ConnectionProxy
from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle, UserRateThrottle

from annotate.web.addresses import address_of

_counts = ConnectionProxy(caches, "throttling")


class AccountThrottle(UserRateThrottle):
    """Limits the requests of an account."""

    cache = _counts


class StrangerThrottle(AnonRateThrottle):
    """Limits the requests of an address without an account."""

    cache = _counts

    def get_ident(self, request: Request) -> str:
        """The address that the request comes from."""
        return address_of(request)
