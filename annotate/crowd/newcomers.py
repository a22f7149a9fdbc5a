"""Limit on a crowd's new visits from one address, so that made-up ids cannot take all batches.

Server processes of a machine count together, in a cache, for an hour. Addresses of private networks are not
counted: behind a proxy that is missing in the settings, all workers would share one.
"""

import logging
from ipaddress import ip_network
from time import time

from django.conf import settings
from django.core.cache import caches

from annotate.models import Crowd

HOUR_SECONDS = 3600

logger = logging.getLogger(__name__)


def count_newcomer(crowd: Crowd, address: str) -> bool:
    """Count a new visit from an address; returns whether there are too many.

    The hour begins with the first of them.
    """
    most = settings.CROWD_NEWCOMERS_PER_HOUR
    if not most or not _is_public(address):
        return False
    counts, key, now = caches["throttling"], f"newcomers:{crowd.entrance}:{address}", time()
    since, before = counts.get(key, (now, 0))
    count = before + 1
    counts.set(key, (since, count), HOUR_SECONDS - (now - since))
    if count == most + 1:
        logger.warning("The %s has had %d new visits from one address within an hour.", crowd, most)
    return bool(count > most)


def _is_public(address: str) -> bool:
    try:
        return ip_network(address).is_global
    except ValueError:  # No address: a local socket, or "unknown" from a proxy.
        return False
