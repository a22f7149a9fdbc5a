"""Finds what may be personal data in texts: e-mail addresses, phone and card numbers, web addresses.

A pattern finds candidates, not persons: people have to look at what it lists, and at the rest of the texts.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

# Tokenised texts may have blanks around punctuation.
_ADDRESS = re.compile(r"[\w.+-]+ ?@ ?[\w-]+(?: ?\. ?[\w-]+)+")
_WEB = re.compile(r"(?:https?\s?:\s?/\s?/|www ?\. ?)\S+", re.IGNORECASE)
_DIGITS = re.compile(r"(?<![\w.,])[+(]?\d(?:[ ()./-]{0,2}\d){7,22}(?!\w)")
_YEARS = re.compile(r"(?:1\d|20)\d\d(?:[ /-]{1,3}(?:1\d|20)\d\d)+")
LEAST_OF_PHONES, MOST_OF_PHONES = 9, 15
LEAST_OF_CARDS, MOST_OF_CARDS = 13, 19


@dataclass(frozen=True, slots=True)
class Found:
    """A place to look at.

    Attributes:
        kind: what it may be.
        where: the text that contains it.
        text: the characters that were found.
    """

    kind: str
    where: str
    text: str

    def __str__(self) -> str:
        return f"{self.where}: {self.kind}: {self.text}"


def found_in(texts: Iterable[tuple[str, str]]) -> Iterator[Found]:
    """What may be personal data in texts, each given with its place; a repeated text counts once."""
    seen: set[int] = set()
    for where, text in texts:
        for kind, part in _parts(text):
            key = hash((kind, part))
            if key not in seen:
                seen.add(key)
                yield Found(kind, where, part)


def _parts(text: str) -> Iterator[tuple[str, str]]:
    if "@" in text:
        yield from (("e-mail address", match.group()) for match in _ADDRESS.finditer(text))
    yield from (("web address", match.group()) for match in _WEB.finditer(text))
    for match in _DIGITS.finditer(text):
        part = match.group()
        digits = [int(sign) for sign in part if sign.isdigit()]
        if LEAST_OF_CARDS <= len(digits) <= MOST_OF_CARDS and _is_card(digits):
            yield "card number", part
        elif LEAST_OF_PHONES <= len(digits) <= MOST_OF_PHONES and not _YEARS.fullmatch(part):
            yield "phone number", part


def _is_card(digits: list[int]) -> bool:
    """Whether the last digit is the check digit of the others (Luhn; ISO/IEC 7812-1)."""
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
