"""Edits between a sentence and a correction of it, as spans of the sentence in code points.

A span is half-open and begins and ends at words, so that anybody can read it from the stored text:
`text[start:end]` is what `replacement` replaces. Words are separated by white space. In a text that writes no
blanks between words, such as Japanese, each character of it is a word of its own, with its combining marks.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from rapidfuzz.distance import Levenshtein

from formats.text.natural import UNSPACED_SCRIPTS

_WORD = re.compile(r"\S+")
_UNSPACED = re.compile(f"[{UNSPACED_SCRIPTS}]")
_LONG = re.compile(f"[{UNSPACED_SCRIPTS}]{{7}}")
"""Longer than a word: the text is not separated into words by blanks."""

_PAIRED = frozenset({("(", ")"), ("[", "]"), ("{", "}"), ("“", "”"), ("«", "»"), ("``", "''"), ('"', '"')})


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a text.

    Attributes:
        start: its first code point in the text, counted from 0.
        end: the code point after its last.
        text: the word.
    """

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class SpanEdit:
    """An edit of a sentence.

    Attributes:
        start: first code point of the sentence that it replaces, counted from 0.
        end: code point after the last; equal to `start` for an insertion.
        replacement: the words that stand there instead; empty for a deletion.
        type: such as ERRANT's "R:PREP"; empty if it is not known.
    """

    start: int
    end: int
    replacement: str
    type: str = ""


def are_unspaced(*texts: str) -> bool:
    """Whether one of the texts has more than six characters in a row of a script without blanks."""
    return any(_LONG.search(text) for text in texts)


def words_of(text: str, *, unspaced: bool) -> list[Word]:
    """The words of the text; if it is `unspaced`, each character of a script without blanks is one."""
    words: list[Word] = []
    for match in _WORD.finditer(text):
        start = match.start()
        for place in range(match.start() + 1, match.end()) if unspaced else ():
            if _begins_word(text, place):
                words.append(Word(start, place, text[start:place]))
                start = place
        words.append(Word(start, match.end(), text[start : match.end()]))
    return words


def edits_between(source: str, text: str) -> tuple[SpanEdit, ...]:
    """The fewest edits of words by Levenshtein's alignment, in the order of the source.

    Everything between two unchanged stretches is one edit.
    """
    unspaced = are_unspaced(source, text)
    before, after = (words_of(each, unspaced=unspaced) for each in (source, text))
    steps = Levenshtein.opcodes([word.text for word in before], [word.text for word in after])
    edits = []
    for unchanged, run in groupby(steps, key=lambda step: step.tag == "equal"):
        if unchanged:
            continue
        parts = list(run)
        start, end = span_of(before, parts[0].src_start, parts[-1].src_end, len(source))
        first, last = span_of(after, parts[0].dest_start, parts[-1].dest_end, len(text))
        edits.append(SpanEdit(start, end, text[first:last]))
    return tuple(edits)


def span_of(words: Sequence[Word], start: int, end: int, length: int) -> tuple[int, int]:
    """The code points of the words from `start` to before `end`, in a text of this length.

    An insertion stands before the word at `start`, or at the end of the text.
    """
    first = words[start].start if start < len(words) else length
    return first, words[end - 1].end if end > start else first


def places_of(words: Sequence[Word], edit: SpanEdit) -> tuple[int, int]:
    """The places of the words that the edit replaces: the inverse of `span_of`."""
    start = sum(word.start < edit.start for word in words)
    return start, max(start, sum(word.start < edit.end for word in words))


def applied(source: str, edits: Sequence[SpanEdit], *, unspaced: bool) -> str:
    """The source with these edits, in the order of the source, and a blank between words.

    In an `unspaced` text, words of scripts without blanks follow each other directly.
    """
    pieces: list[str] = []
    position = 0
    for edit in edits:
        pieces += [source[position : edit.start], edit.replacement]
        position = edit.end
    pieces.append(source[position:])
    words = [word.text for piece in pieces for word in words_of(piece, unspaced=unspaced)]
    if not unspaced:
        return " ".join(words)
    return "".join(
        word if not place or _joins(words[place - 1], word) else f" {word}"
        for place, word in enumerate(words)
    )


