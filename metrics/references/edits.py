"""The edits of a correction: ERRANT's with an English pipeline, else those of the words."""

from collections.abc import Callable
from dataclasses import replace

from metrics.base.evaluation_sets import GoldEdit, Parser
from metrics.base.metric import NotScored
from metrics.meta_evaluation.coverage.word_edits import word_edits

Edits = Callable[[str, str], tuple[GoldEdit, ...]]
"""The edits from a source to a text, in the order of the source."""


def edits_between(parser: Parser | None) -> Edits:
    """A function from a source and a text to the edits between them.

    With a parser they are ERRANT's. Without one, and for texts too long for ERRANT, they are those of the
    word alignment with the fewest changes, of the types M:OTHER, R:OTHER and U:OTHER.
    """
    if parser is None:
        return _word_edits
    from metrics.edits.edit_extraction import Extraction

    extraction = Extraction(parser)

    def edits(source: str, text: str) -> tuple[GoldEdit, ...]:
        extracted = extraction.edits(source, text)
        if isinstance(extracted, NotScored):
            return _word_edits(source, text)
        return extracted

    return edits


def _word_edits(source: str, text: str) -> tuple[GoldEdit, ...]:
    return tuple(
        replace(edit, kind=kind_of_change(edit.start, edit.end, edit.corrections[0]))
        for edit in word_edits(source, text)
    )


def kind_of_change(start: int, end: int, correction: str) -> str:
    """The type of an edit of words that is not known further: M:OTHER, R:OTHER or U:OTHER."""
    if start == end:
        return "M:OTHER"
    return "R:OTHER" if correction else "U:OTHER"
