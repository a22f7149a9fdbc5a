"""The font of pages, in figures that pages show as images: these cannot use what the page has loaded."""

from base64 import b64encode
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).with_name("fonts")
"""Inter in its regular weight: Latin 1, the Greek letters of coefficients, and signs. The renderer measures
by the same font."""

NAME = "Inter"


@cache
def page_font() -> str:
    """The font as an element of an SVG file."""
    font = b64encode((FOLDER / "inter.woff2").read_bytes()).decode()
    return (
        f"<style>@font-face {{ font-family: {NAME}; "
        f'src: url(data:font/woff2;base64,{font}) format("woff2") }}</style>'
    )
