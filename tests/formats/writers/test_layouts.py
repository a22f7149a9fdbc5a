"""The layout of the files for other tools."""

import csv
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from io import BytesIO, StringIO

import pandas as pd
import pytest

from formats import AnswerRecord, JudgmentRecord, RatingRecord
from formats.digests import text_digest
from formats.snapshot.judgment_columns import COLUMNS
from formats.writers import FORMATS, Heading

HEADING = Heading("=1+1", "en")
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


def ranked(*outputs: tuple[int, str]) -> JudgmentRecord:
    """A ranking by anna of outputs of these systems."""
    ratings = tuple(
        RatingRecord(text_digest(names), tuple(names.split()), rank, score=rank, meaning_changed=True)
        for rank, names in outputs
    )
    answer = AnswerRecord(ratings, text="-1", submitted_at=NOON, active_ms=67_524)
    return JudgmentRecord("j", "relative-ranking", "anna", 7, 3, 0, "complete", (answer,))


def written(name: str, *judgments: JudgmentRecord) -> str:
    return b"".join(FORMATS[name].write(judgments, HEADING)).decode()


# --- Tables ---------------------------------------------------------------------------------------


def test_a_note_is_guarded_in_csv_and_absent_where_there_is_none() -> None:
    skip = JudgmentRecord(
        "k", "relative-ranking", "ben", 7, 3, 1, "skipped", (AnswerRecord((), note='=1+1 "x",\nno'),)
    )
    plain, noted = csv.DictReader(StringIO(written("csv", ranked((1, "A")), skip), newline=""))
    assert (plain["note"], noted["note"]) == ("", '\'=1+1 "x",\nno')
    assert [json.loads(line)["note"] for line in written("jsonl", ranked((1, "A")), skip).splitlines()] == [
        None,
        '=1+1 "x",\nno',
    ]


def test_texts_and_details_are_json_in_a_cell_and_themselves_in_json() -> None:
    answer = AnswerRecord((), text="=1", further_texts=("=2", ""), details={"b": [True, None], "a": 'ü"'})
    judgment = JudgmentRecord("k", "toy", "ben", 7, 3, 1, "complete", (answer,))
    [row] = csv.DictReader(StringIO(written("csv", judgment), newline=""))
    assert (row["further_texts"], row["details"]) == ('["=2",""]', '{"a":"ü\\"","b":[true,null]}')
    assert (row["verdict"], row["output"]) == ("", "")
    [line] = map(json.loads, written("jsonl", judgment).splitlines())
    assert (line["further_texts"], line["details"]) == (["=2", ""], {"a": 'ü"', "b": [True, None]})


def test_csv_guards_texts_and_leaves_numbers_alone() -> None:
    header, row = csv.reader(StringIO(written("csv", ranked((1, "+A B"))), newline=""))
    values = dict(zip(header, row, strict=True))
    assert values["campaign"] == "'=1+1"
    assert values["systems"] == "'+A B"
    assert values["text"] == "'-1"
    assert (values["rank"], values["score"], values["active_ms"]) == ("1", "1", "67524")
    assert (values["meaning_changed"], values["submitted_at"]) == ("true", "2026-05-04T12:00:00.000000Z")
    assert values["started_at"] == ""


@pytest.mark.parametrize(
    ("name", "read"),
    [("csv", pd.read_csv), ("jsonl", partial(pd.read_json, lines=True)), ("parquet", pd.read_parquet)],
)
def test_pandas_reads_the_tables(name: str, read: Callable[[BytesIO], pd.DataFrame]) -> None:
    frame = read(BytesIO(b"".join(FORMATS[name].write([ranked((2, "A"), (1, "B C"))], HEADING))))
    assert list(frame.columns) == list(COLUMNS)
    assert list(frame["rank"]) == [2, 1]
    assert list(frame["position"]) == [0, 1]


