"""Annotators who answer faster than anybody reads, from the times that are stored with each annotator."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.core.cache import cache

from annotate.design.protocols.correction_warnings import word_count
from annotate.models import Annotator, Campaign
from ranking.annotators.flags import FlagRule
from ranking.annotators.reading import least_seconds

FEWEST_KEYS = 2
"""An answer, and a key to submit it."""

ITEMS_LOOKED_AT = 200
"""Items of a campaign whose sentences give its usual length."""


@dataclass(frozen=True, slots=True)
class Hasty:
    """An annotator who answers too fast.

    Attributes:
        annotator: who.
        seconds: their mean active time on a screen.
        screens: answered or skipped.
    """

    annotator: Annotator
    seconds: float
    screens: int


@dataclass(frozen=True, slots=True)
class HastyAnnotators:
    """Annotators who answer too fast.

    Attributes:
        annotators: in the order given.
        least: the seconds that a screen of the campaign needs at least.
    """

    annotators: Sequence[Hasty]
    least: float


def hasty_annotators(campaign: Campaign, annotators: Iterable[Annotator]) -> HastyAnnotators:
    """The campaign's annotators whose mean time is too short for reading a usual sentence.

    Unlike the flags of the quality page, which read each answer, this costs no more with more answers. One
    long look at a screen raises the mean, so it may say nothing where the quality page flags.
    """
    rule = FlagRule()
    least = least_seconds(_usual_words(campaign), FEWEST_KEYS, rule.reading)
    working = [
        Hasty(one, one.active_ms / 1000 / screens, screens)
        for one in annotators
        if one.excluded_at is None and one.active_ms and (screens := one.answers_sent - one.auto) > 0
    ]
    return HastyAnnotators(
        [each for each in working if each.screens >= rule.min_read and each.seconds < least], least
    )


def _usual_words(campaign: Campaign) -> float:
    """The mean number of words of the sentences of the first items; 0 without items."""
    key = f"usual-words:{campaign.uuid}"
    usual: float | None = cache.get(key)
    if usual is None:
        texts = campaign.items.order_by("number").values_list("sentence__text", flat=True)[:ITEMS_LOOKED_AT]
        lengths = [word_count(text) for text in texts]
        usual = sum(lengths) / len(lengths) if lengths else 0.0
        cache.set(key, usual, timeout=None)
    return usual
