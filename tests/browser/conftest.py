import os
from collections.abc import Callable, Iterator

import pytest
from django.db import connections
from playwright.sync_api import Browser, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests.browser.chromium import HOW_TO, find_chromium
from tests.browser.visits import Visitor

# Playwright's synchronous interface runs an event loop in this thread; the ORM is not used from within it.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

# Pages answer at once; but the machine may have much else to do.
expect.set_options(timeout=30_000)

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]

NewVisitor = Callable[..., Visitor]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    left_out = pytest.mark.skip(reason="BROWSER_TESTS=0 leaves the browser tests out")
    for item in items:
        if "tests/browser/" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.any_database)
            item.add_marker(pytest.mark.any_protocol)  # The screen's script knows none.
            if os.environ.get("BROWSER_TESTS") == "0":
                item.add_marker(left_out)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A headless Chromium that speaks to nobody but the server under test."""
    executable = find_chromium()
    if not executable:
        pytest.fail(HOW_TO)
    # Django's connections inside Playwright's loop are others than outside, and are closed apart.
    connections.close_all()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        yield browser
        connections.close_all()
        browser.close()


@pytest.fixture
def new_visitor(browser: Browser, live_server: LiveServer) -> Iterator[NewVisitor]:
    """Opens windows: `new_visitor(scheme="dark", device="phone")`. Their faults fail the test at its end."""
    visitors: list[Visitor] = []

    def open_window(*, scheme: str = "light", device: str = "desktop") -> Visitor:
        visitors.append(Visitor(browser, live_server.url, scheme=scheme, device=device))
        return visitors[-1]

    yield open_window
    for visitor in visitors:
        visitor.context.close()
        assert not visitor.faults