def question_numbers(source: str, edits: Sequence[SpanEdit]) -> tuple[int, ...]:
    """The number of the question, from 0, that each edit belongs to; dependent edits share one.

    Edits depend on each other if one alone would break the sentence:

    - they are adjacent or overlap: no word stays between them;
    - one removes the words that the other inserts, which moves them;
    - one inserts (or removes) an opening bracket or quotation mark, and the next such edit its closing one.
    """
    words = words_of(source, unspaced=are_unspaced(source, *(edit.replacement for edit in edits)))
    places = [places_of(words, edit) for edit in edits]
    first = list(range(len(edits)))

    def join(one: int, other: int) -> None:
        low, high = sorted((first[one], first[other]))
        first[:] = [low if number == high else number for number in first]

    for place in range(1, len(edits)):
        if places[place][0] <= places[place - 1][1]:
            join(place - 1, place)
    for one, other in (*_moves(source, edits), *_pairs(source, edits)):
        join(one, other)
    order = {number: question for question, number in enumerate(dict.fromkeys(first))}
    return tuple(order[number] for number in first)


def as_one(source: str, edits: Sequence[SpanEdit], text: str) -> SpanEdit:
    """All edits, with what stays between them, as a single one; `text` is the corrected sentence."""
    unspaced = are_unspaced(source, text)
    before, after = (words_of(each, unspaced=unspaced) for each in (source, text))
    start, _ = places_of(before, edits[0])
    _, end = places_of(before, edits[-1])
    first, last = span_of(after, start, len(after) - (len(before) - end), len(text))
    return replace(edits[0], end=edits[-1].end, replacement=text[first:last], type="")


def _begins_word(text: str, place: int) -> bool:
    """Whether a word begins here, within a stretch without white space."""
    if unicodedata.category(text[place]).startswith("M"):
        return False
    return bool(_UNSPACED.match(text[place]) or _UNSPACED.match(_base_before(text, place)))


def _base_before(text: str, place: int) -> str:
    """The character before this place, or the one that its combining marks belong to."""
    place -= 1
    while place and unicodedata.category(text[place]).startswith("M"):
        place -= 1
    return text[place]


def _joins(before: str, word: str) -> bool:
    return bool(_UNSPACED.match(word[0]) or _UNSPACED.match(before[0]))


def _moves(source: str, edits: Sequence[SpanEdit]) -> Iterator[tuple[int, int]]:
    """Pairs of a deletion and an insertion of the same words, each used once."""
    inserted = {place: edit.replacement.split() for place, edit in enumerate(edits) if edit.start == edit.end}
    for place, edit in enumerate(edits):
        if edit.replacement:
            continue
        gone = source[edit.start : edit.end].split()
        twin = next((other for other, words in inserted.items() if words == gone), None)
        if twin is not None:
            del inserted[twin]
            yield place, twin


def _pairs(source: str, edits: Sequence[SpanEdit]) -> Iterator[tuple[int, int]]:
    """Pairs of edits that insert, or remove, an opening sign and the closing one after it."""
    marks = [
        (place, edit.start == edit.end, edit.replacement or source[edit.start : edit.end])
        for place, edit in enumerate(edits)
        if (edit.start == edit.end) != (not edit.replacement)
    ]
    signs = {sign for pair in _PAIRED for sign in pair}
    for inserts in (True, False):
        of_kind = [
            (place, text) for place, is_inserted, text in marks if is_inserted == inserts and text in signs
        ]
        while len(of_kind) > 1:
            (place, opening), (other, closing), *rest = of_kind
            if (opening, closing) in _PAIRED:
                yield place, other
                of_kind = rest
            else:
                del of_kind[0]