@pytest.mark.parametrize("name", ["csv", "parquet"])
def test_a_table_without_judgments_has_its_columns(name: str) -> None:
    raw = BytesIO(b"".join(FORMATS[name].write([], HEADING)))
    frame = pd.read_csv(raw) if name == "csv" else pd.read_parquet(raw)
    assert list(frame.columns) == list(COLUMNS)
    assert frame.empty


@pytest.mark.parametrize("name", FORMATS)
def test_pieces_are_neither_tiny_nor_the_whole_file(name: str) -> None:
    many = [replace(ranked((1, "A"), (2, "B")), key=str(number)) for number in range(15_000)]
    sizes = [len(piece) for piece in FORMATS[name].write(many, HEADING)]
    assert len(sizes) > 1
    assert max(sizes) < 2**20


# --- The field's formats --------------------------------------------------------------------------


def test_the_fields_tools_read_the_xml() -> None:
    """By their rules: the first block, numbers for `src-id` and `rank`, systems split at blanks."""
    root = ET.fromstring(written("appraise", ranked((2, "A"), (1, "B C")), ranked()))  # noqa: S314
    assert len(root) == 1
    block = root.find("error-correction-ranking-result")
    assert block is not None
    ranking, skipped = block
    assert int(ranking.attrib["src-id"]) == 7
    assert ranking.attrib["user"] == "anna"
    assert ranking.attrib["duration"] == "00:01:07.524000"
    assert {"doc-id", "id"} <= ranking.attrib.keys()
    assert [(int(output.attrib["rank"]), output.attrib["system"].split()) for output in ranking] == [
        (2, ["A"]),
        (1, ["B", "C"]),
    ]
    assert list(skipped) == []


@pytest.mark.parametrize(
    ("milliseconds", "duration"),
    [
        (0, "00:00:00.000000"),
        (86_400_000, "1 day, 00:00:00.000000"),
        (3 * 86_400_000 + 3_600_001, "3 days, 01:00:00.001000"),
        (2**62, None),
        (None, None),
    ],
)
def test_durations_are_written_as_appraise_does(milliseconds: int | None, duration: str | None) -> None:
    judgment = replace(ranked(), answers=(AnswerRecord((), active_ms=milliseconds),))
    [[item]] = ET.fromstring(written("appraise", judgment))  # noqa: S314
    assert item.attrib.get("duration") == duration


def test_xml_replaces_invalid_characters() -> None:
    [[item]] = ET.fromstring(written("appraise", replace(ranked(), annotator='a\0\x01"<&>\n')))  # noqa: S314
    assert item.attrib["user"] == 'a��"<&>\n'


def test_wmt_csv_has_the_columns_of_the_tasks_in_a_row_of_five() -> None:
    header, row = csv.reader(StringIO(written("wmt-csv", ranked((2, "A"), (1, "B C")))))
    assert len(header) == 21
    assert header[:8] == [
        *("srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeID"),
        *("system1Number", "system1Id"),
    ]
    assert row[:6] == ["en", "en", "8", "'=1+1", "8", "anna"]
    assert row[6:16] == ["1", "A", "2", "B", "3", "C", "-1", "", "-1", ""]
    assert row[16:] == ["2", "1", "1", "-1", "-1"]


def test_wmt_csv_splits_a_ranking_of_more_systems_into_pairs() -> None:
    _, *rows = csv.reader(StringIO(written("wmt-csv", ranked((7, "A B"), (6, "C D"), (1, "E F")))))
    assert len(rows) == 15
    assert rows[0][7:10:2] == ["A", "B"]
    assert rows[0][16:18] == ["1", "1"]
    assert rows[1][7:10:2] == ["A", "C"]
    assert rows[1][16:18] == ["2", "1"]  # the format knows no ranks above 5
    assert rows[-2][7:10:2] == ["D", "F"]


def test_wmt_csv_leaves_out_skipped_items() -> None:
    assert written("wmt-csv", ranked()).count("\r\n") == 1
