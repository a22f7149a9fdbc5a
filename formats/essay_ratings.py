"""Human ratings of the outputs of MultiGEC-2025: two points for each essay, system by system.

    #ORIGINAL
    Grammaticality: 3 Fluency: 2
    Grammaticality: 4 Fluency: 4
    #LATTICE
    Grammaticality: 4 Fluency: 3
    Grammaticality: 4 Fluency: 4

The essays of each system stand in the same order. The files have neither texts nor names of annotators. Some
lines misspell a scale, so points are read by their position; the usual spelling names the scale.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from formats.digests import systems_digest
from formats.records import MAX_SYSTEMS, AnswerRecord, FormatError, JudgmentRecord, RatingRecord
from formats.snapshot.vocabulary import JudgmentState, ProtocolName
from formats.text.checks import Place, checked_system, quoted
from formats.text.lines import read_text

HEADING = "#"
LOWEST, HIGHEST = 1, 4
ANNOTATOR = "annotator"
"""Stands for whoever rated the essays."""

_LINE = re.compile(r"(\w{1,100}): ?([0-9]{1,2}) (\w{1,100}): ?([0-9]{1,2})")
_BEGINNING = re.compile(r"#\S+\s*\n\w+: ?[0-9]")


@dataclass(frozen=True, slots=True)
class EssayRatings:
    """The ratings of a file.

    Attributes:
        scales: names of both scales, each in its most frequent spelling.
        points: by system, in the order of the file, both points of each essay.
        lines: by system, the line of each essay's points, from 1.
        misspelt: lines that spell a scale differently.
    """

    scales: tuple[str, str]
    points: Mapping[str, tuple[tuple[int, int], ...]]
    lines: Mapping[str, tuple[int, ...]]
    misspelt: tuple[int, ...]

    @property
    def judgments(self) -> tuple[JudgmentRecord, ...]:
        """One judgment of each essay on scales, which rates the outputs of all systems.

        Essays are numbered from 0. Outputs are known by their systems. The score is the mean of how far up
        the scales the points are, in percent.
        """
        essays = len(next(iter(self.points.values())))
        return tuple(
            JudgmentRecord(
                key=str(essay),
                protocol=ProtocolName.SCALES.value,
                annotator=ANNOTATOR,
                sentence=essay,
                item=essay,
                repetition=0,
                state=JudgmentState.COMPLETE.value,
                answers=(
                    AnswerRecord(
                        tuple(self._rating(name, points[essay]) for name, points in self.points.items())
                    ),
                ),
                line=next(iter(self.lines.values()))[essay],
            )
            for essay in range(essays)
        )

    def _rating(self, system: str, points: tuple[int, int]) -> RatingRecord:
        share = (sum(points) / len(points) - LOWEST) / (HIGHEST - LOWEST)
        return RatingRecord(
            systems_digest((system,)),
            (system,),
            score=round(100 * share),
            rating_details=dict(zip(self.scales, points, strict=True)),
        )


def is_essay_ratings(text: str) -> bool:
    """Whether a text begins like such a file."""
    return _BEGINNING.match(text.removeprefix("\ufeff").replace("\r\n", "\n")) is not None


def read_essay_ratings(path: Path) -> EssayRatings:
    """Read the ratings of a file.

    Raises:
        FormatError: a line that is neither a system nor two points; points outside LOWEST .. HIGHEST; points
            before the first system; a system twice, without essays or with another number of essays than the
            first; more than MAX_SYSTEMS systems; and all faults of `read_text`.
    """
    return parse_essay_ratings(read_text(path), path)


def parse_essay_ratings(text: str, path: Path) -> EssayRatings:
    """The ratings in the text of a file; see `read_essay_ratings`."""
    points: dict[str, list[tuple[int, int]]] = {}
    lines: dict[str, list[int]] = {}
    headings: dict[str, Place] = {}
    spelt: dict[int, tuple[str, str]] = {}
    system: str | None = None
    for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
        place = Place(path, number)
        if line.startswith(HEADING):
            system = checked_system(line.removeprefix(HEADING).strip(), place)
            if system in headings:
                raise place.fault(f"system {system} twice, first in line {headings[system].line}")
            headings[system], points[system], lines[system] = place, [], []
            if len(points) > MAX_SYSTEMS:
                raise place.fault(f"more than {MAX_SYSTEMS} systems")
            continue
        found = _LINE.fullmatch(line.strip())
        if found is None:
            raise place.fault(
                f"{quoted(line)} is neither a system such as '#ORIGINAL' nor points such as "
                "'Grammaticality: 3 Fluency: 2'"
            )
        if system is None:
            raise place.fault("points before the first system, which begins with '#'")
        first, second = int(found[2]), int(found[4])
        for point in (first, second):
            if not LOWEST <= point <= HIGHEST:
                raise place.fault(f"{point} is not a point from {LOWEST} to {HIGHEST}")
        points[system].append((first, second))
        lines[system].append(number)
        spelt[number] = found[1], found[3]
    _check_numbers(points, headings)
    first_name, second_name = (
        Counter(names[position] for names in spelt.values()).most_common(1)[0][0] for position in (0, 1)
    )
    if first_name == second_name:
        raise FormatError(path, None, f"both scales are named {first_name}")
    return EssayRatings(
        scales=(first_name, second_name),
        points={name: tuple(of_system) for name, of_system in points.items()},
        lines={name: tuple(of_system) for name, of_system in lines.items()},
        misspelt=tuple(number for number, names in spelt.items() if names != (first_name, second_name)),
    )


def _check_numbers(points: Mapping[str, list[tuple[int, int]]], headings: Mapping[str, Place]) -> None:
    """FormatError for a system without essays, or with another number of essays than the first system."""
    first = next(iter(points))
    for system, of_system in points.items():
        if not of_system:
            raise headings[system].fault(f"no essay of system {system} is rated")
        if len(of_system) != len(points[first]):
            raise headings[system].fault(
                f"{len(of_system)} essays of system {system}, but {len(points[first])} of {first}"
            )
