"""Results that pages share."""

from typing import cast

from django.core.cache import cache

from analysis.rankings import Ranking, rank
from annotate.models import Campaign
from annotate.queries import answers_version, snapshot


def ranking_of(campaign: Campaign) -> Ranking:
    """The ranking of a campaign's judgments as they stand, computed anew when an answer was added."""
    number, newest = answers_version(campaign)
    key = f"ranking:{campaign.uuid}:{number}:{newest}"
    return cast(Ranking, cache.get_or_set(key, lambda: rank(snapshot(campaign)), timeout=None))
