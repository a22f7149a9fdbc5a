"""Error spans with a score (ESA): errors are marked in the outputs, then each gets a score from 0 to 100."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from annotate.design.protocols.base import Answer, AnswerError, Practisable, Prepared, Question, RatingValue
from annotate.design.protocols.defaults import Defaults, guidelines_template
from core.parameters import ParameterError, parameter
from core.translations import gettext, translatable
from formats.snapshot.answer_details import Details, json_text
from formats.snapshot.vocabulary import AnswerKind, ProtocolName
from formats.spans.error_spans import Severity
from formats.spans.marked_errors import (
    MISSING,
    MOST_TYPE_CHARS,
    SPAN_SCORE,
    SPANS,
    STATUSES,
    Mark,
    MarkedErrors,
    MarksError,
    marked_errors,
    marked_in_text,
)
from formats.spans.suggested_marks import beside_suggested, without_statuses
from formats.text.characters import is_visible, name_fault
from formats.text.natural import TextRules, hidden_blanks

NEAR = 20
"""Largest difference of two scores of a practice item that counts as agreement, as in the tutorial of ESA."""

CLOSE = 3
"""How many characters the ends of a span of a practice item may be away, as in the tutorial of ESA."""

MOST_TYPES = 20
MOST_ANCHOR_CHARS = 80

USUAL_ANCHORS = "\n".join(
    (
        translatable("0 unintelligible, or another meaning"),
        translatable("33 several errors, or the meaning partly lost"),
        translatable("66 understandable, a few errors"),
        translatable("100 no errors, and the same meaning"),
    )
)

_ANCHOR = re.compile("(100|[0-9]{1,2}) +(.+)")
_MARK = re.compile(r"(minor|major) +(?:(missing)|[“\"]([^”\"]+)[”\"])(?: +([1-9][0-9]?))?")


@dataclass(frozen=True, slots=True)
class Anchor:
    """What a score means: a point of the slider with its words."""

    score: int
    words: str


@dataclass(frozen=True, slots=True)
class ErrorSpansOptions:
    """Options of a campaign. Attributes: see each parameter's help."""

    anchors: str = parameter(
        USUAL_ANCHORS,
        label="Anchors of the score",
        help="One a line: a number from 0 to 100 and what it means. They stand below the slider.",
        lines=4,
    )
    types: str = parameter(
        "",
        label="Types of errors",
        help=f"One a line, at most {MOST_TYPES}. Annotators may choose one for each mark.",
        lines=3,
    )
    marks_missing: bool = parameter(
        True,
        label="Offer “missing”",
        help="For what the sentence says and the correction lacks. It has a severity like any other mark.",
    )
    marks_below: int = parameter(
        0,
        minimum=0,
        maximum=100,
        label="Marks required below a score of",
        help="An output with a lower score needs a mark. 66 fits the usual anchors; 0 requires none.",
    )

    def __post_init__(self) -> None:
        """Raises `ParameterError` for anchors and types that cannot be shown."""
        faults = {"anchors": _anchors_fault(_lines(self.anchors)), "types": _types_fault(self.each_type)}
        if any(faults.values()):
            raise ParameterError(faults={name: fault for name, fault in faults.items() if fault})

    @property
    def each_anchor(self) -> tuple[Anchor, ...]:
        """The anchors from the lowest to the highest."""
        found = (part for line in _lines(self.anchors) if (part := _ANCHOR.fullmatch(line)))
        return tuple(sorted((Anchor(int(part[1]), part[2]) for part in found), key=lambda each: each.score))

    @property
    def each_type(self) -> tuple[str, ...]:
        """The types in order."""
        return _lines(self.types)


