"""Answers to practice items, whose corrections each annotator sees in a different order."""

from collections.abc import Mapping

from annotate.design.assignment import shown_order
from annotate.models import Annotator


def as_shown(annotator: Annotator, number: int, ranks: Mapping[str, str]) -> dict[str, str]:
    """The fields that give the corrections of the practice item these ranks, in the order as written."""
    seed = annotator.campaign.design.seed
    order = shown_order(len(ranks), seed=seed, item=number, annotator=annotator.pk)
    return {f"rank-{position}": ranks[f"rank-{place}"] for position, place in enumerate(order)}
