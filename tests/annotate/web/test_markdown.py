from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.web.markdown import render_markdown


def test_guidelines_have_headings_lists_emphasis_and_tables() -> None:
    html = render_markdown("# Rank\n\n1. **best**\n\n|Case|Rank|\n|:-:|-:|\n|good|1|")
    assert "<h3>Rank</h3>" in html
    assert "<li><strong>best</strong></li>" in html
    assert '<td class="number">1</td>' in html


@pytest.mark.parametrize("level", range(1, 7))
def test_headings_stand_below_an_h2(level: int) -> None:
    tag = f"h{min(level + 2, 6)}"
    assert render_markdown(f"{'#' * level} Rank") == f"<{tag}>Rank</{tag}>\n"


@pytest.mark.parametrize(
    "address", ["https://example.org/a?b=c", "http://example.org", "mailto:a@b.org", "/corpora/", "#top"]
)
def test_links_lead_where_they_say(address: str) -> None:
    assert f'<a href="{address}" rel="nofollow noopener">here</a>' in render_markdown(f"[here]({address})")


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java&#115;cript:alert(1)",
        "&#1;javascript:alert(1)",
        "vbscript:x",
        "data:text/html,<script>alert(1)</script>",
        "data:image/png;base64,AAAA",
        "file:///etc/passwd",
        "blob:x",
    ],
)
@pytest.mark.parametrize("pattern", ["[x]({})", "![x]({})", "<{}>", "[x][1]\n\n[1]: {}"])
def test_other_addresses_are_no_links(address: str, pattern: str) -> None:
    html = render_markdown(pattern.format(address))
    assert "<a" not in html
    assert "<img" not in html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "a <img src=x onerror=alert(1)> b",
        "<div style='position:fixed'>\n\n</div>",
        "[x](https://example.org '\" onmouseover=\"alert(1)')",
        '`<script>` and\n\n```"><script>\n<script>\n```',
        "<https://example.org/<script>>",
    ],
)
def test_html_is_shown_as_it_was_typed(text: str) -> None:
    html = render_markdown(text)
    for tag in ("<script", "<img", "<div"):
        assert tag not in html
    assert 'onmouseover="' not in html


def test_images_are_not_loaded() -> None:
    assert "<img" not in render_markdown("![pixel](https://example.org/pixel.png)")


class Tags(HTMLParser):
    """Notes the tags and attributes of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attributes)


PIECES = ["<script>", "<b onclick=x>", "|a|\n|-:|\n", "[a](", ")", "https://b.c", "javascript:", "```\n"]


@given(st.lists(st.sampled_from([*PIECES, *"<>\"'[]#*~-_:|&; \n1."]), max_size=40))
def test_any_text_becomes_plain_markup(pieces: list[str]) -> None:
    page = Tags(render_markdown("".join(pieces)))
    text = {"p", "em", "strong", "s", "code", "pre", "blockquote", "hr", "br", "ul", "ol", "li", "a"}
    table = {"table", "thead", "tbody", "tr", "th", "td"}
    assert page.tags <= text | table | {"h3", "h4", "h5", "h6"}
    assert page.attributes <= {"href", "rel", "title", "class", "start"}


def test_guidelines_that_every_screen_shows_are_rendered_once() -> None:
    text = "Prefer *fluent* corrections.\n" * 100
    assert render_markdown(text) is render_markdown(text)
