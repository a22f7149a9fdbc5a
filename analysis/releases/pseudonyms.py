"""Pseudonyms of one release, which no other release, export or page has."""

import hmac
from collections.abc import Callable
from functools import lru_cache

from django.utils.crypto import salted_hmac

from analysis.releases.about import About
from annotate.models import Campaign

SALT = "analysis.releases.pseudonyms"
"""Input of every pseudonym, so it must never change, even if this module moves."""

DIGITS = 16


def pseudonyms_of(campaign: Campaign, about: About) -> Callable[[str], str]:
    """Function from the names of annotators and machines to their pseudonyms in this release.

    The key of a release follows from the secret key of the settings, so nothing has to be stored, and the
    release can be made again.
    """
    key = salted_hmac(SALT, f"{campaign.uuid} {about.name} {about.version}", algorithm="sha256").digest()

    @lru_cache(maxsize=10_000)
    def pseudonym(name: str) -> str:
        return f"annotator-{hmac.digest(key, name.encode(), 'sha256').hex()[:DIGITS]}"

    return pseudonym
