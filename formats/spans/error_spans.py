"""Error span annotation (ESA) as Appraise exports it: a CSV file of answers, and the judged batches.

    judge1,wmt23.ONLINE-W,21,TGT,eng,deu,87,cbsnews.120102#ONLINE-W,False,"[{""start_i"": 4, ""end_i"": 5,
    ""severity"": ""minor"", ""error_type"": null}]",1711317347.693,1711317355.120

The file has no header and twelve columns: annotator, system, item, TGT or BAD (a control), two languages,
score, document, a flag, spans, begin and end. It has no texts; these are in the batches, as JSON:

    [{"items": [{"itemID": 21, "documentID": "cbsnews.120102#ONLINE-W", "sourceText": "…", "targetText": "…",
                 "_item": "ONLINE-W | 11 | cbsnews.120102"}]}]

Kocmi et al. 2024, "Error Span Annotation: A Balanced Approach for Human Evaluation of Machine Translation".
"""

import csv
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from formats.records import FormatError
from formats.text.checks import (
    Place,
    checked_name,
    checked_system,
    finite_number,
    quoted,
    whole_number,
)
from formats.text.csv_texts import csv_rows_reader, fault_in_words

COLUMNS = 12
HIGHEST_SCORE = 100
MISSING = "missing"
"""In place of both offsets: content of the source that the output lacks."""


class Severity(StrEnum):
    """How bad an error is."""

    MINOR = "minor"
    MAJOR = "major"
    UNDECIDED = "undecided"
    """The annotator was removing the span when the answer was stored."""


@dataclass(frozen=True, slots=True)
class ErrorSpan:
    """An error in an output.

    Attributes:
        start: first character, in code points of the output.
        end: character after the last, as `start`.
        severity: as marked.
    """

    start: int
    end: int
    severity: Severity


@dataclass(frozen=True, slots=True)
class BatchItem:
    """An output that was to be judged.

    Attributes:
        source: the source text.
        output: the text that offsets count: trimmed, each `<br>` a line feed.
        segment: line in the corpus, from 0; None for tutorials, which are not of the corpus.
    """

    source: str
    output: str
    segment: int | None


Batches = Sequence[Mapping[tuple[int, str], BatchItem]]
"""The items of each batch by number and document. Numbers and documents repeat across batches."""


@dataclass(frozen=True, slots=True)
class ErrorSpanRecord:
    """An answer: spans with severities, marks of missing content, and a score.

    Attributes:
        line: in the file, from 1.
        annotator: login.
        system: as in the file, such as "wmt23.ONLINE-W".
        number: of the item within its batch.
        document: with all suffixes, such as "cbsnews.120102#ONLINE-W#bad2".
        is_control: whether the text was made worse on purpose (BAD).
        item: the texts.
        score: from 0 to 100.
        spans: errors in the output, in the order of the file.
        missing: severity of each mark of missing content.
        began: when the item was opened, in seconds of the epoch.
        ended: when the answer was stored, as `began`.
    """

    line: int
    annotator: str
    system: str
    number: int
    document: str
    is_control: bool
    item: BatchItem
    score: float
    spans: tuple[ErrorSpan, ...]
    missing: tuple[Severity, ...]
    began: float
    ended: float


def parse_batches(text: str, path: Path) -> Batches:
    """The items of Appraise's batches, from the text of a JSON file.

    Raises:
        FormatError: malformed JSON (with line); anything that is not of the form above, or an item that
            stands in a batch twice (named by batch and place in it, from 1).
    """
    try:
        read = json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(path, error.lineno, f"invalid JSON: {error.msg} at column {error.colno}") from error
    except RecursionError as error:
        raise FormatError(path, None, "nested too deeply") from error
    except ValueError as error:  # Python converts no integer of more than 4,300 digits
        raise FormatError(path, None, "a number has too many digits") from error
    if not isinstance(read, list) or not read:
        raise FormatError(path, None, "the file is not a list of batches")
    return [_batch(batch, number, path) for number, batch in enumerate(read, start=1)]


