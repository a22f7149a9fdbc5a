"""How often somebody may ask. All server processes of a machine count together, in files for this alone."""

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
    """By address, as logins are counted, for whoever has no account."""

    cache = _counts

    def get_ident(self, request: Request) -> str:
        """From where the request comes."""
        return address_of(request)
