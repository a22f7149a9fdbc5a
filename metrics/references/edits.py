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
    return tuple(replace(edit, kind=_kind(edit)) for edit in word_edits(source, text))


def _kind(edit: GoldEdit) -> str:
    if edit.start == edit.end:
        return "M:OTHER"
    return "R:OTHER" if edit.corrections[0] else "U:OTHER"
