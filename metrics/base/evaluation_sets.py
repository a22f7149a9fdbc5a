"""Inputs of metrics as plain data: sources with references, gold edits, grammar checker and parser."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol, TypeVar

from metrics.english.parses import ParsedText

T = TypeVar("T")


class Need(StrEnum):
    """An input that a metric needs besides the sources."""

    REFERENCES = "references"
    GOLD_EDITS = "gold edits"
    CHECKER = "a grammar checker"
    PARSER = "an English pipeline"


class InputError(ValueError):
    """Inputs that do not fit together, or lack what a metric needs. The message says what to do."""


@dataclass(frozen=True, slots=True)
class GoldEdit:
    """A gold correction of a span of source tokens (M2; Dahlmeier and Ng 2012).

    Attributes:
        start: first token of the span, counted from 0.
        end: token after the last; equal to `start` for an insertion.
        corrections: alternative corrections, tokens separated by blanks, at least one; "" deletes the span.
        kind: error type, such as "R:NOUN:NUM"; "" if it is not known.
    """

    start: int
    end: int
    corrections: tuple[str, ...]
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Annotation:
    """The gold edits of one annotator who is present at a sentence.

    Attributes:
        annotator: name or number of the annotator.
        edits: in the order of the file; empty for "left unchanged".
    """

    annotator: str
    edits: tuple[GoldEdit, ...]


class EditedText(str):
    """An output with its edits, so that edit-based metrics need not extract them.

    Other metrics see only its text. Equal texts with different edits are different outputs.

    Attributes:
        edits: in the order of the source.
    """

    __slots__ = ("edits",)
    edits: tuple[GoldEdit, ...]

    def __new__(cls, text: str, edits: tuple[GoldEdit, ...]) -> "EditedText":
        """The text with its edits."""
        made = super().__new__(cls, text)
        made.edits = edits
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EditedText) and str.__eq__(self, other) and self.edits == other.edits

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((str(self), self.edits))


class Parser(Protocol):
    """Interface of an English pipeline."""

    @property
    def signature(self) -> str:
        """Name and version, such as "assay_en_ewt-1.0"."""
        ...

    def parse(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> Sequence[ParsedText]:
        """Tags, lemmas and dependencies of each text, whose tokens are separated by blanks.

        `progress` gets the number of finished texts.
        """
        ...

    def parse_ahead(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> None:
        """Parse texts that `parse` will be asked for, without holding more parses than it keeps.

        `progress` gets the number of finished texts.
        """
        ...


class EditRules(Protocol):
    """Interface of rules that find the edits of texts without parsing them."""

    @property
    def signature(self) -> str:
        """Name and version, such as "forms-1"."""
        ...

    def edits(self, source: str, text: str) -> tuple[GoldEdit, ...]:
        """The edits from the source to the text, in the order of the source."""
        ...


class Checker(Protocol):
    """Interface of a grammar checker."""

    @property
    def signature(self) -> str:
        """Name and version, such as "harper-0.2.0"."""
        ...

    def check(self, texts: Sequence[str]) -> Sequence[Mapping[str, int]]:
        """How often each text breaks each of the checker's rules."""
        ...


@dataclass(frozen=True, slots=True)
class EvaluationSet:
    """Sentences with what outputs are compared to. All texts are tokens separated by blanks.

    Attributes:
        sources: the n sentences as written.
        references: for each sentence its corrected texts, which may differ in number; None if there are none.
        annotations: for each sentence the annotators who are present; None if there are no gold edits.
        checker: a grammar checker, None if there is none.
        parser: an English pipeline, None if there is none.
        edit_rules: what finds the edits of texts in place of a parser; None if nothing does.
        tokeniser: name and version of what separated the tokens; "given" if they were given.
    """

    sources: tuple[str, ...]
    references: tuple[tuple[str, ...], ...] | None = None
    annotations: tuple[tuple[Annotation, ...], ...] | None = None
    checker: Checker | None = None
    parser: Parser | None = None
    edit_rules: EditRules | None = None
    tokeniser: str = "given"

    def __post_init__(self) -> None:
        """Raise `InputError` if the parts differ in length or an edit exceeds its sentence."""
        if not self.sources:
            raise InputError("there are no sentences")
        for name, part in (("references", self.references), ("gold edits", self.annotations)):
            if part is not None and len(part) != len(self.sources):
                raise InputError(f"{name} are of {len(part)} sentences, sources are {len(self.sources)}")
        for number, annotations in enumerate(self.annotations or (), start=1):
            _check_spans(number, len(self.sources[number - 1].split()), annotations)

    def of(self, sentences: Sequence[int]) -> "EvaluationSet":
        """These sentences alone, in this order."""

        def chosen(part: tuple[T, ...]) -> tuple[T, ...]:
            return tuple(part[sentence] for sentence in sentences)

        return replace(
            self,
            sources=chosen(self.sources),
            references=None if self.references is None else chosen(self.references),
            annotations=None if self.annotations is None else chosen(self.annotations),
        )

    @property
    def parts(self) -> dict[Need, bool]:
        """The available inputs."""
        return {
            Need.REFERENCES: self.references is not None,
            Need.GOLD_EDITS: self.annotations is not None,
            Need.CHECKER: self.checker is not None,
            Need.PARSER: self.parser is not None or self.edit_rules is not None,
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
