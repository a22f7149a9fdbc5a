"""Lattices of corrections: all subsets of the edits of one annotation (Choshen and Abend 2018, section 4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.arrays import IntArray
from metrics.base.evaluation_sets import Annotation, GoldEdit, InputError
from metrics.edits.edit_sources import corrected_words

NO_LATTICE = (
    "no sentence has {least} or more annotators who all correct something: MAEGE needs references with "
    "their edits (M2)"
)


@dataclass(frozen=True, slots=True)
class Lattice:
    """The corrections of a sentence that apply subsets of an annotator's edits.

    Attributes:
        sentence: its place in the `LatticeCorpus`, counted from 0.
        annotator: as the M2 file names them.
        words: of the original.
        edits: in text order, at least one.
    """

    sentence: int
    annotator: str
    words: tuple[str, ...]
    edits: tuple[GoldEdit, ...]

    def text(self, applied: int) -> str:
        """The correction that applies a subset of the edits; bit e of `applied` stands for edit e."""
        edits = [edit for number, edit in enumerate(self.edits) if applied >> number & 1]
        return " ".join(corrected_words(self.words, edits))

    @property
    def top(self) -> int:
        """The subset of all edits."""
        return (1 << len(self.edits)) - 1


@dataclass(frozen=True, eq=False)
class LatticeCorpus:
    """S sentences with their L lattices.

    Attributes:
        sources: the originals, S of them.
        references: of each sentence, for the metrics.
        lattices: sentence by sentence.
        places: shape (S,), the position of each sentence in the input.
        circular: whether the tops of the lattices serve as references because there are no others.
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
        """Number of corrections in the chains, one chain per lattice, originals included."""
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
    most: int | None = None,
    seed: int = 0,
) -> LatticeCorpus:
    """The lattices of the sentences with enough annotators.

    A sentence that one of its annotators leaves unchanged has none (section 4). If an edit has several
    corrections, the first one is used.

    Args:
        sources: n sentences, tokens separated by blanks.
        annotations: of each sentence, its annotators with their edits.
        references: of each sentence, for the metrics; None for the tops of its lattices.
        annotators: minimum number of annotators; None for 2, or for 1 if no sentence has more.
        most: the most sentences, drawn at random if there are more; None for all.
        seed: of this draw.

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
    if most is not None and len(chosen) > most:
        chosen = np.sort(np.random.default_rng(seed).choice(chosen, most, replace=False)).tolist()
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
    """The edits in text order; insertions at the same place keep their order."""
    return tuple(sorted(edits, key=lambda edit: (edit.start, edit.end)))
