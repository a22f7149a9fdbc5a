"""Exported tables that are refused, in any of the three formats."""

import csv
import json
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core import progress
from core.progress import NoProgress, Progress
from formats import MAX_TEXT_CHARS, AnswerRecord, FormatError, JudgmentRecord, RatingRecord, read_judgments
from formats.digests import text_digest
from formats.exported import exported_parquet
from formats.exported.exported_text import parse_exported_csv
from formats.snapshot.judgment_columns import COLUMNS
from formats.writers import FORMATS, Heading
from tests.formats.conftest import Write

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
RATINGS = (RatingRecord("a" * 64, ("A", "B"), rank=1), RatingRecord("b" * 64, ("C",), rank=2))
JUDGMENTS = (
    JudgmentRecord(
        "j1",
        "p",
        "anna",
        0,
        0,
        0,
        "complete",
        (AnswerRecord(RATINGS, submitted_at=NOON),),
        annotator_number=1,
    ),
    JudgmentRecord("j2", "p", "ben", 0, 0, 1, "complete", (AnswerRecord(RATINGS[::-1], submitted_at=NOON),)),
)
HEADING = Heading("c", "en")
ROWS = [json.loads(line) for line in b"".join(FORMATS["jsonl"].write(JUDGMENTS, HEADING)).splitlines()]
"""Two judgments of two outputs, in four rows."""


def changed(row: int, **values: object) -> list[dict[str, Any]]:
    return [{**values_of_row, **(values if place == row else {})} for place, values_of_row in enumerate(ROWS)]


def deep(levels: int) -> object:
    """An object of so many levels."""
    return {"a": deep(levels - 1)} if levels else {}


def refusal(write: Write, rows: list[dict[str, Any]]) -> str:
    path = write("".join(f"{json.dumps(row)}\n" for row in rows))
    with pytest.raises(FormatError) as error:
        read_judgments(path)
    assert error.value.line is not None
    return f"{error.value.line}: {error.value.cause}"


