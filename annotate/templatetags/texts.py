"""Corrections on a page: escaped, with their edits marked."""

import json
import math
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

from babel.lists import format_list
from django import template
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.timesince import timesince
from django.utils.translation import get_language, to_locale

from annotate.judging.answers_in_words import mark_in_words
from annotate.judging.essay_lines import Line, essay_lines
from annotate.judgments.details_in_words import details_in_words
from annotate.web.highlight import LabelledEdit, Segment, highlight, highlight_labelled
from annotate.web.interface_languages import languages_to_choose, letter_styles
from annotate.web.markdown import render_markdown
from core.languages import ENGLISH, is_from_right
from core.translations import gettext
from core.wording import counted, p_is, p_value
from formats.text.natural import TextRules, hidden_blanks, natural
from formats.text.tokens_back import rules_on_screen

register = template.Library()
register.filter("markdown", render_markdown)
register.filter("mark_in_words", mark_in_words)


@register.simple_tag
def correction(
    text: str | None,
    source: str | None,
    edits: Sequence[LabelledEdit] | None = None,
    asked: str = "",
    rules: TextRules | None = None,
) -> SafeString:
    """A correction with its edits against the source marked by `<ins>` and `<del>`.

    Where a job has labelled its edits, these are marked, each with its type; `asked` is one that stands out.
    By `rules` it is natural text, unless that would hide something; edits are always those of the tokens.
    """
    if text is None:
        return format_html('<span class="absent">{}</span>', gettext("text unknown"))
    if not text:
        return format_html('<span class="absent">{}</span>', gettext("empty"))
    source = source or ""
    rules = rules_on_screen(rules, source, [text])
    if edits is None:
        segments = highlight(source, text, rules)
    else:
        segments = highlight_labelled(source, text, edits, rules)
    marked = (
        ("" if segment.is_glued or not number else " ", _marked(segment), _label(segment, asked))
        for number, segment in enumerate(segments)
    )
    return format_html_join("", "{}{}{}", marked)


@register.simple_tag
def essay(
    text: str,
    source: str = "",
    rules: TextRules | None = None,
    edits: Sequence[LabelledEdit] | None = None,
    asked: str = "",
) -> SafeString:
    """An essay in paragraphs; with its edits marked if there is a source.

    Rules and edits are those of `correction`. `data-at` has the place of each change in the source, for the
    script that goes from change to change.
    """
    if not text:
        return format_html('<p class="absent">{}</p>', gettext("empty"))
    rules = rules_on_screen(rules, source or text, [text])
    if not source:
        shown = natural(text.split(), rules) if rules else text
        segments: Sequence[Segment] = (Segment("same", shown),)
    elif edits is None:
        segments = highlight(source, text, rules)
    else:
        segments = highlight_labelled(source, text, edits, rules)
    return format_html_join(
        "", '<p dir="auto"{}>{}</p>', (_line(line, asked) for line in essay_lines(segments))
    )


@register.filter(name="natural")
def natural_text(text: str | None, rules: TextRules | None) -> str | None:
    """A sentence as people write it, by these rules; unchanged without them."""
    return natural(text.split(), rules) if text and rules and rules_on_screen(rules, text) else text


@register.simple_tag
def to_mark(text: str, rules: TextRules | None, marks: Mapping[str, Any] | None = None) -> SafeString:
    """A text as stored, for a script that marks places in it: blanks that the rules leave out are hidden.

    Its characters are exactly those that are stored: readers of HTML would replace carriage returns. Where no
    script comes, it has these suggested marks.
    """
    hidden = set(hidden_blanks(text, rules)) if text and rules else set()
    spans = marks["spans"] if marks else ()
    begins = {span["start"]: f'<mark class="{span["severity"]} suggested">' for span in spans}
    ends = {span["end"] for span in spans}
    edges = {0, len(text), *begins, *ends, *hidden, *(at + 1 for at in hidden)}
    pieces = []
    for start, end in pairwise(sorted(edges)):
        piece = conditional_escape(text[start:end]).replace("\r", "&#13;")
        pieces.append(begins.get(start, ""))
        pieces.append(f"<i hidden>{piece}</i>" if start in hidden else piece)
        pieces.append("</mark>" if end in ends else "")
    return mark_safe("".join(pieces))  # noqa: S308


@register.filter
def label_in(name: str, labels: Mapping[str, str]) -> str:
    """A system's label as plain text; its identifier if it has none."""
    return labels.get(name, name)


