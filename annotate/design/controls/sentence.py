"""A source sentence as the rules see it, and the error that a rule finds room for."""

import re
from dataclasses import dataclass
from enum import StrEnum

_TOKEN = re.compile(
    r"n['’]t\b|['’](?:s|re|ve|ll|d|m)\b|[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+(?:[.,:]\d+)*\w*|[^\w\s]|_"
)
"""Words, numbers and signs, in text that was tokenised ("do n't") and text that was not ("don't")."""


class ErrorKind(StrEnum):
    """Kind of an error put into a control."""

    DETERMINER = "determiner"
    PREPOSITION = "preposition"
    AGREEMENT = "agreement"
    VERB_FORM = "verb form"
    NOUN_NUMBER = "noun number"
    SPELLING = "spelling"
    WORD_ORDER = "word order"
    PUNCTUATION = "punctuation"
    MISSING_WORD = "missing word"
    DOUBLED_WORD = "doubled word"


@dataclass(frozen=True, slots=True)
class Error:
    """A change of the source that makes it worse.

    Attributes:
        kind: its kind.
        start: where the text that it replaces starts in the source, in characters from 0.
        end: where that text ends, exclusive; `start` where nothing is replaced.
        replacement: the new text; empty for a deletion.
    """

    kind: ErrorKind
    start: int
    end: int
    replacement: str


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number or sign.

    Attributes:
        text: as written.
        start: its place in the sentence, in characters.
        end: where it ends, exclusive.
    """

    text: str
    start: int
    end: int


class TokenizedSentence:
    """Tokens with their neighbours; beyond the ends stand empty words."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = [Token(match[0], *match.span()) for match in _TOKEN.finditer(text)]
        self._words = [token.text.lower().replace("’", "'") for token in self.tokens]
        self.spaced = not re.search(r"\w[.,;:!?](?:\s|$)", text)

    def __len__(self) -> int:
        return len(self.tokens)

    def word(self, place: int) -> str:
        """The token in lower case; empty beyond the ends."""
        return self._words[place] if 0 <= place < len(self._words) else ""

    def is_plain(self, place: int) -> bool:
        """Whether the token is an ordinary lower-case word, not a name or an abbreviation."""
        return self.word(place).isalpha() and self.tokens[place].text.islower()

    def is_capitalised(self, place: int) -> bool:
        """Whether the token there, if any, starts with a capital letter."""
        return 0 <= place < len(self) and self.tokens[place].text[0].isupper()

    def replace(self, kind: ErrorKind, place: int, new: str, *, count: int = 1) -> Error:
        """Replace `count` tokens; initial capitals and all-capitals are kept."""
        first, last = self.tokens[place], self.tokens[place + count - 1]
        if len(first.text) > 1 and self.text[first.start : last.end].isupper():
            new = new.upper()
        elif first.text[0].isupper() and first.text != "I":
            new = new[:1].upper() + new[1:]
        return Error(kind, first.start, last.end, new)

    def swap(self, kind: ErrorKind, place: int) -> Error:
        """Swap a token with the next one."""
        first, second = self.tokens[place], self.tokens[place + 1]
        before = first.text if first.text == "I" else first.text[:1].lower() + first.text[1:]
        between = self.text[first.end : second.start]
        return self.replace(kind, place, f"{second.text}{between}{before}", count=2)

    def drop(self, kind: ErrorKind, place: int) -> Error:
        """Delete a token that is followed by another one."""
        return self.replace(kind, place, self.tokens[place + 1].text, count=2)

    def insert(self, kind: ErrorKind, place: int, new: str) -> Error:
        """Insert a word before a token."""
        return self.replace(kind, place, f"{new} {self.tokens[place].text}")

    def insert_comma(self, kind: ErrorKind, place: int) -> Error:
        """Insert a comma after a token, with the sentence's spacing."""
        end = self.tokens[place].end
        return Error(kind, end, end, " ," if self.spaced else ",")