@pytest.mark.parametrize(
    ("row", "values", "message"),
    [
        (0, {"schema_version": 0}, "1: schema version 0, but this program reads 1 to 8"),
        (0, {"schema_version": 9}, "1: schema version 9, but this program reads 1 to 8"),
        (1, {"note": "a" * 2001}, "2: note has 2001 characters, at most 2000 are allowed"),
        (1, {"note": "a"}, "2: note 'a', but 'None' in line 1"),
        (1, {"state": "perfect"}, "2: unknown state 'perfect'"),
        (1, {"opinion": "seen"}, "2: unknown opinion 'seen'; known are not-shown, shown-after, shown-before"),
        (1, {"opinion": "shown-after"}, "2: opinion 'shown-after', but 'None' in line 1"),
        (1, {"campaign": "d"}, "2: campaign 'd', but 'c' in line 1"),
        (3, {"protocol": "q"}, "4: protocol 'q', but 'p' in line 1"),
        (1, {"annotator": "ben"}, "2: annotator 'ben', but 'anna' in line 1"),
        (1, {"annotator": " "}, "2: annotator is empty"),
        (1, {"annotator": "a\0"}, "2: annotator holds the character U+0000"),
        (1, {"annotator": "a" * 201}, "2: annotator has 201 characters"),
        (0, {"annotator_number": 0}, "1: annotator_number 0 is out of range 1 to 1000000000"),
        (1, {"annotator_number": 7}, "2: annotator 'anna' has a different annotator_number than before"),
        (2, {"annotator_number": 1}, "3: annotator_number 1 belongs to two annotators"),
        (1, {"text": "a" * (MAX_TEXT_CHARS + 1)}, "2: text has 20001 characters"),
        (3, {"active_ms": 5}, "4: active_ms '5', but 'None' in line 3"),
        (0, {"rank": 0}, "1: rank 0 is out of range 1 to 32767"),
        (0, {"score": 101}, "1: score 101 is out of range 0 to 100"),
        (0, {"item": -1}, "1: item -1 is out of range"),
        (0, {"active_ms": 10**12}, "1: active_ms 1000000000000 is out of range"),
        (0, {"output": "a"}, "1: the output is not a SHA-256 digest in hexadecimal: 'a'"),
        (0, {"output": None}, "1: there is no output, but systems"),
        (0, {"systems": []}, "1: the output has no system"),
        (0, {"systems": ["A B"]}, "1: bad system name 'A B'"),
        (0, {"systems": ["B", "A"]}, "1: the systems of an output must be sorted, each once"),
        (1, {"systems": ["B"]}, "2: an output or a system of B twice in one answer"),
        (3, {"systems": ["A"]}, "4: an output of item 0 has different systems than before"),
        (1, {"position": 0}, "1: the positions of judgment 'j1' are not 0 to 1, each once"),
        (1, {"position": None}, "1: the positions of judgment 'j1' are not 0 to 1, each once"),
        (1, {"position": 2}, "1: the positions of judgment 'j1' are not 0 to 1, each once"),
        (1, {"sentence": None}, "2: sentence is missing"),
        (1, {"sentence": True}, "2: sentence must be a whole number, not true or false"),
        (1, {"sentence": 1.0}, "2: sentence must be a whole number, not a number"),
        (1, {"systems": "C"}, "2: systems must be a list of strings, not a string"),
        (1, {"systems": [1]}, "2: systems must be a list of strings, not of a number"),
        (1, {"started_at": "2026-05-04T12:00:00"}, "2: started_at is not a time with its zone (ISO 8601)"),
        (1, {"started_at": "noon"}, "2: started_at is not a time with its zone (ISO 8601): 'noon'"),
        (1, {"mood": "good"}, "2: unknown column 'mood'"),
        (0, {"further_texts": ["b"]}, "1: further_texts without a text"),
        (0, {"further_texts": "b"}, "1: further_texts must be a list of strings, not a string"),
        (0, {"further_texts": [1]}, "1: further_texts must be a list of strings, not of a number"),
        (0, {"text": "", "further_texts": ["a\0"]}, "1: a text with the character U+0000"),
        (0, {"text": "", "further_texts": ["a" * 20_001]}, "1: a text of 20001 characters, where at most"),
        (
            0,
            {"text": "", "further_texts": ["a" * 10_000] * 5},
            "1: texts after the first of 50016 characters",
        ),
        (0, {"verdict": ""}, "1: verdict is empty"),
        (0, {"verdict": "a" * 51}, "1: verdict has 51 characters, at most 50 are allowed"),
        (1, {"verdict": "yes"}, "2: verdict 'yes', but 'None' in line 1"),
        (0, {"details": []}, "1: details must be an object, not a list"),
        (0, {"details": {"a": 0.5}}, "1: details with a value of type float, where text, whole numbers"),
        (0, {"details": {"a": [2**53]}}, "1: details with a number beyond 9007199254740991"),
        (0, {"details": {"a\0": 1}}, "1: details with the character U+0000"),
        (0, {"details": {"a": "b" * 10_000}}, "1: details of 10008 characters in JSON, where at most"),
        (0, {"details": deep(11)}, "1: details with more than 10 levels"),
        (1, {"details": {"a": 1}}, "2: details"),
        (0, {"confidence": 6}, "1: confidence 6 is out of range 1 to 5"),
        (0, {"confidence": "high"}, "1: confidence must be a whole number, not a string"),
        (1, {"confidence": 2}, "2: confidence '2', but 'None' in line 1"),
        (
            0,
            {"confidence": 2, "details": {"confidence": 2}},
            "1: confidence is in the details as well as in its column",
        ),
        (0, {"propensities": [1]}, "1: propensities must be an object, not a list"),
        (0, {"propensities": {}}, "1: propensities that are not an object with a list for each output"),
        (0, {"propensities": {"a": [1, 2]}}, "1: propensities that are not a list of one number for each"),
        (0, {"propensities": {"a": ["1"]}}, "1: propensities that are not numbers"),
        (0, {"propensities": {"a": [0]}}, "1: a propensity of 0, where only 1e-12 to 1e+12 is possible"),
        (0, {"propensities": {"a": [1e-200]}}, "1: a propensity of 1e-200, where only 1e-12"),
        (0, {"propensities": {"a": [1, 2], "b": [3, 1]}}, "1: propensities of two outputs that depend on"),
        (0, {"propensities": {"a": [1]}}, "1: the output has no propensities, and others of the item have"),
        (1, {"propensities": {"b" * 64: [1]}}, "2: item 0 has different propensities than before"),
    ],
)
def test_a_value_that_does_not_fit_is_named_with_its_line(
    row: int, values: dict[str, object], message: str, write: Write
) -> None:
    assert refusal(write, changed(row, **values)).startswith(message)


