"""Answers to practice items, whose corrections each annotator sees in a different order."""

from collections.abc import Mapping

from annotate.judging.orders import order_for
from annotate.models import Annotator


def as_shown(annotator: Annotator, number: int, ranks: Mapping[str, str]) -> dict[str, str]:
    """The fields that give the corrections of the practice item these ranks, in the order as written."""
    order = order_for(annotator, "practice", number, len(ranks))
    return {f"rank-{position}": ranks[f"rank-{place}"] for position, place in enumerate(order)}
