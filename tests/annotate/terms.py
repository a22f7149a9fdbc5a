"""Words of pages without their meanings from the glossary."""

import re

_TERM = re.compile(r'<button type="button" class="term"[^>]*>([^<]*)</button><span class="meaning".*?</span>')


def without_meanings(page: str) -> str:
    """The page with each word that opens its meaning as the word alone."""
    return _TERM.sub(r"\1", page)