def test_rows_that_do_not_fit_together_are_refused(write: Write) -> None:
    empty: dict[str, object] = {"output": None, "systems": [], "position": None, "rank": None}
    beside = [*ROWS, {**ROWS[2], **empty}]
    assert refusal(write, beside).startswith("5: a row without output, in an answer of several rows")
    of_two_sentences = [*ROWS[:2], *({**row, "sentence": 1} for row in ROWS[2:])]
    assert refusal(write, of_two_sentences).startswith("3: item 0 belongs to two sentences")
    answered_twice = [*ROWS[:2], *({**row, "repetition": 0} for row in ROWS[2:])]
    assert refusal(write, answered_twice).startswith("3: repetition 0 of item 0 is answered twice")


def test_surplus_answers_share_a_repetition(write: Write) -> None:
    rows = [*ROWS[:2], *({**row, "repetition": 0, "state": "surplus"} for row in ROWS[2:])]
    path = write("".join(f"{json.dumps(row)}\n" for row in rows))
    assert [judgment.state for judgment in read_judgments(path).judgments] == ["complete", "surplus"]


def as_csv(rows: list[dict[str, Any]]) -> bytes:
    lines = StringIO(newline="")
    cells = [{**row, "systems": " ".join(row["systems"])} for row in rows]
    writer = csv.DictWriter(lines, [*reversed(rows[0])])
    writer.writeheader()
    writer.writerows(cells)
    return lines.getvalue().encode()


def as_jsonl(rows: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(dict(reversed(row.items()))).encode() + b"\n" for row in rows)


def as_parquet(rows: list[dict[str, Any]]) -> bytes:
    """With the types that other programs choose: large texts, narrow numbers, times in milliseconds."""
    types = {
        "campaign": pa.large_string(),
        "annotator": pa.dictionary(pa.int32(), pa.string()),
        "sentence": pa.int16(),
        "submitted_at": pa.timestamp("ms", tz="Europe/Berlin"),
    }
    values = [{**row, "submitted_at": NOON} for row in rows]
    arrays = {name: pa.array([row[name] for row in values], types.get(name)) for name in reversed(rows[0])}
    sink = BytesIO()
    pq.write_table(pa.table(arrays), sink)
    return sink.getvalue()


@pytest.mark.parametrize("made", [as_csv, as_jsonl, as_parquet])
def test_rows_and_columns_may_come_in_any_order(
    made: Callable[[list[dict[str, Any]]], bytes], write: Write
) -> None:
    path = write(made([ROWS[3], ROWS[0], ROWS[2], ROWS[1]]))
    assert read_judgments(path).judgments == JUDGMENTS[::-1]


class StoppedError(Exception):
    """Whoever follows the progress stops the reading."""


class Follower(Progress):
    """Follows a reading until it is told this many times that parts are done; to its end for 0."""

    def __init__(self, stops_at: int = 0) -> None:
        self.told: list[tuple[str, int] | int] = []
        self._stops_at = stops_at

    def begin(self, step: str, *, total: int = 0) -> None:
        self.told.append((step, total))

    def advance(self, parts: int) -> None:
        self.told.append(parts)
        if self.told.count(parts) == self._stops_at:
            raise StoppedError


