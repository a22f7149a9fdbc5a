"""The server goes away in the middle of a judgment and comes back: a real one, in a process of its own."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.db import connection
from playwright.sync_api import Browser, expect

from annotate.models import Annotator
from tests.browser.test_screen import annotator, campaign
from tests.browser.visits import Visitor
from tests.browser.working import answer_by_keys, at_work, stored, wait_for_another

__all__ = ["annotator", "campaign"]


class Server:
    """gunicorn on the database of the tests, always at the same address."""

    def __init__(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.start()

    def start(self) -> None:
        database = connection.settings_dict
        url = f"sqlite:///{database['NAME']}"
        if connection.vendor == "postgresql":
            place = f"{database['HOST']}:{database['PORT'] or 5432}/{database['NAME']}"
            url = f"postgres://{database['USER']}:{database['PASSWORD']}@{place}"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", "config.wsgi", "--bind", f"127.0.0.1:{self.port}"],
            cwd=settings.BASE_DIR,
            env={**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "tests.settings"},
            stderr=subprocess.DEVNULL,
        )
        for _ in range(1200):
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


def test_an_answer_given_while_the_server_restarts_arrives(
    browser: Browser, server: Server, annotator: Annotator
) -> None:
    visitor = Visitor(browser, f"http://127.0.0.1:{server.port}", scheme="light", device="desktop")
    page = at_work(visitor, annotator)
    server.stop()
    source = answer_by_keys(page, "1234")
    expect(page.locator("[data-state]")).to_contain_text("Waiting for the network")
    assert stored() == {}
    server.start()
    wait_for_another(page, source, patience_ms=60_000)
    assert stored() == {source: [1, 2, 3, 4]}
    visitor.context.close()
