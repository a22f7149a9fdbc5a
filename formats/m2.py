"""The M2 format: tokenised source sentences with edits by one or several annotators.

    S What is genetic risk ?
    A 3 4|||Wci|||risks||hazards|||REQUIRED|||-NONE-|||0
    A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

Dahlmeier and Ng 2012, "Better Evaluation for Grammatical Error Correction"; CoNLL-2014 release 3.2. An A line
holds span, error type, corrections separated by "||", "REQUIRED", comment and annotator.
"""

from bisect import bisect
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from formats.records import MAX_ANNOTATORS, Edit, FormatError, Reference
from formats.text.checks import (
    Place,
    check_texts,
    checked_name,
    checked_source,
    checked_text,
    quoted,
    whole_number,
)
from formats.text.lines import read_lines

Absent = Literal["auto", "absent", "unchanged"]
"""Meaning of a missing A line of an annotator at a sentence: absent there, or left it unchanged."""


MAX_ANNOTATOR_ID = 999_999_999
"""The largest annotator that is a number: official tools take numbers, and count from 0."""


@dataclass(frozen=True, slots=True)
class M2Sentence:
    """One sentence of an M2 file.

    Attributes:
        place: Where its S line stands.
        tokens: The source tokens.
        references: One for each annotator who is present, in the file's order of annotators.
    """

    place: Place
    tokens: tuple[str, ...]
    references: tuple[Reference, ...]


@dataclass(frozen=True, slots=True)
class M2File:
    """An M2 file as read.

    Attributes:
        sentences: At least one.
        annotators: All annotators of the file, "2" before "10".
        warnings: What a lenient reading has repaired, each with file and line, and doubtful readings of
            absent annotators.
    """

    sentences: tuple[M2Sentence, ...]
    annotators: tuple[str, ...]
    warnings: tuple[str, ...]

    def corrected_by(self, annotator: str) -> list[str]:
        """All sentences with the annotator's edits applied; unchanged where the annotator is absent.

        Raises:
            FormatError: the file has no such annotator; those that it has are named.
        """
        if annotator not in self.annotators:
            names = ", ".join(self.annotators) or "none"
            cause = f"no annotator {quoted(annotator)}; the annotators of this file: {names}"
            raise FormatError(self.sentences[0].place.path, None, cause)
        return [_corrected_by(annotator, sentence) for sentence in self.sentences]


def _corrected_by(annotator: str, sentence: M2Sentence) -> str:
    for reference in sentence.references:
        if reference.annotator == annotator:
            return reference.text
    return " ".join(sentence.tokens)


def read_m2(path: Path, *, absent: Absent = "auto", lenient: bool = False) -> M2File:
    """Read an M2 file.

    `noop` marks an annotator as present; "-NONE-" or nothing as correction deletes the span; the text of a
    reference takes the first of several corrections; insertions at one position keep the order of the file.

    Args:
        path: The file.
        absent: What it means that an annotator has no A line at a sentence: "absent", "unchanged", or "auto",
            which is "absent" in a file of several annotators and "unchanged" in a file of one. A file without
            any A line is one annotator "0" who left all unchanged (no annotator under "absent").
        lenient: Clip spans to the sentence, drop the later of two overlapping edits, and drop `noop` beside
            edits, with a warning, where a strict reading stops.

    Raises:
        FormatError: anything else than blank, S and A lines in their order; wrong number of fields; a span
            that is no pair of numbers, runs backwards or leaves the sentence; overlapping edits of one
            annotator, or `noop` beside them; an annotator above MAX_ANNOTATOR_ID; more than
            MAX_TEXTS references; and all faults of `read_text` and of single texts and names.
    """
    repairs = _Repairs(lenient)
    blocks = [_read_block(lines, repairs) for lines in _paragraphs(path)]
    if not blocks:
        raise FormatError(path, None, "the file contains no sentence")
    named = {name for block in blocks for name in block.edits}
    annotators = sorted(named, key=lambda name: (len(name), name))
    if len(annotators) > MAX_ANNOTATORS:
        raise FormatError(path, None, f"{len(annotators)} annotators, at most {MAX_ANNOTATORS} are allowed")
    if not annotators and absent != "absent":
        annotators = ["0"]
    fill = absent == "unchanged" or (absent == "auto" and len(annotators) == 1)
    check_texts(
        len(blocks) * len(annotators) if fill else sum(len(block.edits) for block in blocks), Place(path)
    )
    sentences = tuple(block.sentence(annotators, fill) for block in blocks)
    warnings = [*repairs.warnings, *_doubtful_absence(path, blocks, annotators, fill)]
    return M2File(sentences, tuple(annotators), tuple(warnings))


def _doubtful_absence(
    path: Path, blocks: Sequence["_Block"], annotators: Sequence[str], fill: bool
) -> Iterator[str]:
    """Warnings where the chosen meaning of absence is unlikely, in a file of several annotators."""
    if len(annotators) <= 1:
        return
    if not fill:
        if without := sum(not block.edits for block in blocks):
            yield f"{path}: {without:,} of {len(blocks):,} sentences have no annotator, so no reference"
        return
    seen = Counter(name for block in blocks for name in block.edits)
    for name in annotators:
        if 2 * seen[name] < len(blocks):
            yield (
                f"{path}: annotator {quoted(name)} has lines at {seen[name]:,} of {len(blocks):,} sentences; "
                "the others count as left unchanged"
            )


def _corrected_tokens(tokens: Sequence[str], edits: Sequence[Edit]) -> list[str]:
    """The tokens after applying non-overlapping edits in text order, each with its first correction."""
    corrected: list[str] = []
    position = 0
    for edit in edits:
        corrected += tokens[position : edit.start]
        corrected += edit.corrections[0].split()
        position = edit.end
    corrected += tokens[position:]
    return corrected


