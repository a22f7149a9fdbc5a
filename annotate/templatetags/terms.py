"""Words with their meanings from the glossary."""

from itertools import count

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from annotate.templatetags.texts import unbroken
from annotate.web.glossary import explained

register = template.Library()


@register.simple_tag(takes_context=True)
def term(context: dict[str, object], text: str, name: str = "") -> SafeString | str:
    """The text as a button that opens what the glossary says of `name`, or of the text itself.

    It works by keyboard and touch, and without scripts. A text without an entry stays what it is.
    """
    entry = explained().get((name or text).lower())
    request = context.get("request")
    if entry is None or request is None:
        return unbroken(text)
    number = next(vars(request).setdefault("terms", count(1)))
    return format_html(
        '<button type="button" class="term" popovertarget="term-{0}">{1}</button>'
        '<span class="meaning" id="term-{0}" popover>{2} <a href="{3}#{4}">Glossary</a></span>',
        number,
        text,
        entry.meaning,
        reverse("glossary"),
        entry.anchor,
    )
