"""The IP address of a request."""

from ipaddress import IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest

MOST_CHARS = 50


def address_of(request: HttpRequest) -> str:
    """The client's address, or the one that our outermost proxy reports; for IPv6, the network.

    Anyone can forge entries further left in `X-Forwarded-For`. An IPv6 host has 2^64 addresses.
    """
    passed_on = request.headers.get("X-Forwarded-For", "").split(",")
    if 0 < settings.PROXIES <= len(passed_on):
        return _network(passed_on[-settings.PROXIES].strip())
    return _network(request.META["REMOTE_ADDR"])


def _network(address: str) -> str:
    try:
        parsed = ip_address(address)
    except ValueError:  # A local socket, or "unknown" from a proxy.
        return address[:MOST_CHARS]
    if parsed.version == 4:
        return str(parsed)
    return str(parsed.ipv4_mapped or IPv6Network((parsed, 64), strict=False))
