"""The edits of a correction to highlight (GJG15, section 4.2).

Edits are found token by token, or are those that a job has found by ERRANT and labelled with their types.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal, NamedTuple

from rapidfuzz.distance import Levenshtein

SegmentKind = Literal["same", "insert", "delete", "substitute"]


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment of a highlighted correction, its tokens joined by single spaces.

    Attributes:
        kind: how the source was changed here.
        text: the displayed tokens: those of the correction, or deleted tokens of the source.
        replaced: the source's tokens that a substitution stands for; empty for the other kinds.
        label: ERRANT's type of the edit, such as "R:PREP"; empty where it is not known.
    """

    kind: SegmentKind
    text: str
    replaced: str = ""
    label: str = ""


class LabelledEdit(NamedTuple):
    """An edit of a source with ERRANT's type.

    Attributes:
        start: first of the source's tokens that it replaces, counted from 0.
        end: token after the last; equal to `start` for an insertion.
        type: such as "R:PREP".
        correction: what stands there instead, tokens separated by blanks.
    """

    start: int
    end: int
    type: str
    correction: str


def highlight(source: str, correction: str) -> tuple[Segment, ...]:
    """Align the whitespace-separated tokens of `source` and `correction` with the fewest edits.

    Unchanged and edited segments alternate: everything between two unchanged stretches is one edit, a
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
        segments.append(_same(new) if unchanged else _edit(old, new))
    return tuple(segments)


def highlight_labelled(source: str, correction: str, edits: Sequence[LabelledEdit]) -> tuple[Segment, ...]:
    """Segments of the correction with its edits highlighted, each with its label; edits are in text order.

    Where they do not lead from the source to the correction, which is so for texts that are too long for
    ERRANT, it is highlighted without labels.
    """
    before = source.split()
    segments: list[Segment] = []
    position = 0
    for edit in edits:
        if edit.start > position:
            segments.append(_same(before[position : edit.start]))
        segment = _edit(before[edit.start : edit.end], edit.correction.split())
        segments.append(replace(segment, label=edit.type))
        position = max(position, edit.end)
    if position < len(before):
        segments.append(_same(before[position:]))
    result = " ".join(segment.text for segment in segments if segment.kind != "delete")
    return tuple(segments) if result.split() == correction.split() else highlight(source, correction)


def _same(tokens: Sequence[str]) -> Segment:
    return Segment("same", " ".join(tokens))


def _edit(old: Sequence[str], new: Sequence[str]) -> Segment:
    if not new:
        return Segment("delete", " ".join(old))
    if not old:
        return Segment("insert", " ".join(new))
    return Segment("substitute", " ".join(new), " ".join(old))
