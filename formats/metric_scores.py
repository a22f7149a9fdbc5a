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
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isnan, nan
from pathlib import Path

import numpy as np

from core.arrays import FloatArray, IntArray
from core.formulas import unguarded
from core.progress import NoProgress, Progress, over_many
from formats.records import FormatError
from formats.text.checks import Place, checked_name, checked_system, finite_number, quoted, sentence_number
from formats.text.csv_texts import csv_rows_reader
from formats.text.lines import read_text

REQUIRED = ("metric", "system", "score")
COLUMNS = (*REQUIRED, "sentence")
WHOLE_SYSTEM = -1
"""Stands for the sentence where the score is that of a system."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoreRows:
    """The n rows of a file, in its order: of two million, columns take 50 MB, and objects a gigabyte.

    Attributes:
        path: the file.
        metrics: names of the metrics, in the order of the file.
        systems: names of the systems as written, likewise.
        metric: shape (n,), index of the metric of each row.
        system: shape (n,), index of its system.
        sentence: shape (n,), number of its sentence, counted from 0, or WHOLE_SYSTEM.
        score: shape (n,), a finite number; NaN where the metric does not score the sentence.
        line: shape (n,), where the row begins.
    """

    path: Path
    metrics: tuple[str, ...]
    systems: tuple[str, ...]
    metric: IntArray
    system: IntArray
    sentence: IntArray
    score: FloatArray
    line: IntArray

    def place(self, row: int) -> Place:
        """Where the row begins, for messages about it."""
        return Place(self.path, int(self.line[row]))


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
        FormatError: as `read_score_rows`; a name that no system can have.
    """
    rows = read_score_rows(path)
    scores = {name: GivenScores() for name in rows.metrics}
    systems = [
        checked_system(name, rows.place(row))
        for name, row in zip(rows.systems, first_rows(rows.system), strict=True)
    ]
    columns = (rows.metric, rows.system, rows.sentence, rows.score)
    for metric, system, sentence, score in zip(*(column.tolist() for column in columns), strict=True):
        given, name = scores[rows.metrics[metric]], systems[system]
        if sentence == WHOLE_SYSTEM:
            given.systems[name] = score
        else:
            given.sentences.setdefault(name, {})[sentence] = None if isnan(score) else score
    return scores


def first_rows(column: IntArray) -> list[int]:
    """For each index in the column, of a metric or a system, the first row that has it."""
    rows: list[int] = np.unique(column, return_index=True)[1].tolist()
    return rows


def read_score_rows(path: Path, progress: Progress | None = None) -> ScoreRows:
    """The rows below the heading.

    Args:
        path: the file.
        progress: is told of the rows, by the thousand.

    Raises:
        FormatError: malformed CSV; a column missing, twice or unknown; no row; rows of another length than
            the heading; a metric without a name; a sentence that is no number from 0; a score that is no
            finite number, or missing for a system; two scores of the same; and all faults of `read_text`.
    """
    reader = csv_rows_reader(read_text(path))
    metrics: dict[str, int] = {}
    systems: dict[str, int] = {}
    numbers, scores = array("i"), array("d")
    read = 0
    try:
        heading = _heading(next(reader, []), Place(path, 1))
        read = reader.line_num
        for cells in over_many(reader, "Reading the scores", progress or NoProgress(), total=0):
            line, read = read + 1, reader.line_num
            if cells:
                *numbered, score = _row(cells, heading, metrics, systems, Place(path, line))
                numbers.extend((*numbered, line))
                scores.append(score)
    except csv.Error as error:
        raise FormatError(path, read + 1, f"malformed CSV: {error}") from error
    if not metrics:
        raise FormatError(path, None, "the file holds a heading, but no score")
    metric, system, sentence, line_of_row = np.asarray(numbers).reshape(-1, 4).T
    rows = ScoreRows(
        path, (*metrics,), (*systems,), metric, system, sentence, np.asarray(scores), line_of_row
    )
    _refuse_doubles(rows)
    return rows


def _refuse_doubles(rows: ScoreRows) -> None:
    """Raises FormatError if two rows score the same by the same metric; names the first such row."""
    columns = (rows.sentence, rows.system, rows.metric)
    order = np.lexsort(columns)
    again = order[1:][np.all([column[order[1:]] == column[order[:-1]] for column in columns], axis=0)]
    if len(again):
        row = int(again.min())
        alike = np.all([column == column[row] for column in columns], axis=0)
        raise rows.place(row).fault(
            f"{_subject(rows.systems[rows.system[row]], int(rows.sentence[row]))} has two scores by the same "
            f"metric; the first is in line {rows.line[np.argmax(alike)]}"
        )


def _heading(cells: list[str], place: Place) -> list[str]:
    names = [cell.strip().lower() for cell in cells]
    if missing := [name for name in REQUIRED if name not in names]:
        raise place.fault(f"the heading lacks {', '.join(missing)}; columns are {', '.join(COLUMNS)}")
    if unknown := [name for name in names if name not in COLUMNS]:
        raise place.fault(f"unknown column {quoted(unknown[0])}; columns are {', '.join(COLUMNS)}")
    if len(set(names)) < len(names):
        raise place.fault("a column occurs twice in the heading")
    return names


def _row(
    cells: list[str], heading: list[str], metrics: dict[str, int], systems: dict[str, int], place: Place
) -> tuple[int, int, int, float]:
    """Metric, system, sentence and score of a row; new names are numbered."""
    if len(cells) != len(heading):
        raise place.fault(f"{len(cells)} cells, but {len(heading)} columns in the heading")
    row = {name: unguarded(cell.strip()) or "" for name, cell in zip(heading, cells, strict=True)}
    metric, system, sentence = row["metric"], row["system"], row.get("sentence")
    if metric not in metrics:
        metric = checked_name(metric, place, "the metric")
    number = sentence_number(sentence, place, "the sentence") if sentence else WHOLE_SYSTEM
    score = finite_number(row["score"], place, "the score") if row["score"] else nan
    if isnan(score) and number == WHOLE_SYSTEM:
        raise place.fault(f"{_subject(system, number)} has no score")
    return metrics.setdefault(metric, len(metrics)), systems.setdefault(system, len(systems)), number, score


def _subject(system: str, sentence: int) -> str:
    """What a row scores, in words."""
    named = f"system {system[:60]}"
    return named if sentence == WHOLE_SYSTEM else f"sentence {sentence} of {named}"