class ErrorSpans(Practisable):
    """Mark errors with their severity, then score each output from 0 to 100 (ESA, Kocmi et al. 2024).

    With several outputs on a screen it is contrastive ESA. The score of a rating is that of the slider; its
    details have the marks, and their weights as a span score, which analyses can compare outputs by, too.
    """

    name = ProtocolName.ERROR_SPANS.value
    title = "Error spans with a score (ESA)"
    purpose = (
        "Annotators mark what is wrong in each correction, as a minor or a major error, and score it from 0 "
        "to 100. To see what is wrong, where, and how good systems are."
    )
    task = translatable(
        "You read sentences, mark what is wrong in corrections of them, and score these from 0 to 100."
    )
    gives = AnswerKind.SPANS
    template = "annotate/protocols/error_spans.html"
    least_outputs = 1
    most_outputs = 5
    least_systems = 1
    auto_answer = None
    options = ErrorSpansOptions
    defaults = Defaults(outputs_per_screen=1, annotators_per_item=2, shared_percent=30)
    not_for_essays = "It marks errors in a sentence of one line."
    guidelines = guidelines_template(name)
    scripts = ("js/scale.js", "js/spans.js")
    styles = ("css/outputs.css", "css/scalars.css", "css/spans.css")
    words = (*Severity, *STATUSES)
    suggests = "marks"

    def compared_by(self, options: ErrorSpansOptions) -> Sequence[str]:
        """The sum of the weights of marks."""
        return (SPAN_SCORE,)

    def answer(self, fields: Mapping[str, str], question: Question) -> Answer:
        """Fields `score-0`, `spans-0`, and so on.

        `spans-0` is JSON as in `formats.spans.marked_errors`, offsets counting code points of the stored
        output; empty for no marks. What became of suggested marks is told by comparing, whatever it says.
        """
        options: ErrorSpansOptions = question.options
        ratings, unset, unmarked = [], [], []
        for position in range(question.outputs):
            score = _score(fields.get(f"score-{position}", ""))
            marked = _marked(fields.get(f"spans-{position}", ""), position, question)
            if score is None:
                unset.append(position)
                continue
            if score < options.marks_below and not (marked.spans or marked.missing):
                unmarked.append(position)
            ratings.append(RatingValue(score=score, rating_details=marked.details()))
        if unset:
            raise self.missing(unset, question.outputs)
        if unmarked:
            numbers = ", ".join(str(position + 1) for position in unmarked)
            raise AnswerError(
                gettext("Mark what is wrong in correction %(numbers)s: scores below %(score)s need it.")
                % {"numbers": numbers, "score": options.marks_below},
                tuple(unmarked),
            )
        return Answer(tuple(ratings))

    def fields(self, answer: Answer) -> dict[str, str]:
        """Scores and marks."""
        fields: dict[str, str] = {}
        for position, rating in enumerate(answer.ratings):
            marked = _stored(rating)
            fields[f"score-{position}"] = str(rating.score)
            if marked.spans or marked.missing or marked.suggested is not None:
                fields[f"spans-{position}"] = _as_field(marked)
        return fields

    def suggestion(self, content: Mapping[str, object], text: str, options: ErrorSpansOptions) -> Details:
        """Marks: `spans`, and `missing` with one mark at most, as in `formats.spans.marked_errors`."""
        try:
            if unknown := sorted(set(content) - {SPANS, MISSING}):
                raise MarksError(f"unknown key {unknown[0]!r}; known are {SPANS} and {MISSING}")
            if SPANS not in content:
                raise MarksError("there is no list of spans")
            marked = marked_errors(content, length=len(text), types=options.each_type)
            if len(marked.missing) > 1:
                raise MarksError(f"{len(marked.missing)} {MISSING}, where a screen has room for one")
            if any(mark.status for mark in (*marked.spans, *marked.missing)):
                raise MarksError("a suggested mark has no status")
            if fault := _fault(marked, options):
                raise MarksError(fault)
        except MarksError as error:
            raise AnswerError(str(error)) from error
        return _lists(marked)

    def begins_with(self, prepared: Sequence[Prepared]) -> dict[str, str]:
        """The suggested marks."""
        return {
            f"spans-{position}": json_text(marks)
            for position, marks in enumerate(prepared)
            if marks is not None
        }

    def prepared_as_shown(self, prepared: Prepared, text: str, rules: TextRules | None) -> Prepared:
        """Suggested marks by their places in the natural text."""
        if prepared is None or rules is None:
            return prepared
        marked, blanks = marked_errors(prepared), hidden_blanks(text, rules)
        spans = tuple(_in_shown(mark, blanks) for mark in marked.spans)
        return _lists(replace(marked, spans=tuple(mark for mark in spans if mark.start != mark.end)))

    def fields_of_shown(self, fields: Mapping[str, str], question: Question) -> Mapping[str, str]:
        """Offsets in natural text become those of the stored text."""
        if question.rules is None:
            return fields
        stored = dict(fields)
        for position, text in enumerate(question.texts):
            marked = _marked_in(fields.get(f"spans-{position}", ""), position)
            blanks = hidden_blanks(text, question.rules)
            spans = tuple(_in_stored(mark, blanks) for mark in marked.spans)
            stored[f"spans-{position}"] = _as_field(replace(marked, spans=spans))
        return stored

    def expected(self, marks: Sequence[str], options: ErrorSpansOptions) -> Answer:
        """A score without words that are marked, which need the texts."""
        return self.expected_for([""] * len(marks), marks, options)

    def expected_for(self, texts: Sequence[str], marks: Sequence[str], options: ErrorSpansOptions) -> Answer:
        """A score, then marks, as in `70, minor “go” 2, major missing`, where 2 is the second “go”."""
        return Answer(tuple(_expected(mark, text) for mark, text in zip(marks, texts, strict=True)))

    def marks(self, answer: Answer) -> Sequence[str]:
        """The score and the marks of each output, by their places."""
        return self.marks_for([""] * len(answer.ratings), answer)

    def marks_for(self, texts: Sequence[str], answer: Answer) -> Sequence[str]:
        """The score and the marks of each output, by their words."""
        return [
            ", ".join([str(rating.score), *_in_words(_stored(rating), text)])
            for rating, text in zip(answer.ratings, texts, strict=True)
        ]

    def agree(self, given: Answer, expected: Answer) -> bool:
        """Whether scores differ by at most 20, and each expected mark was made with nearly the same ends."""
        return all(
            abs((ours.score or 0) - (theirs.score or 0)) <= NEAR
            and _are_alike(_stored(ours), _stored(theirs))
            for ours, theirs in zip(given.ratings, expected.ratings, strict=True)
        )


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.split("\n") if line.strip())


