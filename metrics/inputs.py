"""What metrics score against: sources with references, gold edits and a grammar checker, as plain data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Need(StrEnum):
    """What a metric needs besides the sources."""

    REFERENCES = "references"
    GOLD_EDITS = "gold edits"
    CHECKER = "a grammar checker"


class InputError(ValueError):
    """Inputs that do not fit together, or lack what a metric needs. The message says what to do."""


@dataclass(frozen=True, slots=True)
class GoldEdit:
    """A gold correction of a span of source tokens (M2; Dahlmeier and Ng 2012).

    Attributes:
        start: first token of the span, counted from 0.
        end: token after the last; equal to `start` for an insertion.
        corrections: alternative corrections, tokens separated by blanks, at least one; "" deletes the span.
    """

    start: int
    end: int
    corrections: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Annotation:
    """The gold edits of one annotator who is present at a sentence.

    Attributes:
        annotator: name or number of the annotator.
        edits: in the order of the file; empty for "left unchanged".
    """

    annotator: str
    edits: tuple[GoldEdit, ...]


class Checker(Protocol):
    """A grammar checker that is handed in."""

    @property
    def signature(self) -> str:
        """Name and version, such as "harper-0.2.0"."""
        ...

    def check(self, texts: Sequence[str]) -> Sequence[Mapping[str, int]]:
        """For each text how often each of the checker's rules is broken."""
        ...


@dataclass(frozen=True, slots=True)
class EvaluationSet:
    """Sentences and what outputs are compared with. All texts are tokens separated by blanks.

    Attributes:
        sources: the n sentences as written.
        references: for each sentence its corrected texts, which may differ in number; None if there are none.
        annotations: for each sentence the annotators who are present; None if there are no gold edits.
        checker: a grammar checker, None if there is none.
    """

    sources: tuple[str, ...]
    references: tuple[tuple[str, ...], ...] | None = None
    annotations: tuple[tuple[Annotation, ...], ...] | None = None
    checker: Checker | None = None

    def __post_init__(self) -> None:
        """Raise `InputError` where the parts differ in length or an edit leaves its sentence."""
        if not self.sources:
            raise InputError("there are no sentences")
        for name, part in (("references", self.references), ("gold edits", self.annotations)):
            if part is not None and len(part) != len(self.sources):
                raise InputError(f"{name} are of {len(part)} sentences, sources are {len(self.sources)}")
        for number, annotations in enumerate(self.annotations or (), start=1):
            _check_spans(number, len(self.sources[number - 1].split()), annotations)

    @property
    def parts(self) -> dict[Need, bool]:
        """What is there."""
        return {
            Need.REFERENCES: self.references is not None,
            Need.GOLD_EDITS: self.annotations is not None,
            Need.CHECKER: self.checker is not None,
        }


def required_references(data: EvaluationSet) -> tuple[tuple[str, ...], ...]:
    """The references of each sentence; raises `InputError` if there are none."""
    if data.references is None:
        raise InputError("this metric needs references")
    return data.references


def required_annotations(data: EvaluationSet) -> tuple[tuple[Annotation, ...], ...]:
    """The gold edits of each sentence; raises `InputError` if there are none."""
    if data.annotations is None:
        raise InputError("this metric needs gold edits")
    return data.annotations


def required_checker(data: EvaluationSet) -> Checker:
    """The grammar checker; raises `InputError` if there is none."""
    if data.checker is None:
        raise InputError("this metric needs a grammar checker")
    return data.checker


def _check_spans(number: int, tokens: int, annotations: Sequence[Annotation]) -> None:
    for annotation in annotations:
        for edit in annotation.edits:
            if not 0 <= edit.start <= edit.end <= tokens:
                raise InputError(
                    f"sentence {number}: the edit {edit.start} {edit.end} of annotator "
                    f"{annotation.annotator!r} leaves the sentence of {tokens} tokens"
                )
            if not edit.corrections:
                raise InputError(f"sentence {number}: the edit {edit.start} {edit.end} has no correction")
