"""How corrections stand on a page: escaped, with their edits marked as what they are."""

import json
import math
from collections.abc import Mapping
from datetime import timedelta

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from annotate.design.wording import counted
from annotate.web.highlight import Segment, highlight
from annotate.web.markdown import render_markdown

register = template.Library()
register.filter("markdown", render_markdown)


@register.simple_tag
def correction(text: str | None, source: str | None) -> SafeString:
    """A correction with its edits against the source marked by `<ins>` and `<del>`."""
    if text is None:
        return format_html('<span class="absent">{}</span>', "text unknown")
    if not text:
        return format_html('<span class="absent">{}</span>', "empty")
    return format_html_join(" ", "{}", ((_marked(segment),) for segment in highlight(source or "", text)))


@register.filter
def label_in(name: str, labels: Mapping[str, str]) -> str:
    """A system's label, where only text may stand; its identifier where it has none."""
    return labels.get(name, name)


@register.filter
def called(name: str, labels: Mapping[str, str]) -> str | SafeString:
    """A system as people know it, by its label where it has one; the identifier is its tooltip then.

    A label may be written from right to left, and is kept apart from what stands around it.
    """
    label = labels.get(name)
    return name if label is None else format_html('<bdi title="{}">{}</bdi>', name, label)


@register.filter
def json_value(value: object) -> str:
    """A value of JSON as people read it: a text as it is, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@register.filter
def share(value: float | None, digits: int = 3) -> str:
    """A number from 0 to 1 (or a kappa) with this many decimals; a dash where there is none."""
    return "–" if value is None else f"{value:.{digits}f}"


@register.filter
def percent(value: float) -> str:
    """A share in whole percent, on one line."""
    return f"{100 * value:.0f}\N{NO-BREAK SPACE}%"


@register.filter
def fifths(value: float) -> int:
    """Into which fifth of 0 to 1 a number falls, 1 to 5; 0 if it is not above 0."""
    return max(0, math.ceil(5 * value))


@register.filter
def roughly(time: timedelta) -> str:
    """A span of time as one says it: half a minute more or less does not matter."""
    minutes = round(time.total_seconds() / 60)
    if minutes < 1:
        return "less than a minute"
    return counted(minutes, "minute") if minutes < 90 else counted(round(minutes / 60), "hour")


@register.simple_tag
def field(fields: Mapping[str, str], prefix: str, position: int) -> str:
    """What the field of that prefix and position holds."""
    return fields.get(f"{prefix}{position}", "")


@register.simple_tag
def field_is(fields: Mapping[str, str], prefix: str, position: int, value: int | str) -> str:
    """The attribute `checked` where the field of that prefix and position holds the value."""
    return " checked" if fields.get(f"{prefix}{position}") == str(value) else ""


def _marked(segment: Segment) -> SafeString:
    match segment.kind:
        case "insert":
            return format_html("<ins>{}</ins>", segment.text)
        case "delete":
            return format_html("<del>{}</del>", segment.text)
        case "substitute":
            return format_html(
                '<ins title="instead of: {0}">{1}<span class="unseen"> (instead of: {0})</span></ins>',
                segment.replaced,
                segment.text,
            )
        case "same":
            return format_html("{}", segment.text)
