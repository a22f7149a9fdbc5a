"""How often somebody may ask. All server processes of a machine count together, in files for this alone."""

from django.core.cache import caches
from django.utils.connection import ConnectionProxy
from rest_framework.throttling import AnonRateThrottle, UserRateThrottle

_counts = ConnectionProxy(caches, "throttling")


class AccountThrottle(UserRateThrottle):
    """By account."""

    cache = _counts


class StrangerThrottle(AnonRateThrottle):
    """By address, for whoever has no account."""

    cache = _counts
