"""A translation that marks every text and doubles its length: what it has not marked was never translated."""

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

from babel.messages.catalog import Catalog

from dev.tools.translations import as_text, compiled, texts

LANGUAGE = "de"
"""The language that the marked texts stand for; Django's own texts are in it."""
NOT_OURS = ("kbd", "code", "bdi", "textarea", "time", "script", "style", "svg")
NOT_OURS_BY_CLASS = ("prose", "code", "example")
SPOKEN = ("aria-label", "title", "placeholder", "alt")

_texts = cache(texts)


def marked(text: str) -> str:
    """The text between brackets, at twice its length."""
    room = len(re.sub(r"<[^>]*>|%\([a-z_]+\)s", "", text))
    return f"⟦{text}{' longer'[:room] * max(1, room // 7)}⟧" if text != "j M, H:i" else text


def marked_locale(folder: Path) -> Path:
    """The folder, with a translation into `LANGUAGE` that marks every text."""
    catalog = Catalog(locale=LANGUAGE, charset="utf-8", fuzzy=False)
    for message in _texts():
        if message.id:
            forms = [message.id] if isinstance(message.id, str) else message.id
            strings = tuple(map(marked, forms))
            catalog.add(message.id, strings if len(forms) > 1 else strings[0])
    path = folder / LANGUAGE / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)
    path.write_text(as_text(catalog), encoding="utf-8")
    path.with_suffix(".mo").write_bytes(compiled(path))
    return folder


def unmarked(page: str, *, known: tuple[str, ...] = ()) -> list[str]:
    """The texts of a page that are not marked, without those of corpus and campaign, and without keys."""
    reader = _Reader()
    reader.feed(page)
    found = (re.sub("|".join(map(re.escape, ("Assay", *known))), "", text) for text in reader.found)
    return [text.strip() for text in found if re.search("[A-Za-z]{2}", text)]


class _Reader(HTMLParser):
    """Collects texts outside brackets, and whole attributes that people read without any."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._depth = 0
        self._inside: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        for name, value in given.items():
            if name in SPOKEN and value and not self._is_not_ours() and "⟦" not in value:
                self.found.append(value)
        if tag not in ("input", "br", "link", "meta", "img", "hr"):
            is_text = "lang" in given and tag != "html"
            self._inside.append((tag, is_text or tag in NOT_OURS or given.get("class") in NOT_OURS_BY_CLASS))

    def handle_endtag(self, tag: str) -> None:
        while self._inside and self._inside.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._is_not_ours():
            return
        for part in re.split("([⟦⟧])", data):
            if part in "⟦⟧" and part:
                self._depth += 1 if part == "⟦" else -1
            elif not self._depth and part.strip():
                self.found.append(part)

    def _is_not_ours(self) -> bool:
        return any(is_theirs for _, is_theirs in self._inside)