def _anchors_fault(lines: Sequence[str]) -> str | None:
    for number, line in enumerate(lines, start=1):
        part = _ANCHOR.fullmatch(line)
        if part is None or not is_visible(part[2]) or len(part[2]) > MOST_ANCHOR_CHARS:
            return f"line {number}: write a number from 0 to 100 and up to {MOST_ANCHOR_CHARS} characters"
        if fault := name_fault(line):
            return f"line {number} {fault}"
    return None if 2 <= len(lines) <= 6 else f"write 2 to 6 anchors, one a line; these are {len(lines)}"


def _types_fault(types: Sequence[str]) -> str | None:
    if len(types) > MOST_TYPES:
        return f"write at most {MOST_TYPES} types, one a line; these are {len(types)}"
    for number, name in enumerate(types, start=1):
        if not is_visible(name) or len(name) > MOST_TYPE_CHARS:
            return f"line {number}: a type has at most {MOST_TYPE_CHARS} characters, and one that can be seen"
        if fault := name_fault(name):
            return f"line {number} {fault}"
        if name in types[: number - 1]:
            return f"line {number}: the type “{name}” stands twice"
    return None


def _score(text: str) -> int | None:
    """The whole number from 0 to 100 that the text is, or None."""
    return int(text) if re.fullmatch("[0-9]{1,3}", text, re.ASCII) and int(text) <= 100 else None


def _marked_in(
    text: str, position: int, *, length: int | None = None, types: Sequence[str] | None = None
) -> MarkedErrors:
    try:
        return marked_in_text(text, length=length, types=types)
    except MarksError as error:
        message = gettext("The marks of correction %(number)s cannot be stored: %(fault)s.") % {
            "number": position + 1,
            "fault": error,
        }
        raise AnswerError(message, (position,)) from error


def _marked(text: str, position: int, question: Question) -> MarkedErrors:
    length = len(question.texts[position]) if question.texts else None
    marked = _marked_in(text, position, length=length, types=question.options.each_type)
    if fault := _fault(marked, question.options):
        message = gettext("The marks of correction %(number)s cannot be stored: %(fault)s.")
        raise AnswerError(message % {"number": position + 1, "fault": fault}, (position,))
    plain = without_statuses(marked)
    suggested = question.prepared[position] if question.prepared else None
    return plain if suggested is None else beside_suggested(plain, marked_errors(suggested))


