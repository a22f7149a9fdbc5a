"""Reading of answers gives the stored values in every column."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet

from annotate.judgments.answer_reading import OF_ANSWERS, OF_RATINGS, Answers, read_answers
from annotate.models import Campaign, Rating, Revision
from tests.annotate.samples import small_campaign, small_corpus
from tests.formats.writers.stored import BEYOND_RATINGS, RECORDS, store

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaigns() -> tuple[Campaign, Campaign]:
    """One with answers of every kind, without texts, and one of a corpus."""
    return store((*RECORDS, *BEYOND_RATINGS), "alone"), small_campaign(small_corpus())


def read(revisions: QuerySet[Revision]) -> Answers:
    """All that can be read of the answers."""
    return read_answers(revisions, OF_ANSWERS, OF_RATINGS)


def as_stored(rows: QuerySet[Any], known: Iterable[tuple[str, Any]]) -> dict[str, list[Any]]:
    """The columns as Django's own fields give them."""
    return {name: [_plain(name, row[0]) for row in rows.values_list(path)] for name, (path, _) in known}


def _plain(name: str, value: Any) -> Any:
    if name == "uuid":
        return str(value)
    return tuple(value) if isinstance(value, list) else value


def test_every_column_is_as_stored(campaigns: tuple[Campaign, Campaign]) -> None:
    assert Rating.objects.filter(touched=True).exists()
    assert Revision.objects.exclude(details=None).exists()
    answers = read(Revision.objects.all())
    in_order = Revision.objects.order_by("judgment", "number")
    assert {name: answers.values(name) for name in answers.columns} == as_stored(in_order, OF_ANSWERS.items())
    shown = Rating.objects.order_by("revision__judgment", "revision__number", "position")
    assert {name: answers.rating_values(name) for name in answers.ratings} == as_stored(
        shown, OF_RATINGS.items()
    )
    assert answers.sizes.tolist() == [revision.ratings.count() for revision in in_order]


def test_ratings_are_those_of_the_answers(campaigns: tuple[Campaign, Campaign]) -> None:
    current = Revision.objects.filter(judgment__campaign=campaigns[0], is_current=True)
    answers = read_answers(current, [], ["output"])
    assert [*answers.columns] == ["judgment_key", "answer_key", "number"]
    assert [*answers.ratings] == ["answer_key", "position", "output"]
    assert answers.values("answer_key") == list(current.order_by("judgment").values_list("pk", flat=True))
    assert {*answers.rating_values("answer_key")} < {*answers.values("answer_key")}
    assert answers.sizes.sum() == Rating.objects.filter(revision__in=current).count()


def test_none_are_read_of_none(campaigns: tuple[Campaign, Campaign]) -> None:
    answers = read(Revision.objects.filter(judgment=0))
    assert {len(column) for column in (*answers.columns.values(), *answers.ratings.values())} == {0}
    assert answers.sizes.tolist() == []


def test_keys_of_answers_need_not_be_in_the_order_of_judgments() -> None:
    """Two transactions can end in the reverse order."""
    first, last = small_campaign(small_corpus()).judgments.order_by("pk")[:2]
    late = Revision.objects.create(judgment=first, number=2, is_current=False)
    [output] = Rating.objects.filter(revision__judgment=first, position=0)
    Rating.objects.create(revision=late, item_output=output.item_output, position=0, rank=7)
    answers = read(Revision.objects.filter(judgment__in=[first, last]))
    assert answers.values("judgment_key") == [first.pk, first.pk, last.pk]
    assert answers.values("answer_key") != sorted(answers.values("answer_key"))
    assert answers.sizes.tolist() == [3, 1, 3]
    assert answers.rating_values("rank")[3] == 7


def test_the_rest_is_read_if_judgments_are_deleted_meanwhile(campaigns: tuple[Campaign, Campaign]) -> None:
    statements = 0

    def delete_before_the_second(execute, sql, params, many, context):  # type: ignore[no-untyped-def]
        nonlocal statements
        statements += 1
        if statements == 2:
            Rating.objects.filter(position=0).delete()
        return execute(sql, params, many, context)

    with connection.execute_wrapper(delete_before_the_second):
        answers = read(Revision.objects.all())
    assert len(answers.sizes) == Revision.objects.count()
    assert answers.sizes.sum() == Rating.objects.count() > 0
    assert 0 not in answers.rating_values("position")


def test_two_statements_whatever_the_number(campaigns: tuple[Campaign, Campaign]) -> None:
    statements = []

    def note(execute, sql, params, many, context):  # type: ignore[no-untyped-def]
        statements.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        read(Revision.objects.all())
    assert len(statements) == 2


def test_times_are_in_utc(campaigns: tuple[Campaign, Campaign]) -> None:
    times = [time for time in read(Revision.objects.all()).values("submitted_at") if time]
    assert {(type(time), time.tzinfo) for time in times} == {(datetime, UTC)}
