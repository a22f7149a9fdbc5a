"""Rate limits. All server processes of a machine count together, in a cache of files."""

from django.core.cache import caches
from django.utils.connection import ConnectionProxy
from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle, UserRateThrottle

from annotate.models import Annotator
from annotate.web.addresses import address_of

_counts = ConnectionProxy(caches, "throttling")


class AccountThrottle(UserRateThrottle):
    """Limits the requests of an account."""

    cache = _counts


class MachineThrottle(UserRateThrottle):
    """Limits the requests of a machine as those of an account."""

    cache = _counts

    def get_cache_key(self, request: Request, view: object) -> str | None:
        """The key of the machine; None for others, who have limits of their own."""
        if not isinstance(request.auth, Annotator):
            return None
        key: str = self.cache_format % {"scope": "machine", "ident": request.auth.pk}
        return key


class StrangerThrottle(AnonRateThrottle):
    """Limits the requests of an address without an account or a machine."""

    cache = _counts

    def get_cache_key(self, request: Request, view: object) -> str | None:
        """The key of the address; None for machines, which have a limit of their own."""
        key: str | None = (
            None if isinstance(request.auth, Annotator) else super().get_cache_key(request, view)
        )
        return key

    def get_ident(self, request: Request) -> str:
        """The address that the request comes from."""
        return address_of(request)
