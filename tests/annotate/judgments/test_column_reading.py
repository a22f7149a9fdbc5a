"""Columns that are read as arrays hold what Django reads row by row."""

from datetime import UTC, datetime

import numpy as np
import pytest
from django.db.models import F

from annotate.judgments.column_reading import NUMBER, TIME, UUID, Among, read_columns
from annotate.models import Campaign, Judgment, Revision
from tests.annotate.samples import small_campaign, small_corpus

pytestmark = pytest.mark.django_db

TIMES = (
    datetime(2026, 1, 5, 12, 30, tzinfo=UTC),
    datetime(2026, 1, 5, 12, 30, 0, 1, tzinfo=UTC),
    datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
    None,
)


@pytest.fixture
def campaign() -> Campaign:
    return small_campaign(small_corpus())


def test_numbers_and_uuids(campaign: Campaign) -> None:
    Revision.objects.filter(pk=Revision.objects.latest("pk").pk).update(active_ms=2**40)
    Revision.objects.filter(pk=Revision.objects.earliest("pk").pk).update(active_ms=None)
    rows = Revision.objects.values_list("pk", "active_ms", "judgment__uuid")
    keys, active, uuids = read_columns(rows, [NUMBER, NUMBER, UUID])
    values = zip(keys.tolist(), active.tolist(), map(bytes, uuids), strict=True)
    expected = [(key, -1 if ms is None else ms, uuid.bytes) for key, ms, uuid in rows]
    assert sorted(values) == sorted(expected)
    assert {-1, 2**40} < {*active.tolist()}


def test_times_to_the_microsecond(campaign: Campaign) -> None:
    revisions = Revision.objects.order_by("pk")[: len(TIMES)]
    for revision, time in zip(revisions, TIMES, strict=True):
        Revision.objects.filter(pk=revision.pk).update(started_at=time)
    rows = Revision.objects.filter(pk__in=[revision.pk for revision in revisions])
    keys, times = read_columns(rows.values_list("pk", "started_at"), [NUMBER, TIME])
    assert times.dtype == TIME
    moments = [
        None if np.isnat(time) else time.item().replace(tzinfo=UTC) for time in times[np.argsort(keys)]
    ]
    assert moments == list(TIMES)


@pytest.mark.parametrize("kinds", [[NUMBER, NUMBER], [NUMBER, UUID], [NUMBER, TIME]])
def test_no_rows_are_empty_columns(kinds: list[np.dtype], campaign: Campaign) -> None:
    columns = {NUMBER: "number", UUID: "submission_key", TIME: "started_at"}
    rows = Revision.objects.filter(Among(F("pk"), [])).values_list(*(columns[kind] for kind in kinds))
    assert [(len(column), column.dtype) for column in read_columns(rows, kinds)] == [
        (0, kind) for kind in kinds
    ]


def test_among_very_many_keys(campaign: Campaign) -> None:
    wanted = [Judgment.objects.earliest("pk").pk, *range(10**9, 10**9 + 100_000)]
    assert Judgment.objects.filter(Among(F("pk"), wanted)).count() == 1