@dataclass(slots=True)
class _Repairs:
    """Raises a fault, or in a lenient reading notes how it was repaired."""

    lenient: bool
    warnings: list[str] = field(default_factory=list)

    def need(self, fault: FormatError, remedy: str) -> None:
        if not self.lenient:
            raise fault
        self.warnings.append(f"{fault}; {remedy}")


@dataclass(slots=True)
class _Block:
    """A sentence with the edits of those annotators who have A lines; edits sorted by span, then by line.

    `unchanged_by` are the annotators who have a `noop` line.
    """

    place: Place
    tokens: tuple[str, ...]
    edits: dict[str, list[Edit]] = field(default_factory=dict)
    unchanged_by: set[str] = field(default_factory=set)

    def add(self, edit: Edit, annotator: str, place: Place, repairs: _Repairs) -> None:
        edits = self.edits[annotator]
        position = bisect(edits, (edit.start, edit.end), key=lambda other: (other.start, other.end))
        # The edits so far do not overlap, so that only the neighbours can overlap with the new one.
        for other in edits[max(position - 1, 0) : position + 1]:
            if other.start < edit.end and edit.start < other.end:
                fault = place.fault(
                    f"edit {edit.start} {edit.end} overlaps with edit {other.start} {other.end} "
                    f"of the same annotator {quoted(annotator)}"
                )
                repairs.need(fault, "dropped")
                return
        edits.insert(position, edit)

    def check_noop(self, annotator: str, place: Place, repairs: _Repairs) -> None:
        """Refuse, or drop, `noop` of an annotator who has edits too."""
        if annotator in self.unchanged_by and self.edits[annotator]:
            fault = place.fault(
                f"noop (left unchanged) and an edit by the same annotator {quoted(annotator)} at one sentence"
            )
            repairs.need(fault, "noop dropped")
            self.unchanged_by.remove(annotator)

    def sentence(self, annotators: Sequence[str], fill: bool) -> M2Sentence:
        present = annotators if fill else [name for name in annotators if name in self.edits]
        references = tuple(self._reference(name) for name in present)
        return M2Sentence(self.place, self.tokens, references)

    def _reference(self, annotator: str) -> Reference:
        edits = tuple(self.edits.get(annotator, ()))
        text = " ".join(_corrected_tokens(self.tokens, edits))
        return Reference(annotator, checked_text(text, self.place, "the corrected sentence"), edits)


def _paragraphs(path: Path) -> Iterator[list[tuple[Place, str]]]:
    paragraph: list[tuple[Place, str]] = []
    for place, line in read_lines(path):
        if line.strip():
            paragraph.append((place, line))
        elif paragraph:
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph


def _read_block(lines: list[tuple[Place, str]], repairs: _Repairs) -> _Block:
    place, first = lines[0]
    if _letter(first, place) == "A":
        raise place.fault("an A line before the S line of its sentence")
    block = _Block(place, tuple(checked_source(first[1:], place).split()))
    for place, line in lines[1:]:
        if _letter(line, place) == "S":
            raise place.fault("a second S line without a blank line before it")
        _read_annotation(line, place, block, repairs)
    return block


def _letter(line: str, place: Place) -> str:
    letter = line.split(maxsplit=1)[0]
    if letter in ("S", "A") and line.startswith(letter):
        return letter
    raise place.fault(f"neither an S line nor an A line nor blank: {quoted(line)}")


def _read_annotation(line: str, place: Place, block: _Block, repairs: _Repairs) -> None:
    fields = checked_text(line[1:], place, "the A line").split("|||")
    if len(fields) != 6:
        raise place.fault(f"an A line has 6 fields separated by '|||', this one has {len(fields)}")
    span, kind, corrections, required, comment, name = (text.strip() for text in fields)
    if "||" in kind + required + comment:
        raise place.fault("'||' outside the corrections")
    annotator = checked_name(name, place, "the annotator")
    if annotator.isdecimal() and int(annotator) > MAX_ANNOTATOR_ID:
        raise place.fault(f"annotator {quoted(annotator)}: the largest number is {MAX_ANNOTATOR_ID:,}")
    if kind:
        checked_name(kind, place, "the error type")
    start, end = _span(span, place)
    block.edits.setdefault(annotator, [])
    if kind == "noop":
        if (start, end) != (-1, -1):
            raise place.fault(f"the span of noop is -1 -1, not {start} {end}")
        block.unchanged_by.add(annotator)
        block.check_noop(annotator, place, repairs)
        return
    alternatives = tuple(_correction(text) for text in corrections.split("||"))
    edit = Edit(start, end, kind, alternatives, required, comment)
    block.add(_clipped(edit, len(block.tokens), place, repairs), annotator, place, repairs)
    block.check_noop(annotator, place, repairs)


def _span(text: str, place: Place) -> tuple[int, int]:
    bounds = [whole_number(bound, place, "a bound of the span") for bound in text.split()]
    if len(bounds) != 2:
        raise place.fault(f"a span is two numbers, not {quoted(text)}")
    start, end = bounds
    if start > end:
        raise place.fault(f"the span {start} {end} is backwards")
    return start, end


def _correction(text: str) -> str:
    stripped = text.strip()
    return "" if stripped == "-NONE-" else stripped


def _clipped(edit: Edit, length: int, place: Place, repairs: _Repairs) -> Edit:
    if edit.start >= 0 and edit.end <= length:
        return edit
    start, end = (min(max(bound, 0), length) for bound in (edit.start, edit.end))
    fault = place.fault(f"the span {edit.start} {edit.end} is outside the sentence of {length} tokens")
    repairs.need(fault, f"clipped to {start} {end}")
    return replace(edit, start=start, end=end)
