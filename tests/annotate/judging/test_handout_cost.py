"""The number of queries of a page is the same in long and short campaigns."""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotate.design.protocols import PROTOCOLS
from annotate.judging.handout import Step, give_next_showing, give_screen_or_step
from annotate.judging.handout.batches import SINGLE_OUTPUTS_AT_ONCE
from annotate.models import (
    Annotator,
    Design,
    Judgment,
    JudgmentState,
    Sampling,
    Showing,
    Slot,
    SlotState,
)
from tests.annotate import protocols
from tests.annotate.running import (
    LEASE,
    MANY_OUTPUTS,
    NOON,
    ONE_OUTPUT,
    answer,
    answer_all,
    answer_to,
    cast,
    enter,
    pass_over,
    running,
    shown,
)

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("protocol", "separation"),
    pytest.mark.any_database,
]

MOST, SIGNING_IN = 12, 2
TRANSACTION = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")


@pytest.fixture(params=[False, True], ids=["domains-mixed", "domains-separated"])
def separation(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every campaign mixes domains, or separates them; it costs the same."""
    field = Design._meta.get_field("separates_domains")
    monkeypatch.setattr(field, "default", request.param)
    monkeypatch.setattr(field, "_get_default", lambda: request.param)


@pytest.fixture(autouse=True)
def at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Annotators have answered in this hour: the first answer of one takes a statement more."""
    monkeypatch.setattr(Annotator._meta.get_field("answered_at"), "_get_default", lambda: NOON)


def statements(verb: Callable[[], object]) -> list[str]:
    """The statements that the verb sends, but for those that begin and end a transaction."""
    with CaptureQueriesContext(connection) as captured:
        verb()
    queries = [query["sql"] for query in captured.captured_queries]
    return [sql for sql in queries if not sql.startswith(TRANSACTION)]


def page(annotator: Any) -> Callable[[], object]:
    return lambda: shown(annotator)


def steps_to_screen(annotator: Annotator, now: datetime = NOON) -> list[int]:
    """The number of statements of each request that the next screen takes."""
    steps = []
    outcomes: list[Any] = [Step.DONE]
    while outcomes[-1] is Step.DONE:
        ask = lambda: outcomes.append(give_screen_or_step(annotator, now=now))  # noqa: E731
        steps.append(len(statements(ask)))
    return steps


class TestPages:
    """The next item with its outputs."""

    def test_the_next_of_a_batch(self) -> None:
        [anna] = cast(running(items=12, batch_size=6), "anna")
        answer(shown(anna))
        assert len(statements(page(anna))) == 3
        assert len(statements(page(anna))) == 2

    def test_a_new_batch(self) -> None:
        [anna] = cast(running(items=12, batch_size=6), "anna")
        assert len(statements(page(anna))) == 8

    def test_a_new_batch_with_items_of_one_output(self) -> None:
        listed = [*MANY_OUTPUTS, ONE_OUTPUT] * 6
        campaign = running(sampling=Sampling.LISTED, listed_sentences=listed, batch_size=24)
        [anna] = cast(campaign, "anna")
        steps = steps_to_screen(anna)
        assert len(steps) <= 2
        assert max(steps) <= MOST - SIGNING_IN

    @pytest.mark.parametrize(("run", "batch_size"), [(1, 7), (5, 1), (50, 7), (200, 1)])
    def test_a_run_of_items_of_one_output(self, run: int, batch_size: int) -> None:
        listed = [*[ONE_OUTPUT] * run, *MANY_OUTPUTS]
        campaign = running(sampling=Sampling.LISTED, listed_sentences=listed, batch_size=batch_size)
        # Slots that were assigned before come first.
        Slot.objects.filter(item__sentence__position=ONE_OUTPUT).update(left_over=True)
        [anna] = cast(campaign, "anna")
        steps = steps_to_screen(anna)
        assert max(steps) <= MOST - SIGNING_IN
        if PROTOCOLS[protocols.current].auto_answer:
            assert len(steps) <= 2 + run // SINGLE_OUTPUTS_AT_ONCE
            assert Judgment.objects.filter(state=JudgmentState.AUTO).count() == run
            assert Annotator.objects.get(pk=anna.pk).auto == run

    def test_a_batch_that_others_left(self) -> None:
        people = cast(running(items=12, batch_size=2), "a b c d")
        for person in people[:3]:
            shown(person)
        steps = steps_to_screen(people[3], NOON + 2 * LEASE)
        assert len(steps) == 2
        assert max(steps) <= MOST - SIGNING_IN

    def test_nothing_left(self) -> None:
        [anna] = cast(running(items=2), "anna")
        answer_all(anna)
        assert len(statements(lambda: give_next_showing(anna, now=NOON))) == 5


@pytest.mark.any_protocol
class TestAnswers:
    """Storing an answer."""

    def test_a_first_answer(self) -> None:
        [anna] = cast(running(), "anna")
        showing = shown(anna)
        assert len(statements(sent(showing))) == 7

    def test_with_a_draft_and_a_planned_repeat(self) -> None:
        [anna] = cast(running(repeat_percent=100), "anna")
        showing = shown(anna)
        enter(showing, {"rank-0": "1"})
        assert len(statements(sent(showing))) == 8

    def test_the_same_again(self) -> None:
        [anna] = cast(running(), "anna")
        verb = sent(shown(anna))
        verb()
        assert len(statements(verb)) == 2

    def test_a_revision(self) -> None:
        [anna] = cast(running(), "anna")
        showing = shown(anna)
        answer(showing)
        assert len(statements(sent(showing))) <= MOST

    def test_a_late_answer(self) -> None:
        anna, ben = cast(running(items=1))
        showing = shown(anna)
        pass_over(shown(ben, NOON + 2 * LEASE), NOON + 2 * LEASE)
        assert len(statements(sent(showing))) <= MOST

    def test_a_skip(self) -> None:
        [anna] = cast(running(), "anna")
        showing = shown(anna)
        assert len(statements(lambda: pass_over(showing))) <= MOST

    def test_a_draft(self) -> None:
        [anna] = cast(running(), "anna")
        showing = shown(anna)
        assert len(statements(lambda: enter(showing, {}))) == 3


def sent(showing: Showing) -> Callable[[], object]:
    key, said = uuid4(), answer_to(showing)
    return lambda: answer(showing, key=key, said=said)


def plans(queries: list[str]) -> dict[str, list[str]]:
    """How the database would find the rows of each statement in tables too large to be read as a whole."""
    plans = {}
    with connection.cursor() as cursor:
        explain = "EXPLAIN QUERY PLAN"
        if connection.vendor == "postgresql":
            explain = "EXPLAIN"
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute("SET LOCAL enable_sort = off")
        for sql in queries:
            if sql.startswith(("SELECT", "UPDATE")):
                cursor.execute(f"{explain} {sql}")
                plans[sql] = [str(row[-1]) for row in cursor.fetchall()]
    return plans


@pytest.mark.any_protocol
def test_no_table_is_read_as_a_whole() -> None:
    anna, ben = cast(running(items=12, batch_size=3, repeat_percent=50))
    shown(ben)
    queries = statements(page(anna))
    showing = shown(anna)
    queries += statements(sent(showing)) + statements(page(anna)) + statements(sent(showing))
    queries += statements(lambda: pass_over(shown(anna)))
    queries += statements(page(anna))
    for sql, plan in plans(queries).items():
        assert not [step for step in plan if step.startswith("SCAN annotate_") or "Seq Scan" in step], (
            sql,
            plan,
        )


@pytest.mark.any_protocol
@pytest.mark.parametrize("day_is_settled", [False, True])
def test_the_next_batch_is_read_off_an_index_in_its_order(day_is_settled: bool) -> None:
    [anna] = cast(running(items=12, batch_size=3), "anna")
    if day_is_settled:
        answer(shown(anna))
        while Slot.objects.filter(state=SlotState.LEASED).exists():
            answer(shown(anna))
    choices = [sql for sql in statements(page(anna)) if '"left_over" DESC' in sql]
    assert len(choices) == 2, "whether the first item asks anything, and the batch"
    for sorts, plan in enumerate(plans(choices).values()):
        assert any("slot_next_free" in step for step in plan), plan
        if connection.vendor == "sqlite":
            # One sort, for the slots of the batch; none for the choice of the item or the batch.
            assert sum("ORDER BY" in step for step in plan) == sorts, plan
