"""Widths of texts in the font of figures, to break them into lines where nothing else does."""

import unicodedata
from functools import cache

_CHARACTERS_OF_WIDTH = {
    238: "'",
    278: " ,./Iijlı\\‘’",
    280: "|",
    333: "!()-:;[]`ft·",
    350: "•",
    389: "*r{}",
    474: '"',
    500: "z“”",
    556: "#$0123456789J_aceksvxyκ–",
    584: "+<=>^~−×≤≥",
    611: "?FLTZbdghnopquαβρ",
    667: "EPSVXY",
    722: "&ABCDHKNRU",
    778: "GOQw",
    833: "M",
    889: "%m",
    944: "W",
    975: "@",
    1000: "—…",
}
"""Widths in Liberation Sans Bold, in thousandths of the font size; no regular character is wider."""

_WIDTHS = {character: width for width, characters in _CHARACTERS_OF_WIDTH.items() for character in characters}

_OTHER, _FULL = 778, 1000


def width_of(text: str, size: float) -> float:
    """The width of the text in a font of this size, at most."""
    return size * sum(map(_width, text)) / 1000


@cache
def _width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    if unicodedata.east_asian_width(character) in "WF":
        return _FULL
    base = unicodedata.normalize("NFKD", character)[:1]
    return _WIDTHS.get(character) or _WIDTHS.get(base) or _OTHER


def lines_of(text: str, width: float, size: float) -> list[str]:
    """The text in lines of at most this width, broken at blanks, and within words that are too long."""
    lines: list[str] = []
    for word in text.split():
        if lines and _fits(f"{lines[-1]} {word}", width, size):
            lines[-1] += f" {word}"
        else:
            lines += _pieces(word, width, size)
    return lines


def _pieces(word: str, width: float, size: float) -> list[str]:
    pieces = [""]
    for character in word:
        if pieces[-1] and not _fits(pieces[-1] + character, width, size):
            pieces.append("")
        pieces[-1] += character
    return pieces


def _fits(text: str, width: float, size: float) -> bool:
    return width_of(text, size) <= width


def clipped(text: str, width: float, size: float) -> str:
    """The text if it fits into this width, or else its beginning with dots."""
    if _fits(text, width, size):
        return text
    kept = text
    while kept and not _fits(f"{kept}…", width, size):
        kept = kept[:-1]
    return f"{kept.rstrip()}…"
