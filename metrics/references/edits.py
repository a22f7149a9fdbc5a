"""The edits of a correction: ERRANT's with an English pipeline, else by the form of the words."""

from collections.abc import Callable

from metrics.base.evaluation_sets import GoldEdit, Parser
from metrics.base.metric import NotScored

Edits = Callable[[str, str], tuple[GoldEdit, ...]]
"""The edits from a source to a text, in the order of the source."""


def edits_between(parser: Parser | None) -> Edits:
    """A function from a source and a text to the edits between them.

    With a parser they are ERRANT's. Without one, and for texts too long for ERRANT, they are those of the
    fewest changed words, with types by their form (`metrics.edits.form_edits`).
    """
    if parser is None:
        return _form_edits
    from metrics.edits.edit_extraction import Extraction

    extraction = Extraction(parser)

    def edits(source: str, text: str) -> tuple[GoldEdit, ...]:
        extracted = extraction.edits(source, text)
        if isinstance(extracted, NotScored):
            return _form_edits(source, text)
        return extracted

    return edits


def _form_edits(source: str, text: str) -> tuple[GoldEdit, ...]:
    from metrics.edits.form_edits import FormEdits

    return FormEdits().edits(source, text)


def kind_of_change(start: int, end: int, correction: str) -> str:
    """The type of an edit of words that is not known further: M:OTHER, R:OTHER or U:OTHER."""
    if start == end:
        return "M:OTHER"
    return "R:OTHER" if correction else "U:OTHER"