@pytest.mark.parametrize("made", [as_csv, as_jsonl, as_parquet])
def test_reading_tells_how_far_it_is_and_can_be_stopped(
    made: Callable[[list[dict[str, Any]]], bytes], write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "MANY", 2)
    path, follower = write(made(ROWS)), Follower()
    assert read_judgments(path, follower).judgments == JUDGMENTS
    assert follower.told == [("Reading the rows", 4), 2, 2, ("Checking the judgments", 2), 2]
    for stops_at in (1, 2, 3):
        with pytest.raises(StoppedError):
            read_judgments(path, Follower(stops_at))


LATER = {
    1: ("note", "further_texts", "verdict", "details", "propensities", "confidence"),
    2: ("further_texts", "verdict", "details", "propensities", "confidence"),
    3: ("propensities", "confidence"),
    4: ("confidence",),
}
"""Columns that files of an older version lack."""


@pytest.mark.parametrize("version", LATER)
@pytest.mark.parametrize("made", [as_csv, as_jsonl, as_parquet])
def test_files_of_older_versions_are_read(
    made: Callable[[list[dict[str, Any]]], bytes], version: int, write: Write
) -> None:
    before = [{**row, "schema_version": version} for row in ROWS]
    for row in before:
        for name in LATER[version]:
            del row[name]
    assert read_judgments(write(made(before))).judgments == JUDGMENTS


CSV = as_csv(ROWS).decode()
HEADER, FIRST = CSV.split("\r\n")[:2]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (CSV.replace("sentence", "sentences", 1), "1: unknown column 'sentences'"),
        (CSV.replace("sentence", "item", 1), "1: column 'item' twice"),
        (f"{HEADER},x\r\n", "1: unknown column 'x'"),
        (HEADER.replace("active_ms,", ""), "1: column active_ms is missing"),
        (f"{HEADER}\r\n{FIRST},\r\n", "2: 34 fields, but 33 in the header"),
        (f"{HEADER}\r\n\r\n", "2: 0 fields, but 33 in the header"),
        (CSV.replace(",0,0,0,1,anna", ",0,0,x,1,anna", 1), "2: sentence is not a whole number: 'x'"),
        (CSV.replace(",complete,", ",,", 1), "2: state is missing"),
        (f'{HEADER}\r\n"', "2: malformed CSV"),
    ],
)
def test_faulty_csv_is_named_with_its_line(content: str, message: str, write: Write) -> None:
    with pytest.raises(FormatError) as error:
        read_judgments(write(content))
    assert f"{error.value.line}: {error.value.cause}".startswith(message)


@pytest.mark.parametrize("content", [f"{HEADER}\r\n", "".join(map(chr, b"PAR1")), "PAR1PAR1"])
def test_a_file_without_judgments_is_refused(content: str, write: Write) -> None:
    with pytest.raises(FormatError):
        read_judgments(write(content))


def parquet(**columns: pa.Array) -> bytes:
    """A file of one row, but for these columns."""
    row = {**ROWS[0], "submitted_at": NOON}
    arrays = {name: columns.get(name, pa.array([row[name]])) for name in COLUMNS}
    sink = BytesIO()
    pq.write_table(pa.table(arrays), sink)
    return sink.getvalue()


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"sentence": pa.array([None], pa.int64())}, "1: sentence is missing"),
        ({"sentence": pa.array(["x"])}, "None: sentence must be number: Failed to parse string: 'x'"),
        ({"sentence": pa.array([0.5])}, "None: sentence must be number: Float value 0.5"),
        ({"systems": pa.array([["Alder", None]])}, "1: systems must be a list of strings, not of null"),
        ({"systems": pa.array([["a"] * 501])}, "None: systems has more than 500 names"),
        ({"systems": pa.array([["a" * 201]])}, "None: systems has 201 characters, at most 200"),
        ({"annotator": pa.array(["a" * 20_001])}, "None: annotator has 20001 characters"),
        ({"details": pa.array(["{"])}, "1: invalid JSON: "),
        ({"details": pa.array(["[]"])}, "1: details must be an object, not a list"),
        ({"details": pa.array([" " * 10_001])}, "None: details has 10001 characters, at most 10000"),
        ({"started_at": pa.array([2**62], pa.timestamp("us", "UTC"))}, "None: cannot be read as Parquet"),
    ],
)
def test_faulty_parquet_is_named_with_its_row(
    columns: dict[str, pa.Array], message: str, write: Write
) -> None:
    with pytest.raises(FormatError) as error:
        read_judgments(write(parquet(**columns)))
    assert f"{error.value.line}: {error.value.cause}".startswith(message)


