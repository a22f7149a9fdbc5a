"""Chunks of a sentence that an output and all its references share (CLEME; Ye et al. 2023, section 3.1).

Edits of all texts are merged where their spans overlap or touch; the spans between them are unedited. So all
texts are split at the same positions of the source, and can be compared chunk by chunk.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from metrics.base.evaluation_sets import GoldEdit
from metrics.edits.edit_sources import Correction, corrected_words


@dataclass(frozen=True, slots=True)
class Chunk:
    """A text's version of a chunk of the source that at least one text edits.

    Attributes:
        source: number of source words.
        words: words of the text in this chunk.
        edited: whether the text edits it.
    """

    source: int
    words: tuple[str, ...]
    edited: bool

    @property
    def length(self) -> int:
        """Number of words of the longer side."""
        return max(self.source, len(self.words))


def partition(source: Sequence[str], texts: Sequence[Correction]) -> tuple[list[list[Chunk]], int]:
    """The chunks that at least one text edits, for each text, and the number of unedited chunks.

    Args:
        source: the words of the source.
        texts: with their edits.
    """
    spans = _merged(edit for text in texts for edit in text.edits)
    chunks = [[_chunk(source, text.edits, start, end) for start, end in spans] for text in texts]
    ends = [0, *(end for _, end in spans)]
    starts = [*(start for start, _ in spans), len(source)]
    untouched = sum(start > end for end, start in zip(ends, starts, strict=True))
    return chunks, untouched


def _merged(edits: Iterable[GoldEdit]) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for edit in sorted(edits, key=lambda each: each.start):
        if spans and edit.start <= spans[-1][1]:
            spans[-1] = spans[-1][0], max(spans[-1][1], edit.end)
        else:
            spans.append((edit.start, edit.end))
    return spans


def _chunk(source: Sequence[str], edits: Sequence[GoldEdit], start: int, end: int) -> Chunk:
    inside = [
        GoldEdit(edit.start - start, edit.end - start, edit.corrections)
        for edit in edits
        if start <= edit.start and edit.end <= end
    ]
    return Chunk(end - start, corrected_words(source[start:end], inside), bool(inside))
