"""Pseudonyms, which replace annotators' names outside Assay.

A pseudonym is a keyed digest: the same in every export of a campaign, different in another campaign, and
impossible to guess by trying names without the secret key of the settings.
"""

import re
from collections.abc import Callable
from functools import lru_cache, partial

from django.core.exceptions import PermissionDenied
from django.utils.crypto import salted_hmac

from annotate.models import Annotator, Campaign, User

DIGITS = 16
NUMBER = re.compile("[1-9][0-9]{0,8}")

_ERASED_NAME = re.compile("erased-[0-9a-f]{16}")

SALT = "annotate.pseudonyms"
"""Input of every pseudonym, so it must never change, even if this module moves."""


PREFIX, ERASED = "annotator-", "erased-"
"""Before the digits of a pseudonym, and of the name of an annotator whose own name was erased."""


def pseudonym(campaign: Campaign, name: str) -> str:
    """The pseudonym of the annotator of this name, the same after the name was erased."""
    if _ERASED_NAME.fullmatch(name):
        return name.replace(ERASED, PREFIX)
    digest = salted_hmac(SALT, f"{campaign.uuid} {name}", algorithm="sha256")
    return f"{PREFIX}{digest.hexdigest()[:DIGITS]}"


def erased_name(campaign: Campaign, name: str) -> str:
    """The name that replaces an erased one, so that the pseudonym stays."""
    return pseudonym(campaign, name).replace(PREFIX, ERASED)


def naming(campaign: Campaign, *, names: bool, by: User | None) -> Callable[[str], str]:
    """Function from annotators' names to what is shown: pseudonyms, or names for admins and commands.

    Args:
        campaign: campaign of the annotators.
        names: whether names are requested.
        by: the requesting user; None for a command.

    Raises:
        PermissionDenied: a user who is not an admin requests names.
    """
    check_may_name(names=names, by=by)
    return str if names else lru_cache(partial(pseudonym, campaign))


def check_may_name(*, names: bool, by: User | None) -> None:
    """Refuse names to users who may not see them.

    Args:
        names: whether names are requested.
        by: the requesting user; None for a command.

    Raises:
        PermissionDenied: a user who is not an admin requests names.
    """
    if names and by is not None and not by.may_see_names:
        raise PermissionDenied("Only admins may see annotators' names.")


def names_by_pseudonym(campaign: Campaign) -> dict[str, str]:
    """The names of all annotators of the campaign, for users who may see them, and of its machines."""
    names = Annotator.every.filter(campaign=campaign).values_list("name", flat=True)
    return {pseudonym(campaign, name): name for name in names}


def annotators_by_pseudonym(campaign: Campaign) -> dict[str, Annotator]:
    """All annotators of the campaign, and its machines, for results that hold pseudonyms."""
    annotators = Annotator.every.filter(campaign=campaign)
    return {pseudonym(campaign, annotator.name): annotator for annotator in annotators}


def annotator_known_as(campaign: Campaign, word: str) -> Annotator | None:
    """The person with this number, or the person or machine with this pseudonym."""
    if NUMBER.fullmatch(word):
        return campaign.annotators.filter(number=int(word)).first()
    return annotators_by_pseudonym(campaign).get(word)
