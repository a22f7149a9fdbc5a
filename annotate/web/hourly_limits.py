"""Limits on what may come from one address within an hour.

Server processes of a machine count together, in a cache. Addresses of private networks are not counted:
behind a proxy that is missing in the settings, everybody would share one.
"""

import logging
from ipaddress import ip_network
from time import time

from django.core.cache import caches

HOUR_SECONDS = 3600

logger = logging.getLogger(__name__)


def too_many(what: str, address: str, most: int, *, said: str) -> bool:
    """Count an event of this kind from an address; returns whether there are more than `most`.

    The hour begins with the first of them. The log gets `said` once.
    """
    if not most or not _is_public(address):
        return False
    counts, key, now = caches["throttling"], f"{what}:{address}", time()
    since, before = counts.get(key, (now, 0))
    count = before + 1
    counts.set(key, (since, count), HOUR_SECONDS - (now - since))
    if count == most + 1:
        logger.warning("%s", said)
    return bool(count > most)


def _is_public(address: str) -> bool:
    try:
        return ip_network(address).is_global
    except ValueError:  # No address: a local socket, or "unknown" from a proxy.
        return False
