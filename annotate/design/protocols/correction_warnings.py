"""Warnings about a written correction. They are shown and stored, and prevent nothing.

`static/js/correction.js` shows the same warnings while somebody writes.
"""

import re
from collections.abc import Sequence
from enum import StrEnum

from rapidfuzz.distance import Levenshtein

from formats.snapshot.vocabulary import Instruction

MOST_CHANGED = 0.6
"""Largest share of changed words that a minimal correction usually has."""

UNSPACED = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
"""Thai, Lao, kana and Chinese characters: scripts that write no blanks between words."""

WORD = re.compile(f"[{UNSPACED}]|[^\\s{UNSPACED}]+")
"""A run without blanks, or a single character of an unspaced script."""

MARKS = ".,;:!?،؛؟।"


class TextWarning(StrEnum):
    """A warning, as it is stored."""

    MUCH_CHANGED = "much-changed"
    DOUBLE_SPACES = "double-spaces"
    TOKENISATION = "tokenisation"


def warnings(source: str, texts: Sequence[str], instruction: Instruction) -> list[str]:
    """Warnings about these corrections of the source, each once."""
    found = {
        TextWarning.MUCH_CHANGED: instruction == Instruction.MINIMAL
        and any(share_changed(source, text) > MOST_CHANGED for text in texts),
        TextWarning.DOUBLE_SPACES: any("  " in text for text in texts) and "  " not in source,
        TextWarning.TOKENISATION: any(is_tokenised_otherwise(source, text) for text in texts),
    }
    return [str(warning) for warning, holds in found.items() if holds]


def word_count(text: str | None) -> int:
    """The number of words of a text; in scripts without blanks between words, of its characters."""
    return len(WORD.findall(text or ""))


def share_changed(source: str, text: str) -> float:
    """The fewest words to insert, delete or replace, as a share of the words of the longer text; 0 to 1."""
    return float(Levenshtein.normalized_distance(WORD.findall(source), WORD.findall(text)))


def is_tokenised_otherwise(source: str, text: str) -> bool:
    """Whether punctuation is attached to a word where the source sets it apart, or the other way round.

    Only words that the source does not have count: its own “etc.” is no fault.
    """
    before = source.split()
    new = set(text.split()).difference(before)
    alone = [word for word in before if word in MARKS]
    attached = [word for word in before if _ends_with_mark(word)]
    if alone and not attached:
        return any(_ends_with_mark(word) for word in new)
    return bool(attached and not alone) and any(word in MARKS for word in new)


def _ends_with_mark(word: str) -> bool:
    return len(word) > 1 and word[-1] in MARKS and word[-2] not in MARKS
