"""Characters that texts and names cannot hold: one rule for files, forms and answers."""

import re
from unicodedata import category, is_normalized, normalize

_OF_PLANES = "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0, 0x110000, 0x10000))

# PostgreSQL cannot store NUL, XML can hold none of these controls, lone surrogates have no UTF-8, and
# noncharacters are never in a text (Unicode, section 23.7).
_BASIC = "\x00-\x08\x0b-\x1f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
# The set before the look back is searched ten times as fast as the exact one.
_OF_NO_TEXT = re.compile(f"[{_BASIC}\U00010000-\U0010ffff](?<=[{_BASIC}{_OF_PLANES}])")

_KINDS = {"Cc": "control character", "Cs": "surrogate", "Zl": "line separator", "Zp": "paragraph separator"}
_NOT_IN_NAMES = frozenset({"Cc", "Zl", "Zp"})

# They reorder what stands around them, so that one name could be read as another.
_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

_INVISIBLE = frozenset("CZM")
"""Kinds of characters that show nothing by themselves."""


def first_unstorable(text: str) -> re.Match[str] | None:
    """The first control character but tab and line feed, surrogate or noncharacter."""
    return _OF_NO_TEXT.search(text)


def without_unstorable(text: str) -> str:
    """The text without what no text can hold: CRLF becomes a line feed, other white space a blank."""
    return _OF_NO_TEXT.sub(lambda found: " " if found[0].isspace() else "", text.replace("\r\n", "\n"))


def named(character: str) -> str:
    """A character that is refused, for a message."""
    number = f"U+{ord(character):04X}"
    if character == "\r":
        return f"a carriage return ({number}) without a line feed"
    if character in _DIRECTIONS:
        return f"the character {number}, which changes the writing direction"
    return f"the {_KINDS.get(category(character), 'noncharacter')} {number}"


def text_fault(text: str) -> str:
    """The first character that no text can hold, for a message; empty if there is none."""
    found = first_unstorable(text)
    return named(found[0]) if found else ""


def is_visible(text: str) -> bool:
    """Whether any character of the text shows something by itself."""
    return any(category(character)[0] not in _INVISIBLE for character in text)


def name_fault(name: str) -> str:
    """Why this cannot be a name, for a message after "it"; empty if it can, or is empty.

    Names are one line, so beside what no text can hold they have no control character, no separator of lines
    and nothing that changes the writing direction.
    """
    if name.isascii() and name.isprintable() and not name.isspace():
        return ""
    for character in name:
        if category(character) in _NOT_IN_NAMES or character in _DIRECTIONS or first_unstorable(character):
            return f"contains {named(character)}"
    if name and not is_visible(name):
        return "has no visible character"
    return ""


def composed(text: str, beside: str = "") -> str:
    """The text with letters and their marks as one character, where there is one (normal form C).

    Keyboards write the same letters differently. It stays as it is beside a text that has them apart.
    """
    return normalize("NFC", text) if is_normalized("NFC", beside) else text
