"""The edits of a correction to highlight (GJG15, section 4.2).

Edits are found token by token, or are those that a job has found by ERRANT and labelled with their types.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, NamedTuple

from rapidfuzz.distance import Levenshtein

from formats.text.by_character import as_characters
from formats.text.natural import TextRules, glued

SegmentKind = Literal["same", "insert", "delete", "substitute"]


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment of a highlighted correction.

    Attributes:
        kind: how the source was changed here.
        text: the displayed tokens: those of the correction, or deleted tokens of the source.
        replaced: the source's tokens that a substitution stands for; empty for the other kinds.
        label: ERRANT's type of the edit, such as "R:PREP"; empty where it is not known.
        is_glued: whether no blank separates it from the segment before it.
    """

    kind: SegmentKind
    text: str
    replaced: str = ""
    label: str = ""
    is_glued: bool = False


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


class _Step(NamedTuple):
    """A stretch of the source's tokens that becomes one of the correction's, by an edit or unchanged."""

    start: int
    end: int
    start_after: int
    end_after: int
    is_edit: bool
    label: str = ""


def highlight(source: str, correction: str, rules: TextRules | None = None) -> tuple[Segment, ...]:
    """Align the whitespace-separated tokens of `source` and `correction` with the fewest edits.

    Unchanged and edited segments alternate: everything between two unchanged stretches is one edit, a
    substitution where both sides have tokens. Two texts without tokens give no segments.

    The alignment is Levenshtein's, by a bit-parallel search that stays quick on repetitive texts where
    `difflib.SequenceMatcher` takes cubic time. A substitution costs one edit, not two, which keeps a
    rewritten phrase together rather than splitting it at a chance match.

    Edits are those of the tokens. By `rules`, the segments are natural text; else, blanks separate tokens. In
    running text of scripts without blanks between words, each character is a token.
    """
    before, after, rules = _tokens(source, correction, rules)
    steps = []
    for unchanged, run in groupby(Levenshtein.opcodes(before, after), key=lambda step: step.tag == "equal"):
        parts = list(run)
        first, last = parts[0], parts[-1]
        steps.append(_Step(first.src_start, last.src_end, first.dest_start, last.dest_end, not unchanged))
    return _segments(before, after, steps, rules)


def _tokens(
    source: str, correction: str, rules: TextRules | None
) -> tuple[list[str], list[str], TextRules | None]:
    """The tokens of both texts, and the rules by which they are written."""
    if rules is None:
        before, after = as_characters(source), as_characters(correction)
        if before is not None and after is not None:
            return before, after, TextRules.UNSPACED
    return source.split(), correction.split(), rules


def highlight_labelled(
    source: str, correction: str, edits: Sequence[LabelledEdit], rules: TextRules | None = None
) -> tuple[Segment, ...]:
    """Segments of the correction with its edits highlighted, each with its label; edits are in text order.

    Where they do not lead from the source to the correction, which is so for texts that are too long for
    ERRANT, it is highlighted without labels.
    """
    before = source.split()
    after: list[str] = []
    steps: list[_Step] = []

    def append(start: int, end: int, tokens: Sequence[str], *, is_edit: bool, label: str = "") -> None:
        steps.append(_Step(start, end, len(after), len(after) + len(tokens), is_edit, label))
        after.extend(tokens)

    position = 0
    for edit in edits:
        if edit.start > position:
            append(position, edit.start, before[position : edit.start], is_edit=False)
        append(edit.start, edit.end, edit.correction.split(), is_edit=True, label=edit.type)
        position = max(position, edit.end)
    if position < len(before):
        append(position, len(before), before[position:], is_edit=False)
    if after != correction.split():
        return highlight(source, correction, rules)
    return _segments(before, after, steps, rules)


def _segments(
    before: Sequence[str], after: Sequence[str], steps: Sequence[_Step], rules: TextRules | None
) -> tuple[Segment, ...]:
    old, new = _Spacing(before, rules), _Spacing(after, rules)
    segments: list[Segment] = []
    for step in steps:
        text = new.text(step.start_after, step.end_after)
        is_glued = new.is_glued(step.start_after)
        if segments and segments[-1].kind == "delete" and not is_glued:
            # What is deleted stands where the source has it, with a blank on one side of it at least.
            is_glued = old.is_glued(step.start) and not segments[-1].is_glued
        if not step.is_edit:
            segments.append(Segment("same", text, is_glued=is_glued))
            continue
        gone = old.text(step.start, step.end)
        if text:
            kind: SegmentKind = "substitute" if gone else "insert"
            segments.append(Segment(kind, text, gone, step.label, is_glued))
        elif is_glued and 0 < step.start_after < len(after):
            # The blanks go with it.
            left = "" if old.is_glued(step.start) else " "
            right = "" if old.is_glued(step.end) else " "
            segments.append(Segment("delete", f"{left}{gone}{right}", "", step.label, is_glued=True))
        else:
            segments.append(Segment("delete", gone, "", step.label, old.is_glued(step.start)))
    return tuple(segments)


class _Spacing:
    """Tokens with the blanks that are written between them."""

    def __init__(self, tokens: Sequence[str], rules: TextRules | None) -> None:
        self._tokens = tokens
        self._glued = glued(tokens, rules) if rules else (False,) * len(tokens)

    def is_glued(self, place: int) -> bool:
        """Whether no blank stands before this place."""
        return place < len(self._glued) and self._glued[place]

    def text(self, start: int, end: int) -> str:
        """The tokens from one place to before another."""
        return "".join(
            self._tokens[place] if place == start or self._glued[place] else f" {self._tokens[place]}"
            for place in range(start, end)
        )
