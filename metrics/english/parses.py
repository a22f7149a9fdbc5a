"""Parsed texts as plain data, and as the tokens that the `errant` package reads.

A pipeline's analysis of a text is kept as tuples of strings, which are small, can be stored, and need no
pipeline to be read again. `ParsedText.tokens` gives objects with the attributes of spaCy's tokens that ERRANT
looks at.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, SupportsIndex, overload


@dataclass(frozen=True, slots=True)
class ParsedText:
    """A text with what a pipeline says of each of its n words.

    Attributes:
        words: as written.
        tags: parts of speech of the Penn Treebank, such as "VBZ".
        pos: universal parts of speech, such as "VERB".
        lemmas: base forms.
        labels: relations to the heads, in ClearNLP's labels.
        heads: places of the heads, counted from 0; the root is its own head.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    pos: tuple[str, ...]
    lemmas: tuple[str, ...]
    labels: tuple[str, ...]
    heads: tuple[int, ...]

    def tokens(self) -> "Span":
        """The words as ERRANT reads them."""
        from spacy.parts_of_speech import IDS

        tokens = [
            Token(word, tag, IDS[pos], lemma, label)
            for word, tag, pos, lemma, label in zip(
                self.words, self.tags, self.pos, self.lemmas, self.labels, strict=True
            )
        ]
        for token, head in zip(tokens, self.heads, strict=True):
            token.head = tokens[head]
            if token.head is not token:
                token.head.children.append(token)
        return Span(tokens)


class Token:
    """A word with the attributes of a spaCy token that ERRANT reads.

    Lemmas and lower-case forms are compared with each other only, so they are strings where spaCy has hashes.
    """

    __slots__ = ("children", "dep_", "head", "lemma", "lower", "lower_", "pos", "tag_", "text")

    def __init__(self, text: str, tag: str, pos: int, lemma: str, label: str) -> None:
        self.text = text
        self.lower = self.lower_ = text.lower()
        self.tag_ = tag
        self.pos = pos
        self.lemma = lemma
        self.dep_ = label
        self.head: Token = self
        self.children: list[Token] = []


class Span(Sequence[Token]):
    """A run of tokens; a slice of it is a span again."""

    __slots__ = ("_tokens",)

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens

    @property
    def text(self) -> str:
        """The words, with a blank between two."""
        return " ".join([token.text for token in self._tokens])

    def __len__(self) -> int:
        return len(self._tokens)

    @overload
    def __getitem__(self, key: SupportsIndex) -> Token: ...

    @overload
    def __getitem__(self, key: "slice[Any, Any, Any]") -> "Span": ...

    def __getitem__(self, key: "SupportsIndex | slice[Any, Any, Any]") -> "Token | Span":
        if isinstance(key, slice):
            return Span(self._tokens[key])
        return self._tokens[key]
