"""What a protocol is: how an item is asked, and how an answer becomes ratings."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class RatingValue:
    """What an answer says of one output.

    Attributes:
        rank: 1 is best.
        score: 0 to 100.
        meaning_changed: whether the correction says something else than the source.
    """

    rank: int | None = None
    score: int | None = None
    meaning_changed: bool | None = None


class AnswerError(ValueError):
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
        template: the form within the annotator's page; it is given the outputs as shown and the draft.
        most_outputs: how many outputs a screen can hold.
        marks_edits: whether edits are highlighted unless the admin decides otherwise.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    template: ClassVar[str]
    most_outputs: ClassVar[int]
    marks_edits: ClassVar[bool]

    @abstractmethod
    def ratings(self, answer: Mapping[str, str], outputs: int) -> tuple[RatingValue, ...]:
        """The rating of each of the shown outputs, from the fields of the form.

        Raises:
            AnswerError: something is missing or out of range; the message says what to do.
        """

    @abstractmethod
    def fields(self, ratings: Sequence[RatingValue]) -> dict[str, str]:
        """The fields of the form that give these ratings, for an answer that is looked at again."""
