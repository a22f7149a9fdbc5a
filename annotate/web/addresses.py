"""From where a request comes."""

from ipaddress import IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest

MOST_CHARS = 50


def address_of(request: HttpRequest) -> str:
    """Who connects to us, or whom the outermost of our own proxies names; an IPv6 host by its network.

    What stands further left in `X-Forwarded-For` anybody can write there. An IPv6 host has 2^64 addresses.
    """
    passed_on = request.headers.get("X-Forwarded-For", "").split(",")
    if 0 < settings.PROXIES <= len(passed_on):
        return _network(passed_on[-settings.PROXIES].strip())
    return _network(request.META["REMOTE_ADDR"])


def _network(address: str) -> str:
    try:
        parsed = ip_address(address)
    except ValueError:  # A socket of this machine, or what a proxy calls unknown.
        return address[:MOST_CHARS]
    if parsed.version == 4:
        return str(parsed)
    return str(parsed.ipv4_mapped or IPv6Network((parsed, 64), strict=False))
