"""Which systems of a ranking are told apart, in sentences."""

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, pairwise

from core.wording import MOST_NAMES, beginning, listed, some_of
from figures.systems.head_to_head import LEVEL, is_significant
from ranking import HeadToHead, Standing, Standings


def are_apart(first: Standing, second: Standing) -> bool:
    """Whether the rank ranges of the two do not overlap; without ranges they are not told apart."""
    if first.rank_low is None or second.rank_low is None:
        return False
    return (first.rank_high or 0) < second.rank_low or (second.rank_high or 0) < first.rank_low


def told_apart(
    standings: Standings, head_to_head: HeadToHead, systems: Collection[str], labels: dict[str, str]
) -> Iterator[str]:
    """Sentences about all pairs, about neighbours in the order, and about tests head to head.

    Args:
        standings: the ranking.
        head_to_head: its systems against each other.
        systems: names of those that compete.
        labels: of systems that have one, by name.
    """
    if standings.reason:
        yield f"No systems are told apart, since {standings.reason}."
        return
    competing = [each for each in standings.systems if each.system in systems and each.score is not None]
    pairs = list(combinations(competing, 2))
    if not pairs:
        return
    number = sum(are_apart(*pair) for pair in pairs)
    some = some_of(number, len(pairs), "pair", plural="pairs of systems", does="is", do="are")
    yield f"{beginning(some)} told apart by rank ranges that do not overlap."
    neighbours = list(pairwise(competing))
    if number and len(neighbours) > 1:
        yield _of_neighbours([pair for pair in neighbours if are_apart(*pair)], len(neighbours), labels)
    compared = [head_to_head.comparisons.get((first.system, second.system)) for first, second in pairs]
    tested = [each.holm_p_value for each in compared if each and each.holm_p_value is not None]
    if tested:
        differing = some_of(
            sum(map(is_significant, tested)), len(tested), "pair", does="differs", do="differ"
        )
        yield f"Head to head, {differing} significantly (p ≤ {LEVEL} after Holm’s correction)."


def _of_neighbours(apart: Sequence[tuple[Standing, Standing]], total: int, labels: dict[str, str]) -> str:
    named = [
        f"{labels.get(above.system, above.system)} from {labels.get(below.system, below.system)}"
        for above, below in apart
    ]
    if not named:
        return "No system is told apart from the next one in the order."
    if len(named) > MOST_NAMES:
        return f"Of neighbours in the order, {some_of(len(named), total, 'pair', does='is', do='are')}."
    only = "only " if len(named) == 1 else ""
    return f"Of neighbours in the order, {only}{listed(named, 'is', 'are')} told apart."
