"""Edits between two texts with their types, by the `errant` package (Bryant et al. 2017).

Merging and classifier come from the package; the alignment is compiled code that gives the same edits
(`metrics.kernels.errant_kernel`).
"""

from dataclasses import dataclass
from importlib.metadata import version
from types import ModuleType

import numpy as np

from core.arrays import IntArray
from metrics.base.evaluation_sets import GoldEdit
from metrics.base.metric import NotScored
from metrics.english.parses import ParsedText, Span

MOST_CELLS = 6_250_000
"""Bound on source tokens times target tokens: two tables of 8 bytes per cell, and one of distances. Two
essays of 2,500 tokens fit, which take 1.4 s."""

MOST_CHANGED = 200
"""Bound on consecutive changed words: the package's merging, in Python, takes cubic time."""

OPERATIONS = {0: "M", 1: "S", -1: "I", -2: "D"}

Steps = list[tuple[str, int, int, int, int]]


@dataclass(frozen=True, slots=True, eq=False)
class PreparedText:
    """A parsed text, ready to be aligned any number of times.

    Attributes:
        span: its tokens.
        words: texts of the tokens.
        features: shape (4, n): words, lower-case forms, lemmas and parts of speech as numbers.
    """

    span: Span
    words: tuple[str, ...]
    features: IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """The attributes that the package's merging rules read."""

    orig: Span
    cor: Span
    align_seq: Steps


class ErrantEdits:
    """Extracts edits. Loading the package and spaCy takes a second, once for each process."""

    def __init__(self) -> None:
        from errant.edit import Edit
        from errant.en import classifier, merger
        from rapidfuzz.distance import Indel
        from rapidfuzz.process import cdist
        from spacy.parts_of_speech import ADJ, ADV, IDS, NOUN, VERB

        from metrics.kernels.errant_kernel import align

        self._edit = Edit
        self._merger: ModuleType = merger
        self._classifier: ModuleType = classifier
        self._align, self._cdist, self._distance = align, cdist, Indel.normalized_distance
        self._open_pos = np.zeros(max(IDS.values()) + 1, dtype=np.bool_)
        self._open_pos[[ADJ, ADV, NOUN, VERB]] = True
        self._numbers: dict[str, int] = {}
        self._random = _Random()

    def prepare(self, parsed: ParsedText) -> PreparedText:
        """The text with its features as numbers."""
        span = parsed.tokens()
        number = self._numbers
        rows = [
            [number.setdefault(token.text, len(number)) for token in span],
            [number.setdefault(token.lower, len(number)) for token in span],
            [number.setdefault(token.lemma, len(number)) for token in span],
            [token.pos for token in span],
        ]
        return PreparedText(span, parsed.words, np.array(rows, dtype=np.int64).reshape(4, -1))

    def edits(self, source: PreparedText, target: PreparedText) -> tuple[GoldEdit, ...] | NotScored:
        """The edits from one text to the other, in the order of the source."""
        if source.words == target.words:
            return ()
        lengths = len(source.words), len(target.words)
        if (lengths[0] + 1) * (lengths[1] + 1) > MOST_CELLS:
            return NotScored(f"two texts of {lengths[0]} and {lengths[1]} tokens are too long for ERRANT")
        steps = self._steps(source, target)
        if _longest_change(steps) > MOST_CHANGED:
            return NotScored(f"more than {MOST_CHANGED} words in a row are changed, too many for ERRANT")
        merged = self._merger.get_rule_edits(Alignment(source.span, target.span, steps))
        return tuple(self._typed(edit) for edit in merged)

    def typed(
        self, source: PreparedText, target: PreparedText, spans: tuple[int, int, int, int], *, minimal: bool
    ) -> GoldEdit:
        """A given edit with its type.

        Args:
            source: the text before.
            target: the text after.
            spans: first token and token after the last in the source, and the same in the target.
            minimal: whether equal words at its ends are left out.
        """
        edit = self._edit(source.span, target.span, spans)
        return self._typed(edit.minimise() if minimal else edit)

    def _typed(self, edit: "object") -> GoldEdit:
        typed = self._classifier.classify(edit)
        return GoldEdit(typed.o_start, typed.o_end, (typed.c_str,), typed.type)

    def _steps(self, source: PreparedText, target: PreparedText) -> Steps:
        if source.words and target.words:
            distances = self._cdist(
                source.words, target.words, scorer=self._distance, dtype=np.float64, workers=1
            )
        else:
            distances = np.zeros((len(source.words), len(target.words)))
        numbers = self._random.numbers(len(self._numbers))
        aligned = self._align(source.features, target.features, distances, numbers, self._open_pos)
        return [
            (OPERATIONS.get(operation, f"T{operation}"), *places) for operation, *places in aligned.tolist()
        ]


class _Random:
    """Random numbers by index, extended on demand."""

    def __init__(self) -> None:
        self._values = np.zeros(0, dtype=np.int64)

    def numbers(self, size: int) -> IntArray:
        """The first random numbers: at least `size` of them, always the same."""
        if size > len(self._values):
            rng = np.random.default_rng(0)
            limits = np.iinfo(np.int64)
            self._values = rng.integers(limits.min, limits.max, size=2 * size, dtype=np.int64)
        return self._values


def errant_signature() -> str:
    """Name and version of the package."""
    return f"errant-{version('errant')}"


def _longest_change(steps: Steps) -> int:
    """Maximum number of consecutive steps that are neither a match nor a transposition."""
    longest = run = 0
    for operation, *_ in steps:
        run = 0 if operation[0] in "MT" else run + 1
        longest = max(longest, run)
    return longest
