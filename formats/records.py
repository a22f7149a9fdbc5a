"""Plain records that file readers return, with their limits and the one error that readers raise."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

SYSTEM_NAME = re.compile(r"[A-Za-z0-9._+-]+")
"""A system's name (fullmatch). The field's XML separates collapsed systems by blanks or commas."""

MAX_FILE_BYTES = 256 * 2**20
"""A file is read whole; no published test set or set of judgments comes near this size."""

MAX_LINES = 2_000_000
"""A file of bare line ends is within MAX_FILE_BYTES, yet a list of its lines would fill the memory."""

MAX_TEXT_CHARS = 20_000
"""An essay of two thousand words has up to 16,000 characters; more are a file that is not one text a line."""

MAX_NAME_CHARS = 200
"""Names (systems, annotators, documents, domains, edit types) stand in indexed columns and in headings."""

MAX_NOTE_CHARS = 2000
"""Longest note of an annotator, a few sentences; more is cut off when it is stored."""

MAX_VERDICT_CHARS = 50
"""A verdict is a word or two, which stand in an indexed column and in headings."""

MAX_SYSTEMS = 500
"""The sampling of GJG15 section 4.1 is quadratic in the systems: 34 ms a sentence at 500."""

MAX_ANNOTATORS = 500
"""An M2 file grows to annotators × sentences when the absent annotators count as "left unchanged"."""


MAX_TEXTS = 3_000_000
"""Outputs and references of a corpus, which take 250 bytes each in memory; a hundred thousand sentences of
twelve systems have 1.2 million."""


class FormatError(Exception):
    """A file that cannot be read: `path:line: cause`, or `path: cause` where no line is to blame.

    Attributes:
        path: The file at fault.
        line: Its line, counted from 1, or None for a fault of the file as a whole.
        cause: What is wrong, in words.
    """

    def __init__(self, path: Path, line: int | None, cause: str) -> None:
        super().__init__(path, line, cause)
        self.path = path
        self.line = line
        self.cause = cause

    def __str__(self) -> str:
        place = str(self.path) if self.line is None else f"{self.path}:{self.line}"
        return f"{place}: {self.cause}"


@dataclass(frozen=True, slots=True)
class Edit:
    """One correction of a span of source tokens (M2; Dahlmeier and Ng 2012).

    Attributes:
        start: First token of the span, counted from 0.
        end: Token after the last; equal to `start` for an insertion.
        kind: Error type, such as "ArtOrDet".
        corrections: Alternative corrections, the preferred one first; "" deletes the span.
        required: The field of that name, "REQUIRED" in all published files.
        comment: The annotator's comment.
    """

    start: int
    end: int
    kind: str
    corrections: tuple[str, ...]
    required: str
    comment: str


@dataclass(frozen=True, slots=True)
class Reference:
    """One annotator's correction of a sentence.

    Attributes:
        annotator: Who corrected; distinct within a sentence.
        text: The corrected sentence, stripped; may be empty.
        edits: The edits in text order, empty for "left unchanged", None where only the text is known.
    """

    annotator: str
    text: str
    edits: tuple[Edit, ...] | None


@dataclass(frozen=True, slots=True)
class SentenceRecord:
    """One source sentence with all that is known of it. All texts are stripped.

    Attributes:
        source: The sentence as written; never empty.
        outputs: Text by system; an empty text is a legal output, a missing system gave none.
        references: Corrections by annotators; who is absent at this sentence is not listed.
        document: Id of the document it stands in, "" if unknown.
        domain: Domain or genre, "" if unknown.
    """

    source: str
    outputs: Mapping[str, str]
    references: tuple[Reference, ...]
    document: str
    domain: str


@dataclass(frozen=True, slots=True)
class CorpusRecord:
    """A test set as read from files.

    Attributes:
        sentences: At least one, in the order of the files.
        systems: All systems with an output for some sentence, in the order given.
        warnings: What a lenient reading has repaired, each with file and line.
        styles: Style of an annotator's references, such as "minimal", by annotator, where it is known.
        holds_essays: Whether the sentences are whole essays, whose own sentences are not aligned.
    """

    sentences: tuple[SentenceRecord, ...]
    systems: tuple[str, ...]
    warnings: tuple[str, ...]
    styles: Mapping[str, str] = field(default_factory=dict)
    holds_essays: bool = False


@dataclass(frozen=True, slots=True)
class RankedGroup:
    """One output of a ranked item, known by the systems that produced it.

    Attributes:
        systems: Sorted names of the systems whose identical outputs were collapsed.
        rank: 1 is best; ties are allowed.
    """

    systems: tuple[str, ...]
    rank: int


@dataclass(frozen=True, slots=True)
class RankingRecord:
    """One annotator's relative ranking of one sentence.

    Attributes:
        line: Line of the file where the judgment begins.
        annotator: The annotator.
        sentence: Number of the sentence as in the file.
        groups: The outputs in the order shown; none for an item that was skipped or left empty.
        duration_ms: Time taken, in milliseconds, or None if the file does not tell.
        machine: What is known of the annotator if it is a machine (`formats.machines`); None for a person.
    """

    line: int
    annotator: str
    sentence: int
    groups: tuple[RankedGroup, ...]
    duration_ms: int | None
    machine: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class RatingRecord:
    """The rating of one output in an answer.

    Attributes:
        output: Digest of the output.
        systems: Sorted names of the systems it stands for.
        rank: 1 is best; None where the protocol asks for none.
        score: 0 to 100; None where the protocol asks for none.
        meaning_changed: Whether the correction says something else than the source; None where the protocol
            does not ask.
        touched: Whether the value was entered for this answer, or None if unknown.
        rating_details: What else the protocol keeps about the output (`formats.snapshot.answer_details`), or
            None if that is nothing.
    """

    output: str
    systems: tuple[str, ...]
    rank: int | None = None
    score: int | None = None
    meaning_changed: bool | None = None
    touched: bool | None = None
    rating_details: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """One revision of a judgment.

    Attributes:
        ratings: In the order shown; none for an item that was skipped, or whose outputs were not rated.
        number: Of the revision, from 1.
        text: The first text that was written, such as a correction, or None.
        started_at: When the item was opened, where that is known.
        submitted_at: When the answer arrived, where that is known.
        active_ms: How long it took, where that is known.
        note: Why the item was skipped, or what the annotator says about it; empty for nothing.
        further_texts: What was written after the first text.
        verdict: On the item as a whole, in a word or two, or None.
        details: What else the protocol keeps (`formats.snapshot.answer_details`), or None if that is nothing.
        opinion: one of `Opinion`, or None where the campaign shows no machine's answers.
    """

    ratings: tuple[RatingRecord, ...]
    number: int = 1
    text: str | None = None
    started_at: datetime | None = None
    submitted_at: datetime | None = None
    active_ms: int | None = None
    note: str = ""
    further_texts: tuple[str, ...] = ()
    verdict: str | None = None
    details: Mapping[str, object] | None = None
    opinion: str | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """All that was written, in order."""
        return () if self.text is None else (self.text, *self.further_texts)

    @property
    def says_more_than_ratings(self) -> bool:
        """Whether the answer holds a text, a verdict or details."""
        return self.text is not None or self.verdict is not None or bool(self.details)


@dataclass(frozen=True, slots=True)
class JudgmentRecord:
    """A judgment that fits the tables and the snapshot.

    Attributes:
        key: What tells it from the others of its file or campaign.
        protocol: How the item was asked.
        annotator: Name of the annotator.
        sentence: Position in the corpus, from 0; without texts the number in the file.
        item: Number of the item.
        repetition: Number of the judgment among those of the item.
        state: one of `JudgmentState`.
        answers: At least one, the current one last.
        marks_edits: Whether edits were marked on the screen; None if that is not known. An imported set
            has no place for it.
        annotator_number: Number of the annotator in the campaign; None if that is not known.
        propensities: How often each pair of outputs of the item is asked about, relative to ordinary
            sampling (`formats.snapshot.propensities_json`); None if it was sampled so.
        annotator_kind: "machine" (`formats.machines`), or None for a person.
        machine: What is known of a machine; None for a person.
        line: Where it begins in its file, for messages; None if it comes from no file.
    """

    key: str
    protocol: str
    annotator: str
    sentence: int
    item: int
    repetition: int
    state: str
    answers: tuple[AnswerRecord, ...]
    marks_edits: bool | None = None
    annotator_number: int | None = None
    propensities: Mapping[str, Sequence[float]] | None = None
    annotator_kind: str | None = None
    machine: Mapping[str, object] | None = None
    line: int | None = field(default=None, compare=False)

    @property
    def current(self) -> AnswerRecord:
        """The answer that counts."""
        return self.answers[-1]
