"""Limit on a campaign's newcomers from one address: crowd workers' new visits, and visitors by a shared link.

So neither made-up ids nor a link that is opened again and again can take all batches.

Server processes of a machine count together, in a cache, for an hour. Addresses of private networks are not
counted: behind a proxy that is missing in the settings, all workers would share one.
"""

import logging
from ipaddress import ip_network
from time import time

from django.conf import settings
from django.core.cache import caches

from annotate.models import Campaign

HOUR_SECONDS = 3600

logger = logging.getLogger(__name__)


def count_newcomer(campaign: Campaign, address: str) -> bool:
    """Count a newcomer from an address; returns whether there are too many.

    The hour begins with the first of them.
    """
    most = settings.CROWD_NEWCOMERS_PER_HOUR
    if not most or not _is_public(address):
        return False
    counts, key, now = caches["throttling"], f"newcomers:{campaign.uuid}:{address}", time()
    since, before = counts.get(key, (now, 0))
    count = before + 1
    counts.set(key, (since, count), HOUR_SECONDS - (now - since))
    if count == most + 1:
        logger.warning("%s has had %d newcomers from one address within an hour.", campaign, most)
    return bool(count > most)


def _is_public(address: str) -> bool:
    try:
        return ip_network(address).is_global
    except ValueError:  # No address: a local socket, or "unknown" from a proxy.
        return False
