"""What a correction changes in its source, token by token: the edits to highlight (GJG15, section 4.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from rapidfuzz.distance import Levenshtein

SegmentKind = Literal["same", "insert", "delete", "substitute"]


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a highlighted correction, its tokens joined by single blanks.

    Attributes:
        kind: what became of the source here.
        text: what is displayed: tokens of the correction, or those of the source where they were deleted.
        replaced: the source's tokens that a substitution stands for; empty for the other kinds.
    """

    kind: SegmentKind
    text: str
    replaced: str = ""


def highlight(source: str, correction: str) -> tuple[Segment, ...]:
    """Align the whitespace-separated tokens of `source` and `correction` with the fewest edits.

    Unchanged and edited segments alternate: whatever lies between two unchanged stretches is one edit, a
    substitution where both sides have tokens. Two texts without tokens give no segments.

    The alignment is Levenshtein's, by a bit-parallel search that stays quick on repetitive texts where
    `difflib.SequenceMatcher` takes cubic time. A substitution costs one edit, not two, which keeps a
    rewritten phrase together rather than splitting it at a chance match.
    """
    before, after = source.split(), correction.split()
    segments = []
    for unchanged, run in groupby(Levenshtein.opcodes(before, after), key=lambda step: step.tag == "equal"):
        steps = list(run)
        old = before[steps[0].src_start : steps[-1].src_end]
        new = after[steps[0].dest_start : steps[-1].dest_end]
        segments.append(Segment("same", " ".join(new)) if unchanged else _edit(old, new))
    return tuple(segments)


def _edit(old: Sequence[str], new: Sequence[str]) -> Segment:
    if not new:
        return Segment("delete", " ".join(old))
    if not old:
        return Segment("insert", " ".join(new))
    return Segment("substitute", " ".join(new), " ".join(old))
