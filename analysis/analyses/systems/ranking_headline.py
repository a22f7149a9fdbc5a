"""The result of a ranking in a sentence."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby

from core.wording import MOST_NAMES, beginning, briefly, in_words, listed
from ranking import Standing, Standings

Named = Callable[[Sequence[Standing]], str]
"""Lists systems by their labels, of many only the first ones."""

NO_SYSTEMS = ("source", "reference", "control")
"""Roles of entrants that are not systems."""

APART = "cannot be told apart"

ONLY = "Only"
"""How a headline begins that tells systems of the first cluster apart."""


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
        return briefly([labels.get(standing.system, standing.system) for standing in some])

    def systems_of(some: Sequence[Standing]) -> list[Standing]:
        return [standing for standing in some if roles.get(standing.system) not in NO_SYSTEMS]

    if len(entrants) == 1:
        return f"{named(entrants)} is the only system with a score"
    if standings.reason:
        best = [standing for standing in entrants if standing.score == entrants[0].score]
        return f"{named(best)} {'has' if len(best) == 1 else 'have'} the highest score"
    clusters = [list(members) for _, members in groupby(entrants, key=lambda standing: standing.cluster)]
    first, *others = clusters
    if len(entrants) == 2:
        return f"{named(first)} is ranked above {named(others[0])}" if others else f"{named(first)} {APART}"
    systems = systems_of(entrants)
    if not others and len(systems) > 1 and _all_overlap(systems):
        several = f"None of the {counted_systems(len(systems))} can be told apart"
        return several if len(systems) > 2 else f"{named(systems)} {APART}"
    place = next((place for place, members in enumerate(clusters) if systems_of(members)), None)
    if place is None:
        return f"{named(first)} {'is ranked first' if len(first) == 1 else 'share first place'}"
    leading = clusters[place]
    below = f" below {named([each for members in clusters[:place] for each in members])}" if place else ""
    which = f"the {'first' if others else 'only'} cluster{below}"
    rest = [members for cluster in clusters[place + 1 :] if (members := systems_of(cluster))]
    result = _leading_in_words(leading, systems_of(leading), len(systems), which, below, named)
    if not result.startswith(ONLY):
        return f"{result}{_rest_in_words(rest, named)}"
    return f"{result}{_around(leading, systems_of(leading), rest, which, named)}"


MEANINGS = {"source": "the unchanged text", "reference": "a reference", "control": "a control"}
"""What is ranked beside the systems, by role."""


def not_counted(standings: Standings, roles: Mapping[str, str], labels: Mapping[str, str]) -> str:
    """A note that ranked sources, references and controls are no systems; empty where there are none."""
    scored = [standing.system for standing in standings.systems if standing.score is not None]
    return ranked_like_systems(scored, roles, labels)


def ranked_like_systems(names: Iterable[str], roles: Mapping[str, str], labels: Mapping[str, str]) -> str:
    """Which of these are sources, references and controls, in a sentence; empty where there are none."""
    apart = [
        f"{labels.get(name, name)} ({MEANINGS[roles[name]]})"
        for name in names
        if roles.get(name) in NO_SYSTEMS
    ]
    is_counted = "is ranked like a system but not counted as one"
    are_counted = "are ranked like systems but not counted as such"
    return f"{listed(apart, is_counted, are_counted)}." if apart else ""


def _leading_in_words(
    cluster: Sequence[Standing],
    systems: Sequence[Standing],
    total: int,
    which: str,
    below: str,
    named: Named,
) -> str:
    """The part of the headline about the first cluster with one of `total` systems, called `which`."""
    rank = "ranked highest" if below else "ranked first"
    best = min(standing.rank_low or 1 for standing in cluster)
    can_lead = [standing for standing in systems if standing.rank_low == best]
    others = [standing for standing in cluster if standing not in systems]
    if others and (len(systems) == 1 or not can_lead):
        verb = "shares" if len(systems) == 1 else "share"
        return f"{_subject(systems, total, named)} {verb} {which} with {named(others)}"
    if len(can_lead) == len(systems) == 1:
        return f"{named(systems)} is {rank}{below}"
    if len(can_lead) == len(systems):
        place = f"the highest place{below}" if below else "first place"
        return f"{_subject(systems, total, named)} share {place}"
    place = f"the highest place{below}" if below else "first place"
    if len(can_lead) == 1:
        return f"{ONLY} {named(can_lead)}’s rank range includes {place}"
    few = (
        named(can_lead)
        if len(can_lead) <= MOST_NAMES
        else f"{in_words(len(can_lead))} of the {counted_systems(total)}"
    )
    return f"{ONLY} {few} have rank ranges that include {place}"


def _around(
    cluster: Sequence[Standing],
    systems: Sequence[Standing],
    rest: Sequence[Sequence[Standing]],
    which: str,
    named: Named,
) -> str:
    """What else is in a cluster whose systems are told apart, or what is below it."""
    if sum(map(len, rest)) != 1:
        return _rest_in_words(rest, named, below=which)
    others = [standing for standing in cluster if standing not in systems]
    members = listed([counted_systems(len(systems)), *([named(others)] if others else [])])
    return f"; {members} form {which}"


def _rest_in_words(clusters: Sequence[Sequence[Standing]], named: Named, *, below: str = "") -> str:
    """The part of the headline about the systems below the first, by cluster.

    They are called the ones below that cluster if the part before tells systems of it apart.
    """
    total = sum(map(len, clusters))
    together = [cluster for cluster in clusters if len(cluster) > 1]
    if total < 2:
        return ""
    rest = f"the {counted_systems(total)} below {below}" if below else f"the other {counted_systems(total)}"
    if not together:
        return f"; {rest} can {'also' if total == 2 else 'all'} be told apart"
    if len(together) > 1:
        return f"; {rest} form {in_words(len(clusters))} clusters"
    [members] = together
    if len(members) == total:
        subject = rest
    elif len(members) <= MOST_NAMES:
        subject = named(members)
    else:
        subject = f"{in_words(len(members))} of {rest}"
    return f"; {subject} {APART if _all_overlap(members) else 'form one cluster'}"


def _all_overlap(systems: Sequence[Standing]) -> bool:
    """Whether the rank ranges of each two systems overlap."""
    return max(each.rank_low or 1 for each in systems) <= min(each.rank_high or 1 for each in systems)


def _subject(systems: Sequence[Standing], total: int, named: Named) -> str:
    """Few systems by name, and others by number of all, at the beginning of a sentence."""
    if len(systems) <= MOST_NAMES:
        return named(systems)
    if len(systems) == total:
        return f"All {counted_systems(total)}"
    return beginning(f"{in_words(len(systems))} of the {counted_systems(total)}")


def counted_systems(number: int) -> str:
    """Such as "ten systems"."""
    return f"{in_words(number)} systems"
