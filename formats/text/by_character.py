"""Tokens of running text in scripts without blanks between words: each character is one."""

import re
from unicodedata import category

from formats.text.natural import UNSPACED_SCRIPTS, TextRules, natural

_TOKEN = re.compile(f"[{UNSPACED_SCRIPTS}]|[^\\W{UNSPACED_SCRIPTS}]+|[^\\w\\s]")
_RUNNING = re.compile(f"[{UNSPACED_SCRIPTS}]{{2}}")


def by_character(text: str) -> list[str]:
    """Each character of a script without blanks, each other word, and each sign.

    Marks such as Thai vowels stay with the character before them.
    """
    tokens: list[str] = []
    end = 0
    for found in _TOKEN.finditer(text):
        if tokens and found.start() == end and category(found[0][0])[0] == "M":
            tokens[-1] += found[0]
        else:
            tokens.append(found[0])
        end = found.end()
    return tokens


def as_characters(text: str) -> list[str] | None:
    """`by_character` of running text without blanks, if its natural text is the text; None otherwise."""
    if not _RUNNING.search(text):
        return None
    tokens = by_character(text)
    return tokens if natural(tokens, TextRules.UNSPACED) == text else None
