"""Tags for scores of outputs."""

from collections.abc import Mapping, Sequence

from django import template

from annotate.scores.queries import ShownScore

register = template.Library()


@register.simple_tag
def scores_of(
    scores: Mapping[tuple[int, str], Sequence[ShownScore]], position: int, digest: str
) -> Sequence[ShownScore]:
    """The scores of an output, from those of the sentences that a page shows."""
    return scores.get((position, digest), ())
