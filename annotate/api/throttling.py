"""Rate limits. All server processes of a machine count together, in a cache of files."""

from django.core.cache import caches
from django.utils.connection import ConnectionProxy
from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle, UserRateThrottle

from annotate.web.addresses import address_of

_counts = ConnectionProxy(caches, "throttling")


class AccountThrottle(UserRateThrottle):
    """By account."""

    cache = _counts


class StrangerThrottle(AnonRateThrottle):
    """By address, as for logins, for requests without an account."""

    cache = _counts

    def get_ident(self, request: Request) -> str:
        """From where the request comes."""
        return address_of(request)
