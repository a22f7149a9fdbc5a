"""An answer: a sentence, what it rests on, and a small figure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.marks import Mark, Scale, scale_of

ROWS = 4
"""Rows of a figure: the page holds four answers on one screen."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the figure of an answer.

    Attributes:
        label: what the row is about.
        value: as text.
        mark: where it stands; None if it is not drawn.
    """

    label: str
    value: str
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one question.

    Attributes:
        question: as the page asks it.
        sentence: the answer.
        further: further sentences, such as what it depends on.
        rows: of its figure.
        column: heading of the figure.
        advice: what to do next; empty if nothing is to be done.
        facts: its numbers and names for programs, as plain values.
        signatures: of the results that it rests on.
    """

    question: str
    sentence: str
    further: Sequence[str] = ()
    rows: Sequence[Row] = ()
    column: str = ""
    advice: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    signatures: Sequence[str] = ()

    @property
    def heading(self) -> str:
        """The sentence as a heading, which has no full stop."""
        return self.sentence.removesuffix(".")

    @property
    def scale(self) -> Scale | None:
        """The scale that all rows share."""
        return next((row.mark.scale for row in self.rows if row.mark), None)

    def plain(self) -> dict[str, object]:
        """The answer for programs: its facts, and the sentences that say them."""
        return {
            "question": self.question,
            "sentence": self.sentence,
            "further": list(self.further),
            "advice": self.advice,
            **self.facts,
            "signatures": list(self.signatures),
        }


def rows_on_one_scale(
    rows: Iterable[tuple[str, str, float, float | None, float | None, bool]], *, around: Sequence[float] = ()
) -> list[Row]:
    """Rows of label, text, value, lower and upper end of its interval, and whether it does not compete.

    The scale reaches from the lowest to the highest of the values and ends, and of those in `around`.
    """
    listed = list(rows)
    ends = [end for _, _, *numbers, _ in listed for end in numbers if end is not None]
    scale = scale_of([*ends, *around])
    return [
        Row(label, text, None if scale is None else Mark(scale, value, low, high, is_apart))
        for label, text, value, low, high, is_apart in listed
    ]
