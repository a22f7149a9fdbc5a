"""What a protocol is: how an item is asked, and how an answer becomes ratings."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from jobs.refusals import RefusedError


@dataclass(frozen=True, slots=True)
class RatingValue:
    """What an answer says of one output.

    Attributes:
        rank: 1 is best.
        score: 0 to 100.
        meaning_changed: whether the correction says something else than the source.
        touched: whether the annotator entered it on this screen; None where the protocol does not tell.
    """

    rank: int | None = None
    score: int | None = None
    meaning_changed: bool | None = None
    touched: bool | None = None


class AnswerError(RefusedError):
    """An answer that is not complete or not legal.

    Attributes:
        positions: the outputs at fault, as shown, counted from 0.
    """

    def __init__(self, message: str, positions: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.positions = positions


class Protocol(ABC):
    """One way to ask. Everything else in the program knows protocols by these members alone.

    Attributes:
        name: as stored and exported.
        title: as admins read it.
        template: fills the blocks of `annotate/judging/frame.html`, which says what it is given. Its controls
            state to the script what they need and which keys they take (`static/js/screen.js`).
        most_outputs: how many outputs a screen can hold.
        only_compares: whether an item with one output has nothing to ask, and is answered as *auto*.
        marks_edits: whether edits are highlighted unless the admin decides otherwise.
        separates_domains: whether nobody judges two domains on one day, unless likewise.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    template: ClassVar[str]
    most_outputs: ClassVar[int]
    only_compares: ClassVar[bool]
    marks_edits: ClassVar[bool]
    separates_domains: ClassVar[bool]

    @abstractmethod
    def incomplete(self, outputs: int) -> str:
        """What is still to do with some of so many outputs; their numbers follow."""

    @abstractmethod
    def ratings(self, answer: Mapping[str, str], outputs: int) -> tuple[RatingValue, ...]:
        """The rating of each of the shown outputs, from the fields of the form.

        Raises:
            AnswerError: something is missing or out of range; the message says what to do.
        """

    @abstractmethod
    def fields(self, ratings: Sequence[RatingValue]) -> dict[str, str]:
        """The fields of the form that give these ratings, for an answer that is looked at again."""

    @abstractmethod
    def rating(self, mark: str, outputs: int) -> RatingValue:
        """The rating that people write as `mark`, of one of so many outputs.

        Raises:
            AnswerError: it is no rating; the message says what to write.
        """

    @abstractmethod
    def mark(self, value: RatingValue) -> str:
        """A rating as people write it."""

    def missing(self, positions: Sequence[int], outputs: int) -> AnswerError:
        """That the outputs at these positions, of so many, are not rated as they should be."""
        numbers = ", ".join(str(position + 1) for position in positions)
        return AnswerError(f"{self.incomplete(outputs)}: correction {numbers}.", tuple(positions))

    @abstractmethod
    def agree(self, given: Sequence[RatingValue], expected: Sequence[RatingValue]) -> bool:
        """Whether an answer says of the same outputs what was expected."""
