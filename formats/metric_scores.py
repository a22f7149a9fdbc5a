"""Scores of automatic metrics that were computed elsewhere, as CSV.

    metric,system,sentence,score
    comet,AMU,0,0.83
    comet,AMU,1,
    lm,AMU,,0.61

Columns stand in any order. A row with a sentence, counted from 0, is the score of a sentence; an empty score
is none, since the metric does not score that sentence. A row without one, or a file without the column, has
the score of a system. The apostrophe that guards a cell (`core.formulas`) is no part of it.
"""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

from core.formulas import unguarded
from formats.records import FormatError
from formats.text.checks import Place, checked_name, checked_system, finite_number, quoted, sentence_number
from formats.text.lines import read_text

REQUIRED = ("metric", "system", "score")
COLUMNS = (*REQUIRED, "sentence")


@dataclass(frozen=True, slots=True)
class ScoreRecord:
    """A row of the file.

    Attributes:
        place: where the row begins, for messages about it.
        metric: its name.
        system: its name as written.
        sentence: number of the sentence, counted from 0; None for the score of the system.
        score: a finite number; None where the metric does not score the sentence.
    """

    place: Place
    metric: str
    system: str
    sentence: int | None
    score: float | None


@dataclass(frozen=True, slots=True)
class GivenScores:
    """The scores of one metric.

    Attributes:
        systems: by name of a system its score.
        sentences: by name of a system and number of a sentence, counted from 0, its score; None for none.
    """

    systems: dict[str, float] = field(default_factory=dict)
    sentences: dict[str, dict[int, float | None]] = field(default_factory=dict)


def read_metric_scores(path: Path) -> Mapping[str, GivenScores]:
    """The scores of each metric, in the order of the file.

    Raises:
        FormatError: as `read_score_records`; a name that no system can have.
    """
    scores: dict[str, GivenScores] = {}
    for record in read_score_records(path):
        metric = scores.setdefault(record.metric, GivenScores())
        system = checked_system(record.system, record.place)
        if record.sentence is not None:
            metric.sentences.setdefault(system, {})[record.sentence] = record.score
        elif record.score is not None:
            metric.systems[system] = record.score
    return scores


def read_score_records(path: Path) -> Iterator[ScoreRecord]:
    """The rows below the heading, each checked when it is asked for.

    Raises:
        FormatError: malformed CSV; a column missing, twice or unknown; no row; rows of another length than
            the heading; a metric without a name; a sentence that is no number from 0; a score that is no
            finite number, or missing for a system; two scores of the same; and all faults of `read_text`.
    """
    reader = csv.reader(StringIO(read_text(path)), strict=True)
    first_lines: dict[tuple[str, str, int | None], int | None] = {}
    read = 0
    try:
        heading = _heading(next(reader, []), Place(path, 1))
        read = reader.line_num
        for cells in reader:
            place, read = Place(path, read + 1), reader.line_num
            if cells:
                record = _record(cells, heading, place)
                first = first_lines.setdefault((record.metric, record.system, record.sentence), place.line)
                if first != place.line:
                    raise place.fault(
                        f"{_subject(record)} has two scores by the same metric; the first is in line {first}"
                    )
                yield record
    except csv.Error as error:
        raise FormatError(path, read + 1, f"malformed CSV: {error}") from error
    if not first_lines:
        raise FormatError(path, None, "the file holds a heading, but no score")


def _heading(cells: list[str], place: Place) -> list[str]:
    names = [cell.strip().lower() for cell in cells]
    if missing := [name for name in REQUIRED if name not in names]:
        raise place.fault(f"the heading lacks {', '.join(missing)}; columns are {', '.join(COLUMNS)}")
    if unknown := [name for name in names if name not in COLUMNS]:
        raise place.fault(f"unknown column {quoted(unknown[0])}; columns are {', '.join(COLUMNS)}")
    if len(set(names)) < len(names):
        raise place.fault("a column occurs twice in the heading")
    return names


def _record(cells: list[str], heading: list[str], place: Place) -> ScoreRecord:
    if len(cells) != len(heading):
        raise place.fault(f"{len(cells)} cells, but {len(heading)} columns in the heading")
    texts = [unguarded(cell.strip()) or "" for cell in cells]
    row = dict(zip(heading, texts, strict=True))
    number = row.get("sentence")
    record = ScoreRecord(
        place,
        metric=checked_name(row["metric"], place, "the metric"),
        system=row["system"],
        sentence=sentence_number(number, place, "the sentence") if number else None,
        score=_score(row["score"], place),
    )
    if record.score is None and record.sentence is None:
        raise place.fault(f"{_subject(record)} has no score")
    return record


def _subject(record: ScoreRecord) -> str:
    """The subject of the row, in words."""
    system = f"system {record.system[:60]}"
    return system if record.sentence is None else f"sentence {record.sentence} of {system}"


def _score(text: str, place: Place) -> float | None:
    return finite_number(text, place, "the score") if text else None
