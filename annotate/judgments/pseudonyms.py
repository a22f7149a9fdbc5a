"""The names under which annotators leave the house.

A keyed digest: the same at every export of a campaign, another one in another campaign, and not to be found
by trying names without the settings' secret.
"""

import re
from collections.abc import Callable
from functools import lru_cache, partial

from django.core.exceptions import PermissionDenied
from django.utils.crypto import salted_hmac

from annotate.models import Annotator, Campaign, User

DIGITS = 16
NUMBER = re.compile("[1-9][0-9]{0,8}")

SALT = "annotate.pseudonyms"
"""Part of every pseudonym that was ever given out: it stays as it is, wherever this module moves."""


def pseudonym(campaign: Campaign, name: str) -> str:
    """What stands in exports for the annotator of this name."""
    digest = salted_hmac(SALT, f"{campaign.uuid} {name}", algorithm="sha256")
    return f"annotator-{digest.hexdigest()[:DIGITS]}"


def naming(campaign: Campaign, *, names: bool, by: User | None) -> Callable[[str], str]:
    """What to call the campaign's annotators: by pseudonym, or if an admin or a command asks so by name.

    Args:
        campaign: whose annotators.
        names: whether names are asked for.
        by: who asks; None for a command.

    Raises:
        PermissionDenied: somebody who is no admin asks for names.
    """
    check_may_name(names=names, by=by)
    return str if names else lru_cache(partial(pseudonym, campaign))


def check_may_name(*, names: bool, by: User | None) -> None:
    """Refuse names to those who may not see them.

    Args:
        names: whether names are asked for.
        by: who asks; None for a command.

    Raises:
        PermissionDenied: somebody who is no admin asks for names.
    """
    if names and by is not None and not by.may_see_names:
        raise PermissionDenied("Names of annotators are for admins.")


def names_by_pseudonym(campaign: Campaign) -> dict[str, str]:
    """The names of all annotators of the campaign, for those who may see them."""
    names = campaign.annotators.values_list("name", flat=True)
    return {pseudonym(campaign, name): name for name in names}


def annotators_by_pseudonym(campaign: Campaign) -> dict[str, Annotator]:
    """All annotators of the campaign, for results that hold pseudonyms."""
    return {pseudonym(campaign, annotator.name): annotator for annotator in campaign.annotators.all()}


def annotator_known_as(campaign: Campaign, word: str) -> Annotator | None:
    """The annotator of the campaign whose number or pseudonym this is."""
    if NUMBER.fullmatch(word):
        return campaign.annotators.filter(number=int(word)).first()
    for annotator in campaign.annotators.all():
        if pseudonym(campaign, annotator.name) == word:
            return annotator
    return None
