"""WMT CSV: relative rankings of 2 to 5 outputs, one judgment a row.

    srcIndex,judgeID,system1Id,system1rank,system2Id,system2rank
    12,judge1,online-A,1,uedin,2

The format of the WMT translation tasks' manual evaluations (2010 to 2017; README of the WMT14 results).
"""

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from formats.machine_texts import checked_machine
from formats.records import FormatError, RankedGroup, RankingRecord
from formats.text.checks import (
    Place,
    check_rank,
    checked_name,
    checked_system,
    quoted,
    sentence_number,
    whole_number,
)
from formats.text.csv_texts import csv_rows_reader
from formats.text.lines import read_text

FEWEST_SYSTEMS = 2
MOST_SYSTEMS = 5

ABSENT = -1
_SYSTEM_COLUMN = re.compile(r"system([0-9]{1,9})(?:id|rank)")


def read_wmt_csv(path: Path) -> tuple[RankingRecord, ...]:
    """Read all rankings of a WMT CSV file, in the order of the file.

    Columns come in any order and are recognised by name, in any case: `judgeID`, `srcIndex` or else
    `segmentId` for the sentence, and `system1Id`, `system1rank`, `system2Id` ... for 2 to 5 systems;
    files of ours may have `annotator_kind` and `machine`; others are ignored. Rank -1 marks a system as
    absent, and so does an empty system with an empty rank. Each system that remains is an output of its own;
    no duration is known.

    Raises:
        FormatError: malformed CSV; a column twice or missing; no row; rows of another length than the header;
            a sentence that is no number; an empty annotator; bad system names; a system twice in a row; a
            rank that is missing, no number or outside 1 .. 5; and all faults of `read_text`.
    """
    return parse_wmt_csv(read_text(path), path)


def parse_wmt_csv(text: str, path: Path) -> tuple[RankingRecord, ...]:
    """The rankings in the text of a WMT CSV file; see `read_wmt_csv`."""
    rows = _placed_rows(text, path)
    place, header = next(rows, (Place(path, 1), []))
    columns = _columns(header, place)
    records = tuple(_record(row, columns, len(header), place) for place, row in rows)
    if not records:
        raise FormatError(path, None, "the file has a header but no judgment")
    return records


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns of the fields; `systems` are pairs of name and rank, as shown."""

    judge: int
    sentence: int
    sentence_name: str
    systems: tuple[tuple[int, int], ...]
    kind: int | None
    machine: int | None


def _placed_rows(text: str, path: Path) -> Iterator[tuple[Place, list[str]]]:
    """The rows, each with its first line; a quoted field may hold line ends."""
    reader = csv_rows_reader(text)
    first = 1
    try:
        for row in reader:
            if row:
                yield Place(path, first), row
            first = reader.line_num + 1
    except csv.Error as error:
        raise FormatError(path, first, f"malformed CSV: {error}") from error


def _columns(header: list[str], place: Place) -> _Columns:
    positions: dict[str, int] = {}
    for position, name in enumerate(header):
        key = name.strip().lower()
        if key in positions:
            raise place.fault(f"column {quoted(name)} twice")
        positions[key] = position
    sentence = "srcIndex" if "srcindex" in positions else "segmentId"
    numbered = [int(match[1]) for name in positions if (match := _SYSTEM_COLUMN.fullmatch(name))]
    count = max([FEWEST_SYSTEMS, *numbered])
    if count > MOST_SYSTEMS:
        raise place.fault(f"column for system {count}, at most {MOST_SYSTEMS} are known")
    return _Columns(
        judge=_judge_position(positions, place),
        sentence=_position(sentence, positions, place),
        sentence_name=sentence,
        systems=tuple(
            (
                _position(f"system{number}Id", positions, place),
                _position(f"system{number}rank", positions, place),
            )
            for number in range(1, count + 1)
        ),
        kind=positions.get("annotator_kind"),
        machine=positions.get("machine"),
    )


def _judge_position(positions: Mapping[str, int], place: Place) -> int:
    if "judgeid" not in positions:
        raise place.fault(
            "neither Appraise XML, which begins with '<', nor WMT CSV: column judgeID is missing; "
            "nor an export, whose columns docs/exports.md lists"
        )
    return positions["judgeid"]


def _position(name: str, positions: Mapping[str, int], place: Place) -> int:
    if name.lower() in positions:
        return positions[name.lower()]
    raise place.fault(f"column {name} is missing")


def _record(row: list[str], columns: _Columns, width: int, place: Place) -> RankingRecord:
    if len(row) != width:
        raise place.fault(f"{len(row)} fields, but {width} in the header")
    groups: dict[str, RankedGroup] = {}
    for system_column, rank_column in columns.systems:
        group = _group(row[system_column].strip(), row[rank_column].strip(), place)
        if group is None:
            continue
        [system] = group.systems
        if system in groups:
            raise place.fault(f"system {system} twice in one row")
        groups[system] = group
    return RankingRecord(
        place.line or 1,
        checked_name(row[columns.judge], place, "the annotator"),
        sentence_number(row[columns.sentence].strip(), place, columns.sentence_name),
        tuple(groups.values()),
        None,
        checked_machine(_cell(row, columns.kind), _cell(row, columns.machine), place),
    )


def _cell(row: list[str], column: int | None) -> str:
    return "" if column is None else row[column]


def _group(system: str, rank: str, place: Place) -> RankedGroup | None:
    """The output as ranked, or None if it is absent."""
    if not system and not rank:
        return None
    number = whole_number(rank, place, f"the rank of {quoted(system)}")
    if number == ABSENT:
        return None
    checked_system(system, place)
    check_rank(number, place, MOST_SYSTEMS)
    return RankedGroup((system,), number)
