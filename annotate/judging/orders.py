"""The orders in which annotators see outputs."""

from annotate.design.assignment import shown_order
from annotate.design.draws import keyed_seed
from annotate.models import Annotator


def order_for(annotator: Annotator, purpose: str, number: int, outputs: int) -> list[int]:
    """The order in which the annotator sees so many outputs, always the same.

    Args:
        annotator: with their campaign.
        purpose: of the outputs.
        number: of their item among those with this purpose.
        outputs: how many there are.
    """
    campaign = annotator.campaign
    if not campaign.secret:
        return shown_order(outputs, seed=[campaign.design.seed, number, annotator.pk])
    return shown_order(outputs, seed=keyed_seed(campaign.secret, purpose, number, annotator.number))
