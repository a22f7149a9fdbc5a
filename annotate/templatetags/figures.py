"""Room for figures that are not drawn yet."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from annotate.web.figure_sizes import size_of

register = template.Library()


@register.simple_tag
def room(address: str, *query: str, height: int | None = None) -> SafeString:
    """Attributes `width` and `height` of the image with this address and these parts of the query.

    `height` is the declared height of the figure, if there is one.
    """
    size = size_of(address, "&".join(filter(None, query)), height=height or None)
    return format_html('width="{}" height="{}"', *size)
