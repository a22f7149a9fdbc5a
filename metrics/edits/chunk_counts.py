"""Counts of an output's chunks against its references' chunks, as in CLEME and CLEME2.0."""

from collections.abc import Iterable, Sequence

import numpy as np

from core.arrays import FloatArray
from metrics.edits.chunks import Chunk, partition
from metrics.edits.edit_columns import COUNTS, FN, FP, TN, TP, UNNECESSARY
from metrics.edits.edit_sources import Correction

ASSUMPTIONS = ("dependent", "independent")

LONGEST = 63
"""Maximum length counted; longer chunks have the same weight unless the mean length is near it."""

REFERENCE_CHUNKS, REFERENCE_LENGTHS = len(COUNTS), len(COUNTS) + 1
"""Columns: number of chunks edited by the references of the sentence, and the sum of their lengths."""

SET_MEAN = len(COUNTS) + 2
"""Column: mean length of chunks edited by references, over all sentences without outputs; or 0."""

BY_LENGTH = len(COUNTS) + 3
"""First of the columns with TP, FP and FN by length from 0 to `LONGEST`."""

WIDTH = BY_LENGTH + 3 * (LONGEST + 1)


def counted(
    source: Sequence[str], output: Correction, references: Sequence[Correction], assumption: str
) -> FloatArray:
    """Rows of shape (R, WIDTH): one for each reference (dependent), or one for all (independent)."""
    [hypothesis, *golds], untouched = partition(source, [output, *kept_references(references)])
    if assumption == "dependent":
        rows = np.array([_dependent(hypothesis, gold) for gold in golds])
    else:
        rows = np.array([_independent(hypothesis, golds)])
    rows[:, TN] += untouched
    lengths = [chunk.length for gold in golds for chunk in gold if chunk.edited]
    rows[:, REFERENCE_CHUNKS] = len(lengths)
    rows[:, REFERENCE_LENGTHS] = sum(lengths)
    return rows


def mean_length(sentences: Iterable[tuple[Sequence[str], Sequence[Correction]]]) -> float:
    """Mean length of the chunks that references edit, 0 without any, of sources with their references."""
    lengths = [
        chunk.length
        for source, references in sentences
        for gold in partition(source, kept_references(references))[0]
        for chunk in gold
        if chunk.edited
    ]
    return sum(lengths) / max(1, len(lengths))


def kept_references(references: Sequence[Correction]) -> Sequence[Correction]:
    """An empty reference counts only if there is no other."""
    return [each for each in references if each.words] or references[:1]


def _dependent(hypothesis: Sequence[Chunk], gold: Sequence[Chunk]) -> FloatArray:
    row = np.zeros(WIDTH)
    for chunk, other in zip(hypothesis, gold, strict=True):
        if chunk.words == other.words:
            _count(row, TP if chunk.edited else TN, chunk)
        elif chunk.edited:
            _count(row, FP, chunk)
            row[UNNECESSARY] += not other.edited
        else:
            _count(row, FN, chunk)
    return row


def _independent(hypothesis: Sequence[Chunk], golds: Sequence[Sequence[Chunk]]) -> FloatArray:
    row = np.zeros(WIDTH)
    for chunk, *others in zip(hypothesis, *golds, strict=True):
        if not chunk.edited:
            _count(row, FN if all(other.edited for other in others) else TN, chunk)
        elif any(chunk.words == other.words for other in others):
            _count(row, TP, chunk)
        else:
            _count(row, FP, chunk)
            row[UNNECESSARY] += not any(other.edited for other in others)
    return row


def _count(row: FloatArray, column: int, chunk: Chunk) -> None:
    row[column] += 1
    if column != TN:
        by_length = row[BY_LENGTH:].reshape(3, -1)
        by_length[column, min(chunk.length, LONGEST)] += 1
