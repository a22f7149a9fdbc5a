"""What has changed since the last release of a campaign, which is given as its folder."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.releases.about import About, version_numbers
from analysis.releases.checks import ReleaseRefusedError
from analysis.releases.facts import Facts
from core.wording import listed

NUMBERS, CHANGES = "numbers.json", "CHANGES.md"
HEADING = "# Changes\n"


@dataclass(frozen=True, slots=True)
class Previous:
    """The release before.

    Attributes:
        version: its version.
        numbers: its numbers by what they count.
        systems: names of its systems.
        campaigns: names of its campaigns.
        history: its list of changes, newest first.
    """

    version: str
    numbers: Mapping[str, int]
    systems: list[str]
    campaigns: list[str]
    history: str


def read_previous(folder: Path, about: About) -> Previous:
    """The release in this folder.

    Raises:
        ReleaseRefusedError: it is no release, is of another data set, or has no lower version.
    """
    try:
        numbers, changes = ((folder / name).read_text(encoding="utf-8") for name in (NUMBERS, CHANGES))
    except (OSError, ValueError) as error:
        raise ReleaseRefusedError(f"{folder} is not the folder of a release: {error}.") from error
    return previous_of(numbers, changes, about, called=str(folder))


def previous_of(numbers: str, changes: str, about: About, *, called: str) -> Previous:
    """The release with these files, the numbers and the list of changes.

    Raises:
        ReleaseRefusedError: it is no release, is of another data set, or has no lower version.
    """
    try:
        stated: Any = json.loads(numbers)
        previous = Previous(
            str(stated["version"]),
            {str(name): int(number) for name, number in stated["numbers"].items()},
            [str(name) for name in stated["systems"]],
            [str(name) for name in stated.get("campaigns", [stated["campaign"]])],
            changes.removeprefix(HEADING).strip(),
        )
        name = stated["name"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ReleaseRefusedError(f"{called} is not the folder of a release: {error}.") from error
    if name != about.name:
        raise ReleaseRefusedError(f"{called} is a release of {name}, not of {about.name}.")
    if version_numbers(previous.version) >= version_numbers(about.version):
        raise ReleaseRefusedError(
            f"{called} is version {previous.version}: the version {about.version} must be higher."
        )
    return previous


def numbers_json(about: About, facts: Facts) -> str:
    """The file by which the next release is compared."""
    stated = {
        "name": about.name,
        "version": about.version,
        "date": about.date.isoformat(),
        "campaign": facts.campaign,
        "language": facts.language,
        "tokenisation": facts.tokenisation,
        "synthetic": facts.is_synthetic,
        "numbers": facts.numbers,
        "systems": _systems(facts),
        "ranking": facts.ranking,
        **(
            {
                "campaigns": {
                    each.campaign: {
                        "protocol": each.protocol,
                        "synthetic": each.is_synthetic,
                        "numbers": each.numbers,
                        "systems": _systems(each),
                        "ranking": each.ranking,
                    }
                    for each in facts.campaigns
                }
            }
            if facts.campaigns
            else {}
        ),
    }
    return json.dumps(stated, ensure_ascii=False, indent=2) + "\n"


def changes_since(previous: Previous, facts: Facts) -> str:
    """What has changed, as a list in Markdown."""
    now, before = facts.numbers, previous.numbers
    lines = [
        f"{name}: {before.get(name, 0):,} → {now.get(name, 0):,}"
        for name in dict.fromkeys([*now, *before])
        if now.get(name, 0) != before.get(name, 0)
    ]
    campaigns = [each.campaign for each in facts.each]
    if len(campaigns) > 1 or len(previous.campaigns) > 1:
        if added := [name for name in campaigns if name not in previous.campaigns]:
            lines.append(f"new campaigns: {listed(added)}")
        if dropped := [name for name in previous.campaigns if name not in campaigns]:
            lines.append(f"campaigns left out: {listed(dropped)}")
    systems = _systems(facts)
    if joined := [name for name in systems if name not in previous.systems]:
        lines.append(f"new systems: {listed(joined)}")
    if gone := [name for name in previous.systems if name not in systems]:
        lines.append(f"systems left out: {listed(gone)}")
    lines = lines or ["the same numbers and systems"]
    return f"Since version {previous.version}:\n\n" + "\n".join(f"- {line}" for line in lines)


def changes_md(about: About, changes: str, previous: Previous | None) -> str:
    """The list of changes of all versions, newest first."""
    entry = f"## {about.version} ({about.date.isoformat()})\n\n{changes or 'The first version.'}"
    return "\n".join([HEADING, f"{entry}\n", *([f"{previous.history}\n"] if previous else [])])


def _systems(facts: Facts) -> list[str]:
    return sorted(name for names in facts.systems.values() for name in names)
