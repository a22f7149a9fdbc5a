"""Columns that are read as arrays equal what Django reads row by row."""

from datetime import UTC, datetime

import pytest
from django.db.models import F

from annotate.database.column_reading import (
    FLAG,
    JSON,
    NUMBER,
    REAL,
    TEXT,
    TIME,
    UUID,
    Among,
    Kind,
    python_values,
    read_columns,
)
from annotate.models import Campaign, Judgment, Output, OutputScore, Rating, Revision, ScoreSet
from tests.annotate.samples import small_campaign, small_corpus

pytestmark = pytest.mark.django_db

TIMES = (
    datetime(2026, 1, 5, 12, 30, tzinfo=UTC),
    datetime(2026, 1, 5, 12, 30, 0, 1, tzinfo=UTC),
    datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
    datetime.min.replace(tzinfo=UTC),
    datetime.max.replace(tzinfo=UTC),
    None,
)
TEXTS = ("", "plain", 'quoted " \\ and , {}', "line\r\nline\tÄ \U0001f600", "NULL", None)
VALUES: tuple[object, ...] = (
    {"ways": [2, None, "ü"], "sure": True},
    {},
    ["One .", "", '"'],
    [],
    {"largest": 2**53 - 1},
    None,
)


@pytest.fixture
def campaign() -> Campaign:
    return small_campaign(small_corpus())


def read_back(field: str, kind: Kind, values: tuple[object, ...]) -> list[object]:
    """Store the values, one in each answer, and read them as a column."""
    revisions = Revision.objects.order_by("pk")[: len(values)]
    for revision, value in zip(revisions, values, strict=True):
        setattr(revision, field, value)
        revision.save()
    rows = Revision.objects.filter(pk__in=[revision.pk for revision in revisions])
    keys, column = read_columns(rows.values_list("pk", field), [NUMBER, kind])
    assert column.dtype == kind.dtype
    by_key = dict(zip(python_values(keys), python_values(column), strict=True))
    return [by_key[revision.pk] for revision in revisions]


def test_numbers_and_uuids(campaign: Campaign) -> None:
    Revision.objects.filter(pk=Revision.objects.latest("pk").pk).update(active_ms=2**40)
    Revision.objects.filter(pk=Revision.objects.earliest("pk").pk).update(active_ms=None)
    rows = Revision.objects.values_list("pk", "active_ms", "judgment__uuid")
    keys, active, uuids = read_columns(rows, [NUMBER, NUMBER, UUID])
    values = zip(*map(python_values, (keys, active, uuids)), strict=True)
    assert sorted(values) == sorted((key, ms, str(uuid)) for key, ms, uuid in rows)
    assert {-1, 2**40} < {*active.tolist()}


def test_real_numbers_to_the_last_digit(campaign: Campaign) -> None:
    numbers = (0.1, -1.7976931348623157e308, 5e-324, 3.0, None)
    corpus = campaign.corpus
    scores = ScoreSet.objects.create(corpus=corpus, name="mine", is_uploaded=True)
    outputs = Output.objects.filter(sentence__corpus=corpus)[: len(numbers)]
    OutputScore.objects.bulk_create(
        OutputScore(score_set=scores, output=output, position=place, score=number)
        for place, (output, number) in enumerate(zip(outputs, numbers, strict=True))
    )
    places, read = read_columns(scores.output_scores.values_list("position", "score"), [NUMBER, REAL])
    assert dict(zip(python_values(places), python_values(read), strict=True)) == dict(enumerate(numbers))


def test_times_to_the_microsecond(campaign: Campaign) -> None:
    assert read_back("started_at", TIME, TIMES) == list(TIMES)


def test_texts_as_they_are(campaign: Campaign) -> None:
    assert read_back("text", TEXT, TEXTS) == list(TEXTS)


def test_json_is_loaded_and_lists_are_tuples(campaign: Campaign) -> None:
    read = read_back("details", JSON, VALUES)
    assert read == [tuple(value) if isinstance(value, list) else value for value in VALUES]


@pytest.mark.parametrize("beside", [NUMBER, TEXT])
def test_flags(campaign: Campaign, beside: Kind) -> None:
    for rating, flag in zip(Rating.objects.order_by("pk"), (True, False, None), strict=False):
        Rating.objects.filter(pk=rating.pk).update(touched=flag)
    rows = Rating.objects.values_list("pk", "touched", "position")
    keys, flags, _ = read_columns(rows, [NUMBER, FLAG, beside])
    assert flags.dtype == FLAG.dtype
    read = dict(zip(python_values(keys), python_values(flags), strict=True))
    assert {True, False, None} == {*read.values()}
    assert read == {key: flag for key, flag, _ in rows}


COLUMNS = {
    NUMBER: "number",
    FLAG: "is_current",
    UUID: "submission_key",
    TIME: "started_at",
    TEXT: "note",
    JSON: "details",
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_no_rows_are_empty_columns(kind: Kind, campaign: Campaign) -> None:
    rows = Revision.objects.filter(Among(F("pk"), [])).values_list("number", COLUMNS[kind])
    columns = read_columns(rows, [NUMBER, kind])
    assert [(len(column), column.dtype) for column in columns] == [(0, NUMBER.dtype), (0, kind.dtype)]
    assert [python_values(column) for column in columns] == [[], []]


def test_among_very_many_keys(campaign: Campaign) -> None:
    wanted = [Judgment.objects.earliest("pk").pk, *range(10**9, 10**9 + 100_000)]
    assert Judgment.objects.filter(Among(F("pk"), wanted)).count() == 1
