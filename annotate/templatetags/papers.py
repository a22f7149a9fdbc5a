"""Links to the files of a figure for papers."""

from itertools import count

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from figures.paper_widths import MILLIMETRES

register = template.Library()

WORDS = {"column": "One column", "page": "Whole page"}


@register.simple_tag(takes_context=True)
def for_papers(context: dict[str, object], pdf: str, png: str, stated: str = "") -> SafeString:
    """A button that opens links to the figure in the widths of papers; it works without scripts.

    Args:
        context: of the template, with the request.
        pdf: address of the figure as PDF, without a query.
        png: as PNG.
        stated: query of the figure.
    """
    links = format_html_join(
        "",
        '<span class="paper">{}, {} mm: {}, {}</span>',
        (
            (WORDS[width], f"{size:g}", _link(pdf, stated, width), _link(png, stated, width))
            for width, size in MILLIMETRES.items()
        ),
    )
    number = next(vars(context["request"]).setdefault("papers", count(1)))
    return format_html(
        '<button type="button" class="term" popovertarget="papers-{0}">for papers</button>'
        '<span class="meaning" id="papers-{0}" popover>{1}</span>',
        number,
        links,
    )


def _link(address: str, stated: str, width: str) -> SafeString:
    name, _, ending = address.rpartition("/")[2].rpartition(".")
    query = "&".join(filter(None, [stated, f"width={width}"]))
    return format_html(
        '<a href="{}?{}" download="{}-{}.{}">{}</a>', address, query, name, width, ending, ending.upper()
    )
