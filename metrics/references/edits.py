"""The edits of a correction: ERRANT's with an English pipeline, else those of the words."""

from collections.abc import Callable
from dataclasses import replace

from metrics.base import NotScored
from metrics.inputs import GoldEdit, Parser
from metrics.validation.coverage.word_edits import word_edits

OTHER = "R:OTHER"

Edits = Callable[[str, str], tuple[GoldEdit, ...]]
"""The edits from a source to a text, in the order of the source."""


def edits_between(parser: Parser | None) -> Edits:
    """A function from a source and a text to the edits between them.

    With a parser they are ERRANT's, typed. Without one they are those of the word alignment with the fewest
    changes, without types. Texts too long for ERRANT have the same edits, of the type R:OTHER.
    """
    if parser is None:
        return word_edits
    from metrics.edit_extraction import Extraction

    extraction = Extraction(parser)

    def edits(source: str, text: str) -> tuple[GoldEdit, ...]:
        extracted = extraction.edits(source, text)
        if isinstance(extracted, NotScored):
            return tuple(replace(edit, kind=OTHER) for edit in word_edits(source, text))
        return extracted

    return edits
