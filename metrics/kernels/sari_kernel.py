"""SARI of one output from counts of n-grams, compiled by Numba at the first call."""

from core.arrays import IntArray
from ranking.compilation import compiled


@compiled
def f1(precision: float, recall: float) -> float:
    """Harmonic mean; 0 if both are 0."""
    if precision + recall == 0:
        return 0.0
    return 2 * precision * recall / (precision + recall)


@compiled
def sari(source: IntArray, output: IntArray, references: IntArray, number: int, starts: IntArray) -> float:
    """SARI as its authors' script computes it.

    Counts of source and output are multiplied by the number of references, so that they compare with the sum
    over references. Each n-gram has the same weight, however often it stands there.

    Args:
        source: shape (U,), how often each n-gram stands in the source.
        output: the same in the output.
        references: the same in all references together.
        number: of references.
        starts: n-grams of order n are ``starts[n - 1]:starts[n]``.
    """
    total = 0.0
    for order in range(len(starts) - 1):
        kept = keepable = deleted = added = addable = added_well = 0
        kept_precision = kept_recall = deleted_precision = 0.0
        for ngram in range(starts[order], starts[order + 1]):
            before, after = number * source[ngram], number * output[ngram]
            wanted = references[ngram]
            stays = min(before, after)
            kept += stays > 0
            keepable += min(before, wanted) > 0
            if min(stays, wanted) > 0:
                kept_precision += min(stays, wanted) / stays
                kept_recall += min(stays, wanted) / min(before, wanted)
            if before > after:
                deleted += 1
                deleted_precision += max(before - after - wanted, 0) / (before - after)
            if before == 0:
                added += after > 0
                addable += wanted > 0
                added_well += after > 0 and wanted > 0
        total += f1(kept_precision / max(kept, 1), kept_recall / max(keepable, 1))
        total += deleted_precision / max(deleted, 1)
        total += f1(added_well / max(added, 1), added_well / max(addable, 1))
    return total / (3 * (len(starts) - 1))
