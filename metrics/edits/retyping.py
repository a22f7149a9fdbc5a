"""Edits that are known, with ERRANT's types and spans (ERRANT's `m2_to_m2`)."""

from collections.abc import Sequence

from metrics.base.evaluation_sets import GoldEdit, Parser
from metrics.base.metric import NotScored
from metrics.edits.edit_sources import MARKS, corrected_words
from metrics.edits.errant_edits import ErrantEdits


def retyped(
    words: Sequence[str], edits: Sequence[GoldEdit], extractor: ErrantEdits, parser: Parser, *, extract: bool
) -> tuple[GoldEdit, ...] | NotScored:
    """The edits of one annotator with ERRANT's types, in the order of the text.

    Edits that only mark an error ("UNK", "Um") keep span and correction, and have the type "UNK".

    Args:
        words: of the source.
        edits: with one correction each; others are left out.
        extractor: extractor of edits.
        parser: an English pipeline.
        extract: whether spans are extracted again from the texts (ERRANT's -auto); otherwise they stay,
            except for equal words at their ends (-gold).
    """
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    applied = [edit for edit in ordered if edit.kind not in MARKS]
    source, target = parser.parse([" ".join(words), " ".join(corrected_words(words, applied))])
    before, after = extractor.prepare(source), extractor.prepare(target)
    typed: list[GoldEdit] = []
    offset = 0
    for edit in ordered:
        first = edit.start + offset
        if edit.kind in MARKS:
            spans = edit.start, edit.end, first, edit.end + offset
            mark = extractor.typed(before, after, spans, minimal=False)
            typed.append(GoldEdit(edit.start, edit.end, edit.corrections[:1], mark.kind))
            continue
        size = len(edit.corrections[0].split())
        if not extract:
            spans = edit.start, edit.end, first, first + size
            typed.append(extractor.typed(before, after, spans, minimal=True))
        offset += size - (edit.end - edit.start)
    if extract:
        extracted = extractor.edits(before, after)
        if isinstance(extracted, NotScored):
            return extracted
        typed = sorted([*typed, *extracted], key=lambda edit: (edit.start, edit.end))
    return tuple(typed)
