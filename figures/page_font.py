"""The font of pages, in figures that pages show as images: these cannot use what the page has loaded."""

from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path

FOLDER = Path(__file__).with_name("fonts")
"""Inter in its regular weight: Latin 1, the Greek letters of coefficients, and signs. The renderer measures
by the same font."""

NAME = "Inter"


@cache
def _style() -> str:
    font = b64encode((FOLDER / "inter.woff2").read_bytes()).decode()
    return f'@font-face {{ font-family: {NAME}; src: url(data:font/woff2;base64,{font}) format("woff2") }}'


def page_font() -> str:
    """The font as an element of an SVG file."""
    return f"<style>{_style()}</style>"


def source_of_style() -> str:
    """This element, and no other, as a source of styles in a content security policy."""
    return f"'sha256-{b64encode(sha256(_style().encode()).digest()).decode()}'"
