"""A visitor's window, which records errors of pages and checks their look and accessibility."""

import itertools
import os
import re

import pytest
from _pytest.mark import ParameterSet
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, ConsoleMessage, Page, Request

from annotate.models import User
from tests.depth import DEEP

DEVICES = {"desktop": (1280, 900), "phone": (390, 844)}

EVERY_LOOK = list(itertools.product(("light", "dark"), DEVICES))

LOOKS = EVERY_LOOK if DEEP else [("light", "desktop"), ("dark", "phone")]
"""Colour scheme and device: each run sees both schemes and both devices, a deep one every combination."""


def looks(scheme: str, device: str) -> list[ParameterSet]:
    """For a long walk through pages: this one in each run, every combination in a deep one."""
    return [pytest.param(*look, marks=[pytest.mark.deep] * (look != (scheme, device))) for look in EVERY_LOOK]


_REPORT_POLICY_VIOLATIONS = """
    document.addEventListener("securitypolicyviolation", event =>
        console.error(`content policy: ${event.violatedDirective} blocks ${event.blockedURI}`));
"""

# Pictures out of sight may be loaded later.
_NO_PICTURE_IS_MISSING = """() => [...document.images]
    .filter(image => image.loading !== "lazy" || image.complete && image.checkVisibility())
    .every(image => image.naturalWidth > 0)"""

# What a page holds, without what nobody perceives: tokens, hidden fields, identifiers in addresses.
_STATE = r"""() => {
    const fields = [...document.querySelectorAll("input, select, textarea")];
    const state = fields.map(field => field.type !== "hidden" && [field.value, field.checked]);
    const focused = [...document.querySelectorAll("*")].indexOf(document.activeElement);
    const html = document.documentElement.outerHTML
        .replace(/<input[^>]*type="hidden"[^>]*>/g, "")
        .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "");
    return JSON.stringify([html, state, focused, innerWidth]);
}"""

REFUSED = "the server responded with a status of (40.|410)"

_VIOLATIONS = {"resultTypes": ["violations"]}
"""All rules are tried; but of what they do not find wrong, axe describes no more than one element."""

_accessible: set[tuple[str, str, str]] = set()
"""Scheme, device and state of pages that were found to be accessible. Finding out takes half a second."""


class Visitor:
    """Somebody with a browser window on the server under test.

    Attributes:
        page: the window, for clicks and keys.
        faults: what went wrong so far: script errors, policy violations, requests to other hosts.
    """

    def __init__(self, browser: Browser, address: str, *, scheme: str, device: str) -> None:
        width, height = DEVICES[device]
        self.address = address
        self.device = device
        self.scheme = scheme
        self.faults: list[str] = []
        self.context = browser.new_context(
            color_scheme="dark" if scheme == "dark" else "light",
            viewport={"width": width, "height": height},
            has_touch=device == "phone",
            reduced_motion="reduce",  # Colours on their way to others have no contrast of their own.
        )
        self.context.add_init_script(_REPORT_POLICY_VIOLATIONS)
        self.page = self._tab()

    def _tab(self) -> Page:
        tab = self.context.new_page()
        tab.on("console", self._on_console)
        tab.on("pageerror", lambda error: self.faults.append(f"script: {error}"))
        tab.on("request", self._on_request)
        return tab

    def close_tab(self) -> None:
        """Close it, and open an empty one in the same browser."""
        self.page.close()
        self.page = self._tab()

    def log_in(self, user: User) -> None:
        """Take over a session of the user's, without the login page."""
        client = Client()
        client.force_login(user)
        cookie = client.cookies[settings.SESSION_COOKIE_NAME]
        self.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": self.address}])

    def visit(self, path: str, *, status: int = 200) -> None:
        """Open the page and check everything that every page promises."""
        response = self.page.goto(f"{self.address}{path}", wait_until="load")
        assert response is not None
        assert response.status == status, f"{path}: {response.status}"
        self.check()

    def go_to(self, place: str) -> None:
        """Follow a link to a page of the site in the bar above, which a phone has in a menu."""
        if self.device == "phone":
            self.page.get_by_role("button", name="Menu").click()
        self.page.get_by_role("navigation", name="Site").get_by_role("link", name=place).click()

    def check(self) -> None:
        """The page as it stands: accessible, nothing wider than the window, no picture missing, no fault."""
        self.page.wait_for_load_state()  # A page that a click has opened may have no document yet.
        where = f"{self.page.url} ({self.scheme}, {self.device})"
        state = (self.scheme, self.device, self.page.evaluate(_STATE))
        if state not in _accessible:
            results = Axe().run(self.page, options=_VIOLATIONS)
            assert results.violations_count == 0, f"{where}\n{results.generate_report()}"
            _accessible.add(state)
        assert self.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), (
            f"{where} is wider than the window: {self._widest()}"
        )
        assert self.page.evaluate(_NO_PICTURE_IS_MISSING), f"{where} lacks a picture"
        assert not self.faults, f"{where}: {self.faults}"

    def _widest(self) -> str:
        return str(
            self.page.evaluate(
                """[...document.querySelectorAll("body *")]
                    .filter(element => element.getBoundingClientRect().right > window.innerWidth)
                    .map(element => element.outerHTML.slice(0, 120))"""
            )
        )

    def forgive(self, words: str) -> None:
        """Drop the faults with these words, which the test itself brought about."""
        self.faults = [fault for fault in self.faults if words not in fault]

    def picture(self, name: str) -> None:
        """Keep a screenshot in the folder that `SCREENSHOTS` names, if it does (`make screenshots`)."""
        self.page.wait_for_load_state()
        if folder := os.environ.get("SCREENSHOTS"):
            self.page.screenshot(path=f"{folder}/{name}-{self.scheme}-{self.device}.png")

    def _on_console(self, message: ConsoleMessage) -> None:
        # The browser itself reports a page that is refused on purpose; `visit` has checked its status.
        if message.type in ("error", "warning") and not re.search(REFUSED, message.text):
            self.faults.append(f"console: {message.text}")

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith((self.address, "data:")):
            self.faults.append(f"request to another host: {request.url}")
