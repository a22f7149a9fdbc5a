"""What has changed from one version of a leaderboard to the next, in sentences."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from core.wording import beginning, counted, in_words, listed

MOST_LISTED = 12
"""Systems that a sentence lists; of more, it gives the number."""

COUNTED = (
    ("Screens judged", "judgment"),
    ("Sentences judged", "sentence"),
    ("Annotators", "annotator"),
)
"""Facts that are compared, with what each counts."""

COMBINED = "combined"
"""The parameter that adds the judgments of campaigns that a campaign follows."""

NUMBERED = (
    "Systems are shown as numbers, which are drawn anew for each version, so places cannot be compared."
)
NOTHING = "The ranking and the number of judgments are the same."


class Version(NamedTuple):
    """What is compared.

    Attributes:
        content: of the page.
        parameters: of the analysis, as texts by name.
        with_names: whether systems have their names.
    """

    content: Mapping[str, Any]
    parameters: Mapping[str, str]
    with_names: bool


def changes(before: Version, after: Version) -> list[str]:
    """Sentences about systems, their places, clusters, the number of judgments, and how they were ranked."""
    sentences = []
    if before.with_names and after.with_names:
        sentences += [*_systems(before, after), *_places(before, after)]
    sentences += [*_clusters(before, after), *_counts(before, after), *_computation(before, after)]
    if not (before.with_names and after.with_names):
        sentences.append(NUMBERED)
    return sentences or [NOTHING]


def _rows_of_systems(version: Version) -> dict[str, Mapping[str, Any]]:
    clusters = version.content["ranking"]["clusters"]
    return {row["system"]: row for cluster in clusters for row in cluster}


def _systems(before: Version, after: Version) -> Iterator[str]:
    earlier, later = _rows_of_systems(before), _rows_of_systems(after)
    joined = [name for name in later if name not in earlier]
    gone = [name for name in earlier if name not in later]
    if joined:
        yield f"{_named(joined)} joined."
    if gone:
        yield f"{_named(gone)} {'is' if len(gone) == 1 else 'are'} no longer ranked."


def _places(before: Version, after: Version) -> Iterator[str]:
    """Moves in the order of those systems that both versions rank."""
    earlier, later = _rows_of_systems(before), _rows_of_systems(after)
    common = [name for name in later if name in earlier]
    then = {name: place for place, name in enumerate((name for name in earlier if name in later), start=1)}
    moved = [
        f"{name} from {then[name]} to {place}"
        for place, name in enumerate(common, start=1)
        if then[name] != place
    ]
    if not common:
        return
    among = "" if len(common) == len(earlier) == len(later) else " among the systems of both versions"
    if not moved:
        yield f"The order{among} is the same."
    elif len(moved) > MOST_LISTED:
        yield f"{beginning(in_words(len(moved)))} systems moved to another place{among}."
    else:
        yield f"Moved to another place{among}: {listed(moved)}."


def _clusters(before: Version, after: Version) -> Iterator[str]:
    then, now = _number_of_clusters(before), _number_of_clusters(after)
    if then != now and now:
        yield f"There {'is' if now == 1 else 'are'} {counted(now, 'cluster')} instead of {in_words(then)}."
    elif then != now:
        yield "There are no clusters any more."


def _number_of_clusters(version: Version) -> int:
    return len({row["cluster"] for row in _rows_of_systems(version).values() if row["cluster"] is not None})


def _counts(before: Version, after: Version) -> Iterator[str]:
    then, now = _facts(before), _facts(after)
    for name, noun in COUNTED:
        number, earlier = now.get(name, 0), then.get(name, 0)
        if number != earlier:
            which = "more" if number > earlier else "fewer"
            nouns = noun if abs(number - earlier) == 1 else f"{noun}s"
            yield f"{abs(number - earlier):,} {which} {nouns}: {number:,} instead of {earlier:,}."


def _facts(version: Version) -> dict[str, int]:
    return {name: int(figure.replace(",", "")) for name, figure in version.content["facts"]}


def _computation(before: Version, after: Version) -> Iterator[str]:
    names = sorted({*before.parameters, *after.parameters} - {COMBINED})
    if after.parameters.get(COMBINED) == "yes" != before.parameters.get(COMBINED):
        yield "It is of a follow-up campaign, and counts the judgments of the campaigns that it follows too."
    changed = [
        f"{name} {after.parameters.get(name) or 'by default'} instead of "
        f"{before.parameters.get(name) or 'the default'}"
        for name in names
        if (before.parameters.get(name) or "") != (after.parameters.get(name) or "")
    ]
    if changed:
        yield f"Other settings: {listed(changed)}."
    rules = [_rules(version) for version in (before, after)]
    if rules[0] != rules[1]:
        yield "It was computed by a newer rule of Assay."


def _rules(version: Version) -> dict[str, list[str]]:
    """The parts of the signatures that state rules."""
    return {
        of: [part for part in signature.split("|") if part.startswith("rule:")]
        for of, signature in version.content["signatures"]
    }


def _named(names: Sequence[str]) -> str:
    if len(names) > MOST_LISTED:
        return f"{beginning(in_words(len(names)))} systems"
    return listed(names)