@register.filter
def called(name: str, labels: Mapping[str, str]) -> str | SafeString:
    """A system by its label, with the identifier as tooltip, or by its identifier if it has no label.

    A label may be written from right to left, so it is isolated from the surrounding text.
    """
    label = labels.get(name)
    return name if label is None else format_html('<bdi title="{}">{}</bdi>', name, label)


@register.filter
def unbroken(title: str) -> SafeString:
    """A title that is broken into lines between words only, not at the hyphen of a name."""
    return format_html_join(
        " ",
        "{}",
        (
            (format_html('<span class="unbroken">{}</span>', word) if "-" in word else word,)
            for word in title.split(" ")
        ),
    )


@register.filter
def json_value(value: object) -> str:
    """A JSON value for display: text unchanged, everything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@register.filter
def share(value: float | None, digits: int = 3) -> str:
    """A number from 0 to 1 (or a kappa) with this many decimals; a dash where there is none."""
    return "–" if value is None else f"{value:.{digits}f}"


register.filter("p_value", p_value)
register.filter("p_is", p_is)
register.filter("is_from_right", is_from_right)
register.simple_tag(letter_styles)
register.simple_tag(languages_to_choose)


@register.filter
def thousands(number: int) -> str:
    """A whole number with commas: 2,319."""
    return f"{number:,}"


@register.filter
def percent(value: float) -> str:
    """A share in whole percent, on one line."""
    return f"{100 * value:.0f}\N{NO-BREAK SPACE}%"


@register.filter
def fifths(value: float) -> int:
    """The fifth of 0 to 1 into which a number falls, 1 to 5; 0 if it is not above 0."""
    return max(0, math.ceil(5 * value))


@register.filter
def roughly(time: timedelta) -> str:
    """About how long something takes, in words, rounded to minutes."""
    minutes = round(time.total_seconds() / 60)
    if minutes < 1:
        return "less than a minute"
    return "about " + (counted(minutes, "minute") if minutes < 90 else counted(round(minutes / 60), "hour"))


@register.filter
def ago(time: datetime) -> str:
    """How long ago something was, in words."""
    passed = timesince(time, depth=1)
    return "just now" if passed.startswith("0") else f"{passed} ago"


@register.filter
def domains_in_words(domains: Sequence[str]) -> SafeString:
    """Domains as alternatives in the language of the page: “A, B or C”."""
    places = [f"{{{number}}}" for number in range(len(domains))]
    pattern = format_list(places, style="or", locale=to_locale(get_language() or ENGLISH))
    names = (format_html("<strong>{}</strong>", domain or gettext("other texts")) for domain in domains)
    return format_html(pattern, *names)


register.simple_tag(details_in_words)


@register.simple_tag
def field(fields: Mapping[str, str], prefix: str, position: int) -> str:
    """The value of the field with that prefix and position."""
    return fields.get(f"{prefix}{position}", "")


@register.simple_tag
def field_is(fields: Mapping[str, str], prefix: str, position: int, value: int | str) -> str:
    """The attribute `checked` if the field with that prefix and position has the value."""
    return " checked" if fields.get(f"{prefix}{position}") == str(value) else ""


def _line(line: Line, asked: str) -> tuple[SafeString, SafeString]:
    """The attributes of a line of an essay, and what is in it."""
    pieces = (
        (
            "" if piece.segment.is_glued or not number else " ",
            _marked(piece.segment, piece.place),
            _label(piece.segment, asked) if piece.place else "",
        )
        for number, piece in enumerate(line.pieces)
    )
    attributes = format_html(' class="{}"', "apart") if line.is_apart else SafeString()
    return attributes, format_html_join("", "{}{}{}", pieces)


def _marked(segment: Segment, place: str | None = None) -> SafeString:
    """A segment; a change of an essay has a `place` in the source, which is empty in its further pieces."""
    at = "" if place is None else format_html(' data-at="{}"', place)
    match segment.kind:
        case "insert":
            return format_html("<ins{}>{}</ins>", at, segment.text)
        case "delete":
            return format_html("<del{}>{}</del>", at, segment.text)
        case "substitute":
            instead = gettext("instead of: %(words)s") % {"words": segment.replaced}
            return format_html(
                '<ins{2} title="{0}">{1}<span class="unseen"> ({0})</span></ins>', instead, segment.text, at
            )
        case "same":
            return format_html("{}", segment.text)


def _label(segment: Segment, asked: str) -> SafeString | str:
    if not segment.label:
        return ""
    from metrics.edits.errant_types import in_words  # not before a page has labels: it loads NumPy

    words = in_words(segment.label)
    return format_html(
        '<span class="edit-type{}" title="{}">{}<span class="unseen"> ({})</span></span>',
        " asked" if segment.label == asked else "",
        words,
        segment.label,
        words,
    )