def _batch(batch: object, number: int, path: Path) -> dict[tuple[int, str], BatchItem]:
    given = batch.get("items") if isinstance(batch, dict) else None
    if not isinstance(given, list):
        raise FormatError(path, None, f"batch {number} has no list of items")
    items: dict[tuple[int, str], BatchItem] = {}
    for place, item in enumerate(given, start=1):
        where = f"batch {number}, item {place}"
        key, read = _batch_item(item, where, path)
        if key in items:
            raise FormatError(path, None, f"{where}: the batch has itemID {key[0]} of {quoted(key[1])} twice")
        items[key] = read
    return items


def _batch_item(item: object, where: str, path: Path) -> tuple[tuple[int, str], BatchItem]:
    if not isinstance(item, dict):
        raise FormatError(path, None, f"{where} is not a JSON object")
    number = item.get("itemID")
    if type(number) is not int:
        raise FormatError(path, None, f"{where}: itemID is not a whole number")
    texts = []
    for name in ("documentID", "sourceText", "targetText"):
        text = item.get(name)
        if not isinstance(text, str):
            raise FormatError(path, None, f"{where}: {name} is not a text")
        texts.append(text)
    document, source, output = texts
    output = output.strip().replace("<br>", "\n")
    return (number, document), BatchItem(source, output, _segment(item.get("_item"), where, path))


def _segment(described: object, where: str, path: Path) -> int | None:
    if described is None:
        return None
    parts = described.split(" | ") if isinstance(described, str) else []
    if len(parts) != 3 or not (parts[1].isascii() and parts[1].isdigit() and len(parts[1]) < 10):
        raise FormatError(path, None, f'{where}: _item is not "SYSTEM | LINE | DOCUMENT"')
    return int(parts[1])


def error_span_rows(text: str, path: Path) -> Sequence[tuple[Place, Sequence[str]]]:
    """The rows of a CSV file of answers, each with its place.

    Raises:
        FormatError: malformed CSV, or a row of another length; with line.
    """
    return list(_rows(text, path))


def parse_error_spans(text: str, path: Path, batches: Batches) -> tuple[ErrorSpanRecord, ...]:
    """The answers in the text of a CSV file, in its order.

    The file gives the first and the last character of a span in UTF-16 code units of the output, as counted
    by JavaScript. An annotator answers items of one batch. Several answers to an item are all kept.

    Raises:
        FormatError: malformed CSV; a row of another length; names, numbers or a type of item that cannot be
            read; a score outside 0 to 100; spans that are not of the form above, without a known severity, or
            outside the output; an item that is in no batch with the others of its annotator, or in several
            with other texts; no row. All but the last with line.
    """
    rows = list(_rows(text, path))
    if not rows:
        raise FormatError(path, None, "the file has no rows")
    candidates = _batches_of_annotators(rows, batches)
    return tuple(_record(place, row, candidates[row[0]], batches) for place, row in rows)


def _rows(text: str, path: Path) -> Iterator[tuple[Place, list[str]]]:
    reader, first = csv_rows_reader(text), 1
    try:
        for row in reader:
            place = Place(path, first)
            if row and len(row) != COLUMNS:
                raise place.fault(f"the row has {len(row)} columns instead of {COLUMNS}")
            if row:
                yield place, row
            first = reader.line_num + 1
    except csv.Error as error:
        raise FormatError(path, first, fault_in_words(error, "CSV")) from error


def _key(place: Place, row: Sequence[str]) -> tuple[int, str]:
    return whole_number(row[2], place, "the item"), row[7]


