"""Dots and intervals in the rows of a table, as SVG in percent: it needs neither a style nor a script."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from core.marks import Scale
from core.wording import percent

register = template.Library()


@register.simple_tag
def mark(
    scale: Scale | None,
    value: float | None,
    low: float | None = None,
    high: float | None = None,
    hollow: bool = False,
    beside: tuple[float, float | None, float | None] | None = None,
    bar: bool = False,
) -> SafeString | str:
    """A dot at the value with the interval around it, hollow for what does not compete; or a bar from 0.

    `beside` is one more, hollow dot with its interval. The numbers stand beside the drawing, so it is hidden
    from those who hear the page.
    """
    if scale is None or value is None:
        return ""
    lines = format_html_join(
        "",
        '<line class="grid" x1="{0}%" x2="{0}%" y1="-8" y2="32"/>',
        ((scale.place(at),) for at in scale.lines),
    )
    return format_html(
        '<svg class="plot{}" height="24" aria-hidden="true">{}{}{}{}{}</svg>',
        " hollow" if hollow else "",
        lines,
        _even(scale),
        _second(scale, beside),
        _interval(scale, low, high, 12),
        _bar(scale, value) if bar else _dot(scale.place(value)),
    )


def _second(scale: Scale, beside: tuple[float, float | None, float | None] | None) -> SafeString | str:
    if beside is None:
        return ""
    value, low, high = beside
    return format_html("{}{}", _interval(scale, low, high, 12), _dot(scale.place(value), "second"))


def _even(scale: Scale) -> SafeString | str:
    if scale.even is None:
        return ""
    return format_html('<line class="even" x1="{0}%" x2="{0}%" y1="-8" y2="32"/>', scale.place(scale.even))


def _dot(place: float, css: str = "") -> SafeString:
    named = format_html(' class="{}"', css) if css else ""
    return format_html('<circle{} cx="{}%" cy="12" r="4.5"/>', named, place)


def _bar(scale: Scale, value: float) -> SafeString:
    begin, end = sorted((scale.place(0.0), scale.place(value)))
    return format_html(
        '<rect class="bar" x="{}%" width="{}%" y="6" height="12"/>', begin, round(end - begin, 2)
    )


@register.simple_tag
def small_mark(
    scale: Scale | None, value: float | None, low: float | None = None, high: float | None = None
) -> SafeString | str:
    """A dot at the value with the interval around it, small enough for a cell of many columns."""
    if scale is None or value is None:
        return ""
    return format_html(
        '<svg class="plot small" height="8" aria-hidden="true">{}<circle cx="{}%" cy="4" r="2.5"/></svg>',
        _interval(scale, low, high, 4),
        scale.place(value),
    )


def _interval(scale: Scale, low: float | None, high: float | None, y: int) -> SafeString | str:
    if low is None or high is None:
        return ""
    return format_html(
        '<line class="interval" x1="{0}%" x2="{1}%" y1="{2}" y2="{2}"/>',
        scale.place(low),
        scale.place(high),
        y,
    )


def _on_phones(lines: Sequence[float]) -> set[float]:
    """The two values that a narrow axis has room for: 0 and the one farthest from it, or else both ends."""
    return {0.0, max(lines, key=abs)} if 0.0 in lines[1:-1] else {*lines[:1], *lines[-1:]}


@register.simple_tag
def axis(scale: Scale | None) -> SafeString | str:
    """The values at the grid lines of `mark`, for the foot of the column."""
    if scale is None:
        return ""
    kept = _on_phones(scale.lines)
    numbers = format_html_join(
        "",
        '<text x="{}%" y="12" class="{}">{}</text>',
        (
            (
                scale.place(at),
                "kept" if at in kept else "",
                percent(at) if scale.is_percent else f"{at:g}",
            )
            for at in scale.lines
        ),
    )
    return format_html('<svg class="plot axis" height="16" aria-hidden="true">{}</svg>', numbers)
