"""Pseudonyms of one release, which no other release, export or page has."""

import hmac
from collections.abc import Callable, Sequence
from functools import lru_cache

from django.utils.crypto import salted_hmac

from analysis.releases.about import About
from annotate.models import Annotator, Campaign

SALT = "analysis.releases.pseudonyms"
"""Input of every pseudonym, so it must never change, even if this module moves."""

DIGITS = 16


def pseudonyms_of(campaign: Campaign, campaigns: Sequence[Campaign], about: About) -> Callable[[str], str]:
    """Function from the names of a campaign's annotators and machines to their pseudonyms in this release.

    The key of a release follows from the secret key of the settings, so nothing has to be stored, and the
    release can be made again. In a release of several campaigns, annotators with the same account have one
    pseudonym. All others have one for each campaign: equal names may be different people's.
    """
    released = " ".join(str(each.uuid) for each in campaigns)
    key = salted_hmac(SALT, f"{released} {about.name} {about.version}", algorithm="sha256").digest()
    known: dict[str, str] = {}
    if len(campaigns) > 1:
        accounts = Annotator.every.filter(campaign=campaign).values_list("name", "user")
        known = {name: f"account {user}" if user else f"{campaign.uuid} {name}" for name, user in accounts}

    @lru_cache(maxsize=10_000)
    def pseudonym(name: str) -> str:
        return f"annotator-{hmac.digest(key, known.get(name, name).encode(), 'sha256').hex()[:DIGITS]}"

    return pseudonym