def _batches_of_annotators(
    rows: Sequence[tuple[Place, Sequence[str]]], batches: Batches
) -> Mapping[str, set[int]]:
    """The places of the batches that hold all items of each annotator."""
    holding: dict[tuple[int, str], set[int]] = defaultdict(set)
    for number, batch in enumerate(batches):
        for key in batch:
            holding[key].add(number)
    found: dict[str, set[int]] = {}
    for place, row in rows:
        key, annotator = _key(place, row), row[0]
        found[annotator] = found.get(annotator, set(range(len(batches)))) & holding.get(key, set())
        if not found[annotator]:
            raise place.fault(
                f"no batch has item {key[0]} of {quoted(key[1])} "
                f"and the items before it of {quoted(annotator)}"
            )
    return found


def _record(place: Place, row: Sequence[str], of_annotator: set[int], batches: Batches) -> ErrorSpanRecord:
    annotator, system, _, kind, _, _, score, document, _, spans, began, ended = row
    key = _key(place, row)
    items = {batches[number][key] for number in of_annotator}
    if len(items) > 1:
        raise place.fault(f"several batches have item {key[0]} of {quoted(document)}, with other texts")
    if kind not in ("TGT", "BAD"):
        raise place.fault(f"the type of the item is not TGT or BAD: {quoted(kind)}")
    points = finite_number(score, place, "the score")
    if not 0 <= points <= HIGHEST_SCORE:
        raise place.fault(f"the score is outside 0 to {HIGHEST_SCORE}: {quoted(score)}")
    (item,) = items
    marked, missing = _marks(spans, item.output, place)
    return ErrorSpanRecord(
        place.line or 1,
        checked_name(annotator, place, "the annotator"),
        checked_system(system, place),
        key[0],
        checked_name(document, place, "the document"),
        kind == "BAD",
        item,
        points,
        marked,
        missing,
        finite_number(began, place, "the begin"),
        finite_number(ended, place, "the end"),
    )


def _marks(text: str, output: str, place: Place) -> tuple[tuple[ErrorSpan, ...], tuple[Severity, ...]]:
    try:
        read = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise place.fault(f"the spans are not JSON: {quoted(text)}") from error
    if not isinstance(read, list):
        raise place.fault(f"the spans are not a list: {quoted(text)}")
    spans, missing = [], []
    for start, end, severity in spans_in_units(read, output, place, what="span"):
        if start is None or end is None:
            missing.append(severity)
        else:
            spans.append(ErrorSpan(start, end, severity))
    return tuple(spans), tuple(missing)


def spans_in_units(
    listed: Sequence[object], text: str, place: Place, *, what: str
) -> Iterator[tuple[int | None, int | None, Severity]]:
    """The start, the end and the severity of marks that give their first and last UTF-16 code unit.

    Start and end are half-open and count code points of the text; both are None for missing content.

    Raises:
        FormatError: a mark is not of the form above, has no known severity, or is outside the text. `what`
            stands before its number in the message.
    """
    characters = _characters_of_units(text)
    for number, mark in enumerate(listed, start=1):
        if not isinstance(mark, dict):
            raise place.fault(f"{what} {number} is not a JSON object")
        severity = mark.get("severity")
        if severity not in list(Severity):
            raise place.fault(f"{what} {number}: the severity is not one of {', '.join(Severity)}")
        first, last = mark.get("start_i"), mark.get("end_i")
        if first == last == MISSING:
            yield None, None, Severity(severity)
            continue
        if type(first) is not int or type(last) is not int:
            raise place.fault(
                f'{what} {number}: start_i and end_i are not whole numbers, nor both "{MISSING}"'
            )
        if not 0 <= first <= last < len(characters):
            raise place.fault(
                f"{what} {number} from {first} to {last} is outside the output of "
                f"{len(characters)} UTF-16 units"
            )
        yield characters[first], characters[last] + 1, Severity(severity)


def _characters_of_units(text: str) -> Sequence[int]:
    """The place of the character, in code points, that each UTF-16 code unit belongs to."""
    return [place for place, character in enumerate(text) for _ in range(1 + (ord(character) > 0xFFFF))]