def test_parquet_without_a_column_is_refused(write: Write) -> None:
    rows = [{name: value for name, value in row.items() if name != "annotator"} for row in ROWS]
    with pytest.raises(FormatError, match="column annotator is missing"):
        read_judgments(write(as_parquet(rows)))


def test_a_short_parquet_file_that_unfolds_to_a_huge_one_is_refused(write: Write) -> None:
    """One text of a mebibyte, a hundred thousand times over: 100 GiB if it were unfolded."""
    rows = 100_000
    text = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array(["a" * 2**20]))
    row = {**ROWS[0], "submitted_at": NOON}
    arrays = {name: pa.array([row[name]] * rows) for name in COLUMNS} | {"text": text}
    sink = BytesIO()
    pq.write_table(pa.table(arrays), sink)
    assert len(sink.getvalue()) < 2**21
    with pytest.raises(FormatError, match="text has 1048576 characters"):
        read_judgments(write(sink.getvalue()))


def test_lists_that_unfold_to_a_huge_file_are_refused(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exported_parquet, "MOST_VALUES", 999)
    with pytest.raises(FormatError, match="unpacked it is larger than 256 MiB"):
        read_judgments(write(parquet(systems=pa.array([["a"] * 1000]))))


@pytest.mark.parametrize("made", [as_csv, as_jsonl, as_parquet])
def test_texts_that_stand_in_many_rows_are_held_once(
    made: Callable[[list[dict[str, Any]]], bytes], write: Write
) -> None:
    rows = [
        {**row, "judgment": f"j{item}", "item": item, "note": "odd " * 100}
        for item, row in enumerate(ROWS[:1] * 9)
    ]
    judgments = read_judgments(write(made([{**row, "position": 0, "rank": 1} for row in rows]))).judgments
    assert len({id(judgment.answers[0].note) for judgment in judgments}) == 1


@pytest.mark.parametrize("name", ["csv", "jsonl", "parquet"])
def test_values_of_many_rows_are_held_once(tmp_path: Path, name: str) -> None:
    """Files repeat digests, systems and times in each row; a million rows of new objects would take 2 GB."""
    many = [
        replace(JUDGMENTS[0], key=f"j{number}", repetition=number, annotator_number=1) for number in range(3)
    ]
    path = tmp_path / "judgments"
    path.write_bytes(b"".join(FORMATS[name].write(many, HEADING)))
    read = read_judgments(path).judgments
    assert read == tuple(many)
    first, *others = ([judgment.annotator, *of_answer(judgment.current)] for judgment in read)
    assert [list(map(id, values)) for values in others] == [list(map(id, first))] * 2


def of_answer(answer: AnswerRecord) -> list[object]:
    return [
        answer.submitted_at,
        *(value for rating in answer.ratings for value in (rating.output, rating.systems)),
    ]


def test_rows_take_little_memory_while_they_wait_for_others_of_their_judgment() -> None:
    """Two million rows took 1.6 GB when each held all its values."""
    judgments, outputs = 100, 20
    ratings = [RatingRecord(text_digest(f"{place}"), (f"system{place}",), rank=1) for place in range(outputs)]
    answers = (replace(JUDGMENTS[0].current, ratings=tuple(ratings)),)
    many = [
        replace(JUDGMENTS[0], key=f"j{number}", repetition=number, answers=answers)
        for number in range(judgments)
    ]
    text = b"".join(FORMATS["csv"].write(many, HEADING)).decode()
    parse_exported_csv(text, Path("judgments"), NoProgress())
    tracemalloc.start()
    parse_exported_csv(text, Path("judgments"), NoProgress())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak - len(text) < 750 * judgments * outputs
