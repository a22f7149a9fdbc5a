"""Limit on a campaign's newcomers from one address: crowd workers' new visits, and visitors by a shared link.

So neither made-up ids nor a link that is opened again and again can take all batches.
"""

from django.conf import settings

from annotate.models import Campaign
from annotate.web.hourly_limits import too_many


def count_newcomer(campaign: Campaign, address: str) -> bool:
    """Count a newcomer from an address; returns whether there are too many within an hour."""
    most = settings.CROWD_NEWCOMERS_PER_HOUR
    said = f"{campaign} has had {most} newcomers from one address within an hour."
    return too_many(f"newcomers:{campaign.uuid}", address, most, said=said)