def _fault(marked: MarkedErrors, options: ErrorSpansOptions) -> str:
    """Why a campaign with these options cannot have these marks; empty if it can."""
    if marked.missing and not options.marks_missing:
        return gettext("nothing can be marked as missing")
    if any(mark.severity == Severity.UNDECIDED for mark in (*marked.spans, *marked.missing)):
        return gettext("each error is minor or major")
    return ""


def _as_field(marked: MarkedErrors) -> str:
    return json_text(_lists(marked)) if marked.spans or marked.missing else ""


def _lists(marked: MarkedErrors) -> Details:
    """The lists of marks alone."""
    details = without_statuses(marked).details()
    return {key: details[key] for key in (SPANS, MISSING) if key in details}


def _in_stored(mark: Mark, blanks: Sequence[int]) -> Mark:
    """A span as it is in the stored text, whose `blanks` are hidden where it was marked."""
    start, last = mark.start or 0, (mark.end or 1) - 1
    for blank in blanks:
        start += blank <= start
        last += blank <= last
    return replace(mark, start=start, end=last + 1)


def _in_shown(mark: Mark, blanks: Sequence[int]) -> Mark:
    """A span as it is where these `blanks` of the stored text are hidden; empty if it held only those."""
    start, end = (
        place - sum(blank < place for blank in blanks) for place in (mark.start or 0, mark.end or 0)
    )
    return replace(mark, start=start, end=end)


def _stored(rating: RatingValue) -> MarkedErrors:
    return marked_errors(rating.rating_details or {})


def _expected(mark: str, text: str) -> RatingValue:
    """The rating that is written so.

    Raises:
        AnswerError: it is not written like one, or words do not stand in the correction.
    """
    written, *errors = (part.strip() for part in re.split(r",(?=\s*(?:minor|major)\b)", mark))
    score = _score(written)
    if score is None:
        raise AnswerError(
            f"“{mark}” has no score from 0 to 100: write it like “70, minor “go”, major missing”."
        )
    spans, missing = [], []
    for error in errors:
        part = _MARK.fullmatch(error)
        if part is None:
            raise AnswerError(f"“{error}” is no mark: write it like “minor “go”” or “major missing”.")
        severity = Severity(part[1])
        if part[2]:
            missing.append(Mark(None, None, severity))
        else:
            spans.append(Mark(*_place(part[3], int(part[4] or 1), text), severity))
    try:
        marked = marked_errors(MarkedErrors(tuple(spans), tuple(missing)).details())
    except MarksError as error:
        raise AnswerError(f"“{mark}” cannot be marked: {error}.") from error
    return RatingValue(score=score, rating_details=marked.details())


def _place(words: str, number: int, text: str) -> tuple[int, int]:
    """Where the words stand in a text for the nth time."""
    start = -1
    for _ in range(number):
        start = text.find(words, start + 1)
        if start < 0:
            raise AnswerError(f"“{words}” does not stand {number} times in “{text}”.")
    return start, start + len(words)


def _in_words(marked: MarkedErrors, text: str) -> list[str]:
    spans = [
        f"{mark.severity} “{text[mark.start : mark.end]}”"
        if text
        else f"{mark.severity} {mark.start}–{mark.end}"
        for mark in marked.spans
    ]
    return [*spans, *(f"{mark.severity} missing" for mark in marked.missing)]


def _are_alike(ours: MarkedErrors, theirs: MarkedErrors) -> bool:
    """Whether both have as many marks, and these go together in order."""
    return (
        len(ours.spans) == len(theirs.spans)
        and bool(ours.missing) == bool(theirs.missing)
        and all(
            abs((one.start or 0) - (other.start or 0)) <= CLOSE
            and abs((one.end or 0) - (other.end or 0)) <= CLOSE
            and one.severity == other.severity
            for one, other in zip(ours.spans, theirs.spans, strict=True)
        )
    )
