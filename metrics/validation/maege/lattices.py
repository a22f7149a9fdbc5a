"""Lattices of corrections: all subsets of the edits of one annotation (Choshen and Abend 2018, section 4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from metrics.base import IntArray
from metrics.edit_sources import corrected_words
from metrics.inputs import Annotation, GoldEdit, InputError

NO_LATTICE = (
    "no sentence has {least} or more annotators who all correct something: MAEGE needs references with "
    "their edits (M2)"
)


@dataclass(frozen=True, slots=True)
class Lattice:
    """The corrections of a sentence to which subsets of an annotator's edits lead.

    Attributes:
        sentence: its place in the `LatticeCorpus`, counted from 0.
        annotator: as the M2 file names them.
        words: of the original.
        edits: in the order of the text, at least one.
    """

    sentence: int
    annotator: str
    words: tuple[str, ...]
    edits: tuple[GoldEdit, ...]

    def text(self, applied: int) -> str:
        """The correction to which a subset of the edits leads; bit e of `applied` is edit e."""
        edits = [edit for number, edit in enumerate(self.edits) if applied >> number & 1]
        return " ".join(corrected_words(self.words, edits))

    @property
    def top(self) -> int:
        """The subset of all edits."""
        return (1 << len(self.edits)) - 1


@dataclass(frozen=True, eq=False)
class LatticeCorpus:
    """S sentences with their L lattices, in their order.

    Attributes:
        sources: the originals, S of them.
        references: what metrics compare with, for each sentence.
        lattices: sentence by sentence.
        places: shape (S,), the place of each sentence among those that were given.
        circular: whether references are the tops of the lattices, since there are no others.
    """

    sources: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    lattices: tuple[Lattice, ...]
    places: IntArray
    circular: bool

    @cached_property
    def sizes(self) -> IntArray:
        """Number of edits of each lattice, shape (L,)."""
        return np.array([len(each.edits) for each in self.lattices], dtype=np.int64)

    @cached_property
    def first_lattices(self) -> IntArray:
        """The first lattice of each sentence, and the number of lattices, shape (S + 1,)."""
        sentences = [each.sentence for each in self.lattices]
        return np.searchsorted(sentences, np.arange(len(self.sources) + 1)).astype(np.int64)

    @cached_property
    def edit_sentences(self) -> IntArray:
        """The sentence of each of the E edits, shape (E,): lattice by lattice, in the order of the text."""
        sentences = np.array([each.sentence for each in self.lattices], dtype=np.int64)
        return np.repeat(sentences, self.sizes)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The type of each of the E edits, as annotated."""
        return tuple(edit.kind for lattice in self.lattices for edit in lattice.edits)

    @property
    def corrections(self) -> int:
        """Number of corrections in the chains, one chain a lattice; originals are among them."""
        return int(self.sizes.sum()) + len(self.sizes)

    @cached_property
    def comparable(self) -> IntArray:
        """Pairs of corrections of one chain, the better one second, shape (2, pairs).

        They are places among the corrections of all chains, each from its original to its top.
        """
        starts = np.concatenate([[0], np.cumsum(self.sizes + 1)[:-1]])
        pairs = [
            np.stack(np.triu_indices(size + 1, 1)) + start
            for start, size in zip(starts.tolist(), self.sizes.tolist(), strict=True)
        ]
        return np.concatenate(pairs, axis=1).astype(np.int64)


def lattice_corpus(
    sources: Sequence[str],
    annotations: Sequence[Sequence[Annotation]],
    references: Sequence[Sequence[str]] | None,
    *,
    annotators: int | None = None,
) -> LatticeCorpus:
    """The lattices of those sentences that enough annotators correct.

    A sentence that one of its annotators leaves as it is has none (section 4). Edits with several
    corrections take the first one.

    Args:
        sources: n sentences, tokens separated by blanks.
        annotations: of each sentence, those who are present with their edits.
        references: of each sentence, what metrics compare with; None for the tops of its lattices.
        annotators: the least number of annotators; None for 2, or for 1 if no sentence has more.

    Raises:
        InputError: no sentence is left.
    """
    least = annotators or min(2, max((len(each) for each in annotations), default=1))
    chosen = [
        place
        for place, present in enumerate(annotations)
        if len(present) >= max(least, 1) and all(each.edits for each in present)
    ]
    if not chosen:
        raise InputError(NO_LATTICE.format(least=least))
    lattices = [
        Lattice(sentence, each.annotator, tuple(sources[place].split()), _in_order(each.edits))
        for sentence, place in enumerate(chosen)
        for each in annotations[place]
    ]
    tops: list[list[str]] = [[] for _ in chosen]
    for lattice in lattices:
        tops[lattice.sentence].append(lattice.text(lattice.top))
    return LatticeCorpus(
        sources=tuple(" ".join(sources[place].split()) for place in chosen),
        references=tuple(map(tuple, tops))
        if references is None
        else tuple(tuple(references[place]) for place in chosen),
        lattices=tuple(lattices),
        places=np.array(chosen, dtype=np.int64),
        circular=references is None,
    )


def _in_order(edits: Sequence[GoldEdit]) -> tuple[GoldEdit, ...]:
    """In the order of the text; insertions at one place keep theirs."""
    return tuple(sorted(edits, key=lambda edit: (edit.start, edit.end)))
