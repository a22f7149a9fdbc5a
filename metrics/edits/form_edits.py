"""Edits between texts of any language: those of the fewest changed tokens, typed by their form.

Types say what can be seen without parsing: a missing, replaced or unnecessary token, punctuation, case or
spacing, order, and a word that resembles another. With a tagger, other edits of one part of speech have it.
The names are those of ERRANT (Bryant et al. 2017).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from unicodedata import category

from metrics.base.evaluation_sets import GoldEdit

SIGNATURE = "forms-1"
OTHER = ":OTHER"
RESEMBLING = 0.6
"""Least similarity of two spellings of a word: 1 less the normalised Levenshtein distance."""

MOST_BETWEEN = 3
"""Most tokens that stay between the two places of a moved token."""


@dataclass(frozen=True, slots=True)
class _Change:
    """Tokens `start` to `end` of the source that become tokens `begin` to `until` of the text."""

    start: int
    end: int
    begin: int
    until: int


class Tagger(Protocol):
    """Interface of what gives categories of words."""

    @property
    def signature(self) -> str:
        """Name and version."""
        ...

    def categories(self, words: Sequence[str]) -> Sequence[str]:
        """ERRANT's category of each word of a text, such as "NOUN"; empty if it has none."""
        ...


@dataclass(frozen=True, slots=True)
class FormEdits:
    """Finds the edits of texts of any language whose tokens are separated by blanks.

    Attributes:
        tagger: gives parts of speech; None for types by form alone.
    """

    tagger: Tagger | None = None

    @property
    def signature(self) -> str:
        """The rules, and the tagger if there is one."""
        return SIGNATURE if self.tagger is None else f"{SIGNATURE}+{self.tagger.signature}"

    def edits(self, source: str, text: str) -> tuple[GoldEdit, ...]:
        """The edits from the source to the text, in the order of the source; neighbouring changes are one."""
        before, after = source.split(), text.split()
        return tuple(
            GoldEdit(
                each.start,
                each.end,
                (" ".join(after[each.begin : each.until]),),
                self._kind(before, after, each),
            )
            for each in _changes(before, after)
        )

    def _kind(self, before: Sequence[str], after: Sequence[str], change: "_Change") -> str:
        kind = kind_of(before[change.start : change.end], after[change.begin : change.until])
        if self.tagger is None or not kind.endswith(OTHER):
            return kind
        categories = {
            *self.tagger.categories(before)[change.start : change.end],
            *self.tagger.categories(after)[change.begin : change.until],
        }
        return kind if len(categories) > 1 or "" in categories else f"{kind[0]}:{categories.pop()}"


def kind_of(before: Sequence[str], after: Sequence[str]) -> str:
    """The type of an edit by the tokens that it replaces and its own, not both empty."""
    if not before or not after:
        operation, tokens = ("M", after) if after else ("U", before)
        return f"{operation}:PUNCT" if all(map(_is_punctuation, tokens)) else f"{operation}{OTHER}"
    if "".join(before).casefold() == "".join(after).casefold():
        return "R:ORTH"
    if all(map(_is_punctuation, [*before, *after])):
        return "R:PUNCT"
    if _same_words(before, after):
        return "R:WO"
    if len(before) == len(after) == 1 and _resemble(before[0], after[0]):
        return "R:SPELL"
    return f"R{OTHER}"


def _changes(before: Sequence[str], after: Sequence[str]) -> list[_Change]:
    from rapidfuzz.distance import Levenshtein

    changes: list[_Change] = []
    for block in Levenshtein.opcodes(before, after):
        if block.tag == "equal":
            continue
        change = _Change(block.src_start, block.src_end, block.dest_start, block.dest_end)
        if changes and _is_one(before, after, changes[-1], change):
            last = changes.pop()
            change = _Change(last.start, change.end, last.begin, change.until)
        changes.append(change)
    return changes


def _is_one(before: Sequence[str], after: Sequence[str], first: _Change, second: _Change) -> bool:
    """Whether two changes are neighbours, or move tokens across few others."""
    between = second.start - first.end
    return not between or (
        between <= MOST_BETWEEN
        and _same_words(before[first.start : second.end], after[first.begin : second.until])
    )


def _same_words(before: Sequence[str], after: Sequence[str]) -> bool:
    return Counter(map(str.casefold, before)) == Counter(map(str.casefold, after))


def _is_punctuation(token: str) -> bool:
    return all(category(character)[0] in "PS" for character in token)


def _resemble(one: str, other: str) -> bool:
    from rapidfuzz.distance import Levenshtein

    alike: float = Levenshtein.normalized_similarity(one.casefold(), other.casefold())
    return one[:1].isalpha() and other[:1].isalpha() and alike >= RESEMBLING
