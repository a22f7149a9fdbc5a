"""Windows of the browser, which tests use one after the other.

A new window is a new process, which knows none of the scripts of the site and of axe. In a window that has
shown a page before, opening and checking it takes the browser a third of the time.
"""

from collections import defaultdict

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, Page

DEVICES = {"desktop": (1280, 900), "phone": (390, 844)}

_REPORT_POLICY_VIOLATIONS = """
    document.addEventListener("securitypolicyviolation", event =>
        console.error(`content policy: ${event.violatedDirective} blocks ${event.blockedURI}`));
"""

# A page has the same few colours in every place, and reading each of them there is a quarter of axe's work.
_PREPARE_AXE = f"""
    window.prepareAxe = () => {{
        {AXE_SCRIPT}
        const {{ Color }} = axe.commons.color, read = Color.prototype.parseString, colours = new Map();
        Color.prototype.parseString = function (text) {{
            if (!colours.has(text)) colours.set(text, read.call(new Color(0, 0, 0), text));
            const {{ r, g, b, alpha }} = colours.get(text);
            return Object.assign(this, {{ r, g, b, alpha }});
        }};
    }};
"""


class Windows:
    """Those of one browser."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[tuple[str, str], list[Page]] = defaultdict(list)

    def open(self, scheme: str, device: str) -> Page:
        """A window without cookies, and nothing stored."""
        free = self._free[scheme, device]
        return free.pop() if free else self._context(scheme, device).new_page()

    def give_back(self, page: Page, scheme: str, device: str, *, empty_page: str) -> None:
        """To be used again. Scripts of its page end, and what they stored for the site is deleted."""
        page.goto(empty_page)
        page.evaluate("localStorage.clear(); sessionStorage.clear()")
        page.context.clear_cookies()
        self._free[scheme, device].append(page)

    def _context(self, scheme: str, device: str) -> BrowserContext:
        width, height = DEVICES[device]
        context = self._browser.new_context(
            color_scheme="dark" if scheme == "dark" else "light",
            viewport={"width": width, "height": height},
            has_touch=device == "phone",
            reduced_motion="reduce",  # Colours on their way to others have no contrast of their own.
        )
        context.add_init_script(_REPORT_POLICY_VIOLATIONS)
        context.add_init_script(_PREPARE_AXE)
        return context
