"""A real server, in a separate process, stops in the middle of a judgment and comes back."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.db import connection
from playwright.sync_api import Browser, Page, Route, expect

from annotate.models import Annotator, Revision
from tests.browser.visits import Visitor
from tests.browser.working import answer_by_keys, at_work, stored, wait_for_another

FIRST_PORT = 20_000 + 1_000 * int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
PORTS = range(FIRST_PORT, FIRST_PORT + 1_000)
"""Ports of this test process, below those that outgoing connections may take meanwhile."""


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


class Server:
    """gunicorn on the database of the tests, always at the same address."""

    def __init__(self) -> None:
        self.port = next(port for port in PORTS if is_free(port))
        self.start()

    def start(self) -> None:
        database = connection.settings_dict
        url = f"sqlite:///{database['NAME']}"
        if connection.vendor == "postgresql":
            place = f"{database['HOST']}:{database['PORT'] or 5432}/{database['NAME']}"
            url = f"postgres://{database['USER']}:{database['PASSWORD']}@{place}"
        # A browser holds connections open on which nothing will come; they are not waited for.
        options = ["--bind", f"127.0.0.1:{self.port}", "--graceful-timeout", "1"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "config.wsgi", *options],
            cwd=settings.BASE_DIR,
            env={**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "tests.settings"},
            stderr=subprocess.DEVNULL,
        )
        while self.process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        pytest.fail("gunicorn did not start")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()


@pytest.fixture
def server(transactional_db: None) -> Iterator[Server]:
    running = Server()
    yield running
    running.stop()


@pytest.fixture
def visitor(browser: Browser, server: Server) -> Iterator[Visitor]:
    opened = Visitor(browser, f"http://127.0.0.1:{server.port}", scheme="light", device="desktop")
    yield opened
    opened.context.close()


def test_an_answer_given_while_the_server_restarts_arrives(
    visitor: Visitor, server: Server, annotator: Annotator
) -> None:
    page = at_work(visitor, annotator)
    server.stop()
    source = answer_by_keys(page, "1234")
    expect(page.locator("[data-state]")).to_contain_text("Waiting for the network")
    assert stored() == {}
    server.start()
    wait_for_another(page, source)
    assert stored() == {source: [1, 2, 3, 4]}


def test_the_next_screen_is_there_though_the_server_dies_after_it_confirmed(
    visitor: Visitor, server: Server, annotator: Annotator
) -> None:
    page = at_work(visitor, annotator)
    source = answer_and_stop_the_server(page, server)
    wait_for_another(page, source)
    assert stored() == {source: [1, 2, 3, 4]}
    another = answer_by_keys(page, "4321")
    expect(page.locator("[data-state]")).to_contain_text("Waiting for the network")
    server.start()
    wait_for_another(page, another)
    assert stored() == {source: [1, 2, 3, 4], another: [4, 3, 2, 1]}
    assert Revision.objects.count() == 2


def test_a_next_screen_that_did_not_come_with_the_confirmation_is_waited_for_on_this_one(
    visitor: Visitor, server: Server, annotator: Annotator
) -> None:
    page = at_work(visitor, annotator)
    source = answer_and_stop_the_server(page, server, leaving_out="screen")
    expect(page.locator("[data-state]")).to_contain_text("Waiting for the network")
    assert page.inner_text(".source") == source
    assert stored() == {source: [1, 2, 3, 4]}
    server.start()
    wait_for_another(page, source)
    another = answer_by_keys(page, "4321")
    wait_for_another(page, another)
    assert stored() == {source: [1, 2, 3, 4], another: [4, 3, 2, 1]}
    assert Revision.objects.count() == 2


def answer_and_stop_the_server(page: Page, server: Server, *, leaving_out: str = "") -> str:
    """Answer; the server dies when it has confirmed. A part of the confirmation may be left out."""

    def die_after_the_answer(route: Route) -> None:
        confirmation = route.fetch()
        server.stop()
        parts = {name: part for name, part in confirmation.json().items() if name != leaving_out}
        route.fulfill(response=confirmation, json=parts)

    page.route(f"**{page.locator('[data-answer]').get_attribute('action')}", die_after_the_answer)
    return answer_by_keys(page, "1234")
