"""The words that pages explain, and the page that lists them: `docs/glossary.md` says each once."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from annotate.web.access import anyone

BASIC = "Basic words"
"""The section of words that other pages use without explaining them."""

_ROW = re.compile(r"\| (?!term \|)(?P<names>[^|]+) \| (?P<meaning>[^|]+) \|")
_LINK = re.compile(r"\[([^]]+)\]\([^)]+\)")
_MARKS = re.compile(r"\\|(?<!\\)[*`]")


@dataclass(frozen=True, slots=True)
class Entry:
    """Attributes: names: a word and its other forms; meaning: in plain text."""

    names: tuple[str, ...]
    meaning: str

    @property
    def anchor(self) -> str:
        """Its place on the page."""
        return slugify(self.names[0])


@cache
def glossary() -> Mapping[str, tuple[Entry, ...]]:
    """The entries by section, in the order of the document."""
    text = (settings.BASE_DIR / "docs" / "glossary.md").read_text(encoding="utf-8")
    sections = (section.partition("\n") for section in text.split("\n## ")[1:])
    return {title: tuple(map(_entry, _ROW.finditer(rows))) for title, _, rows in sections}


@cache
def explained() -> Mapping[str, Entry]:
    """Entries that are not basic words, by each of their names in lower case."""
    return {
        name.lower(): entry
        for section, entries in glossary().items()
        if section != BASIC
        for entry in entries
        for name in entry.names
    }


def _entry(row: re.Match[str]) -> Entry:
    names, meaning = (_MARKS.sub("", _LINK.sub(r"\1", row[part])) for part in ("names", "meaning"))
    return Entry(tuple(names.split(", ")), f"{meaning[:1].upper()}{meaning[1:].removesuffix('.')}.")


@anyone
@require_safe
def glossary_page(request: HttpRequest) -> HttpResponse:
    """All words with their meanings."""
    return render(request, "annotate/web/glossary.html", {"glossary": glossary()})
