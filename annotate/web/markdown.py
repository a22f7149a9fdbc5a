"""Guidelines in Markdown as safe HTML, which can neither run scripts nor load anything."""

import re
from functools import lru_cache

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore

from annotate.design.practice import FENCE, PracticeError, read_block
from formats.text.natural import TextRules

_LINK = re.compile(r"(?:https?://|mailto:|\.{0,2}/|#)", re.IGNORECASE)
_HEADING_OFFSET = 2


def render_markdown(text: str, rules: TextRules | None = None) -> SafeString:
    """CommonMark with tables and strikethrough.

    HTML is shown as it was typed, links lead only to the web, to mail addresses and into this site, and
    images become links. Practice items become tables, written by `rules`. The largest heading becomes an
    `h3`, for the text stands below an `h2`.
    """
    return _rendered(text, rules, get_language())


@lru_cache(maxsize=32)
def _rendered(text: str, rules: TextRules | None, language: str | None) -> SafeString:
    """The HTML in a language: practice items have headings of ours."""
    html: str = _RENDERER.render(text, {"rules": rules})
    return mark_safe(html)  # noqa: S308  # the renderer escapes all that people write


def _renderer() -> MarkdownIt:
    renderer = MarkdownIt("js-default", {"html": False, "linkify": False}).disable("image")
    renderer.validateLink = lambda url: _LINK.match(url) is not None  # type: ignore[method-assign]
    renderer.core.ruler.push("house_rules", _house_rules)
    return renderer


def _practice(text: str, rules: TextRules | None) -> str:
    """A practice item as a table of its corrections; nothing if it is malformed."""
    try:
        block = read_block(text)
    except PracticeError:
        return ""
    return render_to_string("annotate/judging/_practice_item.html", {"block": block, "rules": rules})


def _house_rules(state: StateCore) -> None:
    rules = state.env["rules"]
    for token in state.tokens:
        if (
            token.type == "fence"
            and token.info.strip() == FENCE
            and (practice := _practice(token.content, rules))
        ):
            token.type, token.content = "html_block", practice
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + _HEADING_OFFSET, 6)}"
        # Our content policy forbids inline styles, with which Markdown aligns tables.
        if token.attrs.pop("style", "") == "text-align:right":
            token.attrSet("class", "number")
        for inline in token.children or []:
            if inline.type == "link_open":
                inline.attrSet("rel", "nofollow noopener")


_RENDERER = _renderer()
