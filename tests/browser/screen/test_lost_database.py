"""The server of an annotator at work cannot use its database: the answer is kept, and arrives later."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from time import monotonic
from typing import Any

import psycopg
import pytest
from django.db import connection
from playwright.sync_api import Page, Route, expect

from annotate.models import Annotator, Revision
from tests.browser.conftest import NewVisitor
from tests.browser.screen.test_server_restart import Server, server, visitor
from tests.browser.visits import Visitor
from tests.browser.working import answer_by_keys, at_work, stored, wait_for_another

__all__ = ["server", "visitor"]

PATIENCE_MS = 30_000


@contextmanager
def locked_database() -> Iterator[None]:
    """Another program holds what each answer needs."""
    database = connection.settings_dict
    program: Any
    if connection.vendor == "postgresql":
        program = psycopg.connect(
            dbname=database["NAME"],
            user=database["USER"],
            password=database["PASSWORD"],
            host=database["HOST"],
            port=database["PORT"] or 5432,
        )
        lock = f"LOCK TABLE {Annotator._meta.db_table} IN ACCESS EXCLUSIVE MODE"
    else:
        program = sqlite3.connect(database["NAME"], isolation_level=None)
        lock = "BEGIN IMMEDIATE"
    with closing(program):
        program.execute(lock)
        yield
        program.rollback()


def state(page: Page) -> Any:
    return expect(page.locator("[data-state]"))


def test_an_answer_that_the_database_cannot_take_is_kept_and_arrives(
    visitor: Visitor, server: Server, annotator: Annotator
) -> None:
    page = at_work(visitor, annotator)
    with locked_database():
        source = answer_by_keys(page, "1234")
        state(page).to_contain_text("Your answer is kept in this browser until it is saved")
        state(page).to_contain_text("will be sent again by itself", timeout=PATIENCE_MS)
        assert page.inner_text(".source") == source
    wait_for_another(page, source)
    assert stored() == {source: [1, 2, 3, 4]}
    assert Revision.objects.count() == 1
    visitor.forgive("503")


def test_the_browser_comes_back_when_the_server_asks_it_to(
    new_visitor: NewVisitor, annotator: Annotator
) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    attempts: list[float] = []

    def refuse_once(route: Route) -> None:
        attempts.append(monotonic())
        if len(attempts) > 1:
            route.continue_()
        else:
            route.fulfill(status=503, headers={"Retry-After": "2"}, json={"fault": "away"})

    page.route(f"**{page.locator('[data-answer]').get_attribute('action')}", refuse_once)
    source = answer_by_keys(page, "1234")
    state(page).to_contain_text("The site is not available at the moment. Your answer is kept")
    wait_for_another(page, source)
    first, second = attempts
    # Up to as much again at random, and a moment to get there.
    assert 1.9 < second - first < 8
    visitor.forgive("503")


def test_the_pauses_of_many_browsers_differ(new_visitor: NewVisitor, annotator: Annotator) -> None:
    page = at_work(new_visitor(), annotator)
    pauses = page.evaluate(
        """async () => {
            const address = document.querySelector('script[src*="screen"]').src.replace("screen", "outbox");
            const { pauseAfter } = await import(address);
            const refusal = new Response(null, { status: 503, headers: { "Retry-After": "3" } });
            return Array.from({ length: 200 }, () => pauseAfter(refusal, 500));
        }"""
    )
    assert 3000 <= min(pauses) < 3500
    assert 5500 < max(pauses) < 6000
    # Of 200 browsers, 7 fall into each of 30 spans of 0.1 s; 26 would be chance once in millions of runs.
    spans = [int((pause - 3000) // 100) for pause in pauses]
    assert max(spans.count(span) for span in range(30)) <= 25


def test_a_page_that_cannot_be_shown_is_loaded_again_by_itself(
    visitor: Visitor, server: Server, annotator: Annotator
) -> None:
    page = at_work(visitor, annotator)
    if connection.vendor != "postgresql":
        pytest.skip("Readers of SQLite wait for nobody.")
    with locked_database():
        page.reload()
        expect(page.locator("h1")).to_have_text("Try again soon")
        expect(page.locator("main")).to_contain_text("kept in this browser until it is saved")
    page.locator("[data-ready]").wait_for(timeout=PATIENCE_MS)
    visitor.forgive("503")
