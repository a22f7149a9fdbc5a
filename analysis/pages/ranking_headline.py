"""The result of a ranking in a sentence."""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby

from annotate.models import SystemRole
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

MOST_NAMES = 3
"""Maximum number of systems that a sentence lists."""

ROLES = {
    SystemRole.SOURCE.value: "source",
    SystemRole.REFERENCE.value: "reference",
    SystemRole.CONTROL.value: "control",
}
"""Roles of entrants that are not systems, as pages name them."""


def headline(standings: Standings, roles: Mapping[str, str], labels: Mapping[str, str]) -> str:
    """The heading of a page by the clusters, such as "AMU is ranked first; ten systems cannot be told apart".

    Counts are of systems, without source, references and controls. `roles` and `labels` are by name.
    """
    entrants = [standing for standing in standings.systems if standing.score is not None]
    if not entrants:
        return "No system can be ranked yet"

    def named(some: Sequence[Standing]) -> str:
        return listed([labels.get(standing.system, standing.system) for standing in some])

    def systems_of(some: Sequence[Standing]) -> list[Standing]:
        return [standing for standing in some if roles.get(standing.system) not in ROLES]

    if len(entrants) == 1:
        return f"{named(entrants)} is the only system with a score"
    if standings.reason:
        best = [standing for standing in entrants if standing.score == entrants[0].score]
        subject = named(best) if len(best) <= MOST_NAMES else counted_systems(len(best)).capitalize()
        return f"{subject} {'has' if len(best) == 1 else 'have'} the highest score"
    clusters = [list(members) for _, members in groupby(entrants, key=lambda standing: standing.cluster)]
    first, *others = clusters
    if len(entrants) == 2:
        return f"{named(first)} is ranked above {named(others[0])}" if others else f"{named(first)} {APART}"
    if not others:
        return f"None of the {in_words(len(systems_of(entrants)))} systems can be told apart"
    systems = systems_of(first)
    if systems:
        leading, following = first, others
        subject = named(leading) if len(leading) <= MOST_NAMES else counted_systems(len(leading)).capitalize()
        result = f"{subject} {'is' if len(leading) == 1 else 'are together'} ranked first"
    else:
        leading = next((members for members in others if systems_of(members)), [])
        if not leading:
            return f"{named(first[:MOST_NAMES])} {'is' if len(first) == 1 else 'are together'} ranked first"
        following = others[others.index(leading) + 1 :]
        subject = named(leading) if len(leading) <= MOST_NAMES else counted_systems(len(leading)).capitalize()
        verb = "is" if len(leading) == 1 else "are together"
        result = f"{subject} {verb} ranked highest below {named(first[:MOST_NAMES])}"
    rest = [members for cluster in following if (members := systems_of(cluster))]
    return f"{result}{_told_of(rest, named)}"


APART = "cannot be told apart"


def _told_of(clusters: Sequence[Sequence[Standing]], named: Callable[[Sequence[Standing]], str]) -> str:
    """What the headline says of the systems below the first, by cluster."""
    total = sum(map(len, clusters))
    together = [cluster for cluster in clusters if len(cluster) > 1]
    if total < 2:
        return ""
    if not together:
        return f"; the other {in_words(total)} can all be told apart"
    if len(together) == 1 and len(together[0]) == total:
        return f"; the other {in_words(total)} {APART}"
    if len(together) == 1:
        [members] = together
        few = len(members) <= MOST_NAMES
        return f"; {named(members) if few else counted_systems(len(members))} {APART}"
    return f"; the other {in_words(total)} form {in_words(len(clusters))} clusters"


def counted_systems(number: int) -> str:
    """Such as "ten systems"."""
    return f"{in_words(number)} systems"


def in_words(number: int) -> str:
    """Numbers up to twelve in words."""
    return NUMBERS[number] if number < len(NUMBERS) else f"{number:,}"


def listed(names: Sequence[str]) -> str:
    """Such as "A, B and C"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
