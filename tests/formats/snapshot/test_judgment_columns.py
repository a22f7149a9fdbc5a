"""The schema of a judgment agrees with the records, the tables of the database, and the files."""

from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import Any

import pytest

from annotate.judgments.answer_reading import OF_ANSWERS, OF_RATINGS
from annotate.models import Rating, Revision
from formats import AnswerRecord, JudgmentRecord, RatingRecord
from formats.snapshot.answer_details import Details
from formats.snapshot.judgment_columns import (
    APPRAISE,
    COLUMNS,
    OF_JUDGMENTS,
    RATED,
    SNAPSHOT_COLUMNS,
    WMT,
    Column,
    Kind,
    Part,
    columns_of,
)
from formats.snapshot.judgment_rows import table_rows, with_columns, without_columns
from formats.writers import FORMATS, Heading

RATINGS = (RatingRecord("one", ("Alder",), 1), RatingRecord("two", ("Birch",), 2))
RANKING = JudgmentRecord("k", "relative-ranking", "anna", 3, 5, 0, "complete", (AnswerRecord(RATINGS),))
HEADING = Heading("campaign", "en", with_machines=True)

OTHER: dict[Kind, object] = {
    Kind.TEXT: "other",
    Kind.NUMBER: 2,
    Kind.FLAG: True,
    Kind.TIME: datetime(2026, 5, 4, tzinfo=UTC),
    Kind.NAMES: ("Cedar",),
    Kind.TEXTS: ("other",),
    Kind.DETAILS: {"other": 1},
    Kind.PROPENSITIES: {"one": [1.0, 0.5], "two": [0.5, 1.0]},
}
"""A value of each kind that `RANKING` does not have."""


def fields_of(*parts: Part) -> set[str]:
    return {column.field for column in columns_of(*parts).values()}


def with_another(name: str, column: Column) -> tuple[JudgmentRecord, Heading]:
    """`RANKING` and its heading, with another value in the column."""
    changed: dict[str, Any] = {column.field: OTHER[column.kind]}
    if column.in_details:
        changed = {"details": changed}
    [answer] = RANKING.answers
    first, second = RATINGS
    match column.part:
        case _ if name == "campaign":
            return RANKING, Heading("other", "en", with_machines=True)
        case Part.ANSWER:
            return replace(RANKING, answers=(replace(answer, **changed),)), HEADING
        case Part.RATING:
            rated = replace(answer, ratings=(replace(first, **changed), second))
            return replace(RANKING, answers=(rated,)), HEADING
    return replace(RANKING, **changed), HEADING


def test_records_have_the_fields_of_the_schema() -> None:
    assert fields_of(*OF_JUDGMENTS) == {field.name for field in fields(JudgmentRecord)} - {"answers", "line"}
    assert fields_of(Part.ANSWER) == {field.name for field in fields(AnswerRecord)} - {"ratings"}
    assert fields_of(Part.RATING) == {field.name for field in fields(RatingRecord)}


def test_the_database_has_the_fields_of_answers_and_ratings() -> None:
    assert fields_of(Part.ANSWER) <= {field.name for field in Revision._meta.fields} & OF_ANSWERS.keys()
    assert set(RATED) <= {field.name for field in Rating._meta.fields} & OF_RATINGS.keys()


def test_columns_are_added_at_the_end() -> None:
    """All but two of the second version, which no snapshot has."""
    in_order = [COLUMNS[name].since for name in SNAPSHOT_COLUMNS]
    assert in_order == sorted(in_order)


@pytest.mark.parametrize("name", [name for name in COLUMNS if name not in ("schema_version", "position")])
def test_a_column_is_in_the_formats_that_it_names(name: str) -> None:
    """A value of another kind changes these files of rankings, and no others."""
    column = COLUMNS[name]
    judgment, heading = with_another(name, column)
    changed = {
        file_format.title
        for file_format in FORMATS.values()
        if not file_format.holds_spans
        and b"".join(file_format.write([judgment], heading))
        != b"".join(file_format.write([RANKING], HEADING))
    }
    tables = {file_format.title for file_format in FORMATS.values() if file_format.holds_all}
    assert changed == tables | ({APPRAISE, WMT} & {*column.also_in})


@pytest.mark.parametrize("name", [name for name in COLUMNS if name not in ("schema_version", "position")])
def test_a_value_stands_in_its_column_of_the_rows(name: str) -> None:
    judgment, heading = with_another(name, COLUMNS[name])
    [before, _] = table_rows(RANKING, campaign="campaign")
    [after, _] = table_rows(judgment, campaign=heading.campaign)
    assert [column for column, one, other in zip(COLUMNS, before, after, strict=True) if one != other] == [
        name
    ]


@pytest.mark.parametrize(
    ("details", "rest", "confidence"),
    [
        (None, None, None),
        ({"confidence": 4}, None, 4),
        ({"confidence": 4, "topic": 2}, {"topic": 2}, 4),
        *(({"confidence": other}, {"confidence": other}, None) for other in ("high", 0, 6, True, None, [4])),
    ],
)
def test_a_value_has_its_column_if_it_fits_and_stays_in_the_details_otherwise(
    details: Details | None, rest: Details | None, confidence: int | None
) -> None:
    assert without_columns(details) == (rest, {"confidence": confidence})
    assert with_columns(rest, {"confidence": confidence}) == details
