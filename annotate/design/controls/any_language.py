"""Errors for sentences of any language: words swapped, left out or doubled, and letters swapped.

Nothing is known about the words, so an error is made where the difference is plain to see. In scripts without
blanks, each character counts as a word.
"""

import re
from collections.abc import Iterator
from unicodedata import category, normalize

from annotate.design.controls.sentence import Error, ErrorKind, Token
from formats.text.natural import UNSPACED_SCRIPTS

FEWEST_WORDS = 3
"""Fewest words of a sentence from which one is left out."""

FEWEST_LETTERS = 4
"""Fewest letters of a word in which two are swapped."""

UNSPACED = re.compile(f"[{UNSPACED_SCRIPTS}]")
"""A character of a script without blanks."""

_JOINS = frozenset("'’-\u200c\u200d")
"""Signs that join letters to a word if letters follow, such as the joiners of Persian."""


class AnySentence:
    """The words of a sentence of any language, each with its place."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(_words(text))

    def __len__(self) -> int:
        return len(self.tokens)

    def are_neighbours(self, place: int) -> bool:
        """Whether a word follows this one, with at most blanks between."""
        return place + 1 < len(self) and not self.between(place).strip()

    def between(self, place: int) -> str:
        """The text between a word and the next."""
        return self.text[self.tokens[place].end : self.tokens[place + 1].start]


def swapped_words(sentence: AnySentence, place: int) -> Iterator[Error]:
    """Two neighbours in the other order; a capital at the beginning of the sentence stays there."""
    if not sentence.are_neighbours(place):
        return
    first, second = sentence.tokens[place], sentence.tokens[place + 1]
    words = [second.text, first.text]
    if not place and _is_capitalised(first.text) and second.text.islower():
        words = [second.text[:1].upper() + second.text[1:], first.text[:1].lower() + first.text[1:]]
    yield Error(ErrorKind.WORD_ORDER, first.start, second.end, sentence.between(place).join(words))


def missing_word(sentence: AnySentence, place: int) -> Iterator[Error]:
    """A word left out that stands between two others."""
    if len(sentence) >= FEWEST_WORDS and place and sentence.are_neighbours(place):
        token, following = sentence.tokens[place], sentence.tokens[place + 1]
        yield Error(ErrorKind.MISSING_WORD, token.start, following.end, following.text)


def doubled_word(sentence: AnySentence, place: int) -> Iterator[Error]:
    """A word that is there twice."""
    token = sentence.tokens[place]
    blank = "" if UNSPACED.match(token.text) else " "
    again = token.text.lower() if _is_capitalised(token.text) and not place else token.text
    yield Error(ErrorKind.DOUBLED_WORD, token.end, token.end, f"{blank}{again}")


def swapped_letters(sentence: AnySentence, place: int) -> Iterator[Error]:
    """Two different letters within a word in the other order, never its first and never a mark."""
    token = sentence.tokens[place]
    letters = token.text
    if len(letters) < FEWEST_LETTERS or UNSPACED.match(letters):
        return
    middle = len(letters) // 2
    for start in sorted(range(1, len(letters) - 1), key=lambda start: abs(start - middle)):
        one, other, after = letters[start], letters[start + 1], letters[start + 2 : start + 3]
        if one.isalpha() and other.isalpha() and _looks(one) != _looks(other) and not _is_mark(after):
            wrong = letters[:start] + other + one + letters[start + 2 :]
            yield Error(ErrorKind.SPELLING, token.start, token.end, wrong)
            return


ANY_RULES = (swapped_words, missing_word, doubled_word, swapped_letters)


def looks(text: str) -> str:
    """What can be seen of a text: without case, invisible characters and numbers of blanks."""
    return " ".join(_looks(text).split())


def _looks(text: str) -> str:
    shown = (character for character in normalize("NFKC", text) if category(character) != "Cf")
    return "".join(shown).casefold()


def _words(text: str) -> Iterator[Token]:
    start: int | None = None
    for place, character in enumerate(text):
        if UNSPACED.match(character) and not _is_mark(character):
            if start is not None:
                yield Token(text[start:place], start, place)
            start = place
            continue
        is_inside = start is not None and (
            _is_mark(character)
            or (character in _JOINS and text[place + 1 : place + 2].isalpha())
            or (character.isalnum() and not UNSPACED.match(text[start]))
        )
        if is_inside:
            continue
        if start is not None:
            yield Token(text[start:place], start, place)
        start = place if character.isalnum() else None
    if start is not None:
        yield Token(text[start:], start, len(text))


def _is_mark(character: str) -> bool:
    return bool(character) and category(character)[0] == "M"


def _is_capitalised(word: str) -> bool:
    return word[:1].isupper() and word[1:] == word[1:].lower()
