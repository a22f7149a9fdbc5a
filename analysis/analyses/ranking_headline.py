"""The result of a ranking in a sentence."""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from core.wording import listed
from ranking import Standing, Standings

NUMBERS = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]

Named = Callable[[Sequence[Standing]], str]
"""Lists systems by their labels."""

MOST_NAMES = 3
"""Maximum number of systems that a sentence lists."""

NO_SYSTEMS = ("source", "reference", "control")
"""Roles of entrants that are not systems."""

APART = "cannot be told apart"


def headline(standings: Standings, roles: Mapping[str, str], labels: Mapping[str, str]) -> str:
    """The heading of a page by the clusters, such as "AMU is ranked first; ten systems form one cluster".

    Rank ranges that overlap chain into clusters, so a system of the first cluster can only be first if its
    own range begins with that rank, and systems of one cluster may be told apart. Counts are of systems,
    without source, references and controls. `roles` and `labels` are by name.
    """
    entrants = [standing for standing in standings.systems if standing.score is not None]
    if not entrants:
        return "No system can be ranked yet"

    def named(some: Sequence[Standing]) -> str:
        return listed([labels.get(standing.system, standing.system) for standing in some])

    def systems_of(some: Sequence[Standing]) -> list[Standing]:
        return [standing for standing in some if roles.get(standing.system) not in NO_SYSTEMS]

    if len(entrants) == 1:
        return f"{named(entrants)} is the only system with a score"
    if standings.reason:
        best = [standing for standing in entrants if standing.score == entrants[0].score]
        return f"{_subject(best, named)} {'has' if len(best) == 1 else 'have'} the highest score"
    clusters = [list(members) for _, members in groupby(entrants, key=lambda standing: standing.cluster)]
    first, *others = clusters
    if len(entrants) == 2:
        return f"{named(first)} is ranked above {named(others[0])}" if others else f"{named(first)} {APART}"
    systems = systems_of(entrants)
    if not others and len(systems) > 1 and _all_overlap(systems):
        return f"None of the {in_words(len(systems))} systems can be told apart"
    place = next((place for place, members in enumerate(clusters) if systems_of(members)), None)
    if place is None:
        return f"{named(first[:MOST_NAMES])} {'is' if len(first) == 1 else 'are together'} ranked first"
    leading = clusters[place]
    below = f" below {named(first[:MOST_NAMES])}" if place else ""
    which = "first" if others else "only"
    result = _leading_in_words(leading, systems_of(leading), f"the {which} cluster{below}", below, named)
    rest = [members for cluster in clusters[place + 1 :] if (members := systems_of(cluster))]
    return f"{result}{_rest_in_words(rest, named)}"


def _leading_in_words(
    cluster: Sequence[Standing], systems: Sequence[Standing], where: str, below: str, named: Named
) -> str:
    """The part of the headline about the first cluster with a system, called `where`."""
    rank = "ranked highest" if below else "ranked first"
    best = min(standing.rank_low or 1 for standing in cluster)
    can_lead = [standing for standing in systems if standing.rank_low == best]
    others = [standing for standing in cluster if standing not in systems]
    if others and (len(systems) == 1 or not can_lead):
        verb = "shares" if len(systems) == 1 else "share"
        return f"{_subject(systems, named)} {verb} {where} with {named(others[:MOST_NAMES])}"
    if len(can_lead) == len(systems):
        return f"{_subject(systems, named)} {'is' if len(systems) == 1 else 'are together'} {rank}{below}"
    few = named(can_lead) if len(can_lead) <= MOST_NAMES else in_words(len(can_lead))
    only = "only " if len(can_lead) == 1 else ""
    return f"Of the {counted_systems(len(systems))} in {where}, {only}{few} can be {rank}"


def _rest_in_words(clusters: Sequence[Sequence[Standing]], named: Named) -> str:
    """The part of the headline about the systems below the first, by cluster."""
    total = sum(map(len, clusters))
    together = [cluster for cluster in clusters if len(cluster) > 1]
    if total < 2:
        return ""
    if not together:
        return f"; the other {in_words(total)} can all be told apart"
    if len(together) > 1:
        return f"; the other {in_words(total)} form {in_words(len(clusters))} clusters"
    [members] = together
    if len(members) == total:
        subject = f"the other {in_words(total)}"
    else:
        subject = named(members) if len(members) <= MOST_NAMES else counted_systems(len(members))
    return f"; {subject} {APART if _all_overlap(members) else 'form one cluster'}"


def _all_overlap(systems: Sequence[Standing]) -> bool:
    """Whether the rank ranges of each two systems overlap."""
    return max(each.rank_low or 1 for each in systems) <= min(each.rank_high or 1 for each in systems)


def _subject(systems: Sequence[Standing], named: Named) -> str:
    """Few systems by name and others by number, at the beginning of a sentence."""
    return named(systems) if len(systems) <= MOST_NAMES else counted_systems(len(systems)).capitalize()


def counted_systems(number: int) -> str:
    """Such as "ten systems"."""
    return f"{in_words(number)} systems"


def in_words(number: int) -> str:
    """Numbers up to twelve in words."""
    return NUMBERS[number] if number < len(NUMBERS) else f"{number:,}"
