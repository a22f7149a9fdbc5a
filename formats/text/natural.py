"""Natural text: a tokenised text as people write it, with fewer blanks and otherwise the same characters.

`formats.text.tokens_back` finds the tokens again.
"""

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import accumulate, pairwise

from formats.text.line_ends import PILCROW


class TextRules(StrEnum):
    """Rules by which the blanks between tokens are left out."""

    ENGLISH = "english"
    """Punctuation, brackets and quotation marks, contractions, possessives, amounts of money, percentages."""
    NEUTRAL = "neutral"
    """Punctuation, brackets and quotation marks, in scripts with blanks between words."""
    FRENCH = "french"
    """Neutral, but the marks ; : ? ! and quotation marks keep their blanks."""
    UNSPACED = "unspaced"
    """All but those between words of other scripts."""


UNSPACED_SCRIPTS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
"""Thai, Lao, Burmese, Khmer, kana and Chinese characters: scripts that write no blanks between words."""

_UNSPACED_LANGUAGES = frozenset({"ja", "km", "lo", "my", "th", "yue", "zh"})

_CLOSING = re.compile(r"[.,;:?!…)\]}،؛؟।]+")
_FRENCH_CLOSING = re.compile(r"[.,…)\]}]+")
_OPENING = frozenset("([{¿¡")
_PER_CENT = frozenset("%‰")
_MONEY = frozenset("$£€")
_DOUBLE_QUOTES = frozenset({'"', "''", "``", "“", "”", "„"})
_SINGLE_QUOTES = frozenset("'‘’")
_APOSTROPHES = frozenset("'’")
_OPENING_QUOTES = frozenset({"``", "„", "‘"})
_CLITIC = re.compile(r"(?:n['’]t|['’](?:s|re|ve|ll|d|m))", re.IGNORECASE)
_OPENS_WITHIN = re.compile(r"['‘](?!(?:s|re|ve|ll|d|m)\b)\w.*(?<!['’])\Z", re.IGNORECASE)
_ENDS_A_WORD = re.compile(r"\w\Z")
_OTHER_WORD = re.compile(f"[^\\W_{UNSPACED_SCRIPTS}]")


def rules_for(language: str) -> TextRules:
    """The rules for a language, a BCP 47 tag; the neutral ones for *und*."""
    primary = language.partition("-")[0].lower()
    if primary in _UNSPACED_LANGUAGES:
        return TextRules.UNSPACED
    return {"en": TextRules.ENGLISH, "fr": TextRules.FRENCH}.get(primary, TextRules.NEUTRAL)


def natural(tokens: Sequence[str], rules: TextRules) -> str:
    """The tokens as people write them."""
    return "".join(
        token if is_glued or not place else f" {token}"
        for place, (token, is_glued) in enumerate(zip(tokens, glued(tokens, rules), strict=True))
    )


def hidden_blanks(text: str, rules: TextRules) -> tuple[int, ...]:
    """Places of the blanks between the tokens of a text that its natural text leaves out.

    The text has one blank between two tokens, and no others.
    """
    tokens = text.split(" ")
    ends = accumulate(tokens[:-1], lambda end, token: end + 1 + len(token), initial=-1)
    return tuple(end for end, is_glued in zip(ends, glued(tokens, rules), strict=True) if is_glued)


def glued(tokens: Sequence[str], rules: TextRules) -> tuple[bool, ...]:
    """Whether each token follows the one before it without a blank; false for the first and at line ends."""
    if rules == TextRules.UNSPACED:
        return (
            False,
            *(PILCROW not in pair and not _are_other_words(*pair) for pair in pairwise(tokens)),
        )[: len(tokens)]
    opens, closes = _quotes(tokens, rules)
    is_english = rules == TextRules.ENGLISH
    follows = [False] * len(tokens)
    for place in range(1, len(tokens)):
        before, token = tokens[place - 1 : place + 1]
        follows[place] = PILCROW not in (before, token) and (
            place in closes
            or place - 1 in opens
            or before in _OPENING
            or _closes(before, token, rules)
            or (is_english and _is_glued_in_english(before, token))
        )
    return tuple(follows)


def _closes(before: str, token: str, rules: TextRules) -> bool:
    """Whether punctuation follows the token before it; a full stop does not follow another one."""
    closing = _FRENCH_CLOSING if rules == TextRules.FRENCH else _CLOSING
    return bool(closing.fullmatch(token)) and not (token[0] == "." and before[-1] == ".")


def _is_glued_in_english(before: str, token: str) -> bool:
    if _CLITIC.fullmatch(token):
        return bool(_ENDS_A_WORD.search(before))
    return (token in _PER_CENT and before[-1].isdigit()) or (before in _MONEY and token[0].isdigit())


def _are_other_words(before: str, token: str) -> bool:
    """Whether words of a script with blanks meet, such as Latin ones in a Chinese text."""
    return bool(_OTHER_WORD.match(before[-1]) and _OTHER_WORD.match(token[0]))


def _quotes(tokens: Sequence[str], rules: TextRules) -> tuple[frozenset[int], frozenset[int]]:
    """Places of opening and of closing quotation marks, apostrophes of possessives among the latter."""
    if rules == TextRules.FRENCH:
        return frozenset(), frozenset()
    opens: set[int] = set()
    closes: set[int] = set()
    single, apostrophes = _single_quotes(tokens) if rules == TextRules.ENGLISH else ([], [])
    closes.update(apostrophes)
    for places in ([place for place, token in enumerate(tokens) if token in _DOUBLE_QUOTES], single):
        for place, is_opening in _roles(places, tokens):
            (opens if is_opening else closes).add(place)
    return frozenset(opens), frozenset(closes)


def _single_quotes(tokens: Sequence[str]) -> tuple[list[int], list[int]]:
    """Places of single quotation marks, and of those that close what begins within a word or a possessive.

    The Penn Treebank's tokenisation leaves an opening quotation mark with its word: "'real '".
    """
    marks: list[int] = []
    closing: list[int] = []
    is_open = False
    for place, token in enumerate(tokens):
        ends_plural = place > 0 and token in _APOSTROPHES and tokens[place - 1][-1] in "sS"
        if token not in _SINGLE_QUOTES:
            is_open = is_open or bool(_OPENS_WITHIN.match(token))
        elif is_open or (ends_plural and len(marks) % 2 == 0):
            closing.append(place)
            is_open = False
        else:
            marks.append(place)
    return marks, closing


def _roles(places: Sequence[int], tokens: Sequence[str]) -> Iterator[tuple[int, bool]]:
    """Each quotation mark with whether it opens; none if they do not come in pairs.

    One alone opens at the beginning of a text and closes at its end.
    """
    if len(places) == 1:
        ends = all(_CLOSING.fullmatch(token) for token in tokens[places[0] + 1 :])
        if ends or places[0] == 0:
            yield places[0], not ends
    elif len(places) % 2 == 0 and not any(tokens[place] in _OPENING_QUOTES for place in places[1::2]):
        yield from ((place, number % 2 == 0) for number, place in enumerate(places))
