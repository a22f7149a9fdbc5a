"""Sentences of a CoNLL-U file, as Universal Dependencies publishes its treebanks."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = -1
"""Stands for the head of the root."""


@dataclass(frozen=True, slots=True)
class Word:
    """A syntactic word.

    Attributes:
        text: as written.
        lemma: its base form.
        pos: universal part of speech.
        tag: part of speech of the Penn Treebank.
        head: place of its head in the sentence, counted from 0; `ROOT` for the root.
        relation: to the head.
    """

    text: str
    lemma: str
    pos: str
    tag: str
    head: int
    relation: str


def read_conllu(path: Path) -> Iterator[list[Word]]:
    """Sentences with their syntactic words; ranges of words ("3-4 don't") and empty nodes are left out."""
    sentence: list[Word] = []
    with path.open(encoding="utf-8") as file:
        for line in file:
            if not line.strip():
                if sentence:
                    yield sentence
                sentence = []
            elif not line.startswith("#"):
                number, text, lemma, pos, tag, _, head, relation, *_ = line.rstrip("\n").split("\t")
                if number.isdecimal():
                    sentence.append(Word(text, lemma, pos, tag, int(head) - 1, relation))
    if sentence:
        yield sentence
