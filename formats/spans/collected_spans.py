"""Error spans with scores that were collected elsewhere, as judgments of a corpus.

Appraise's answers have no texts: these are in its batches, or in the corpus whose sentences are the items, as
in our own exports. Annotations of pearmut have them (`formats.spans.pearmut`).
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from formats.digests import text_digest
from formats.records import (
    MAX_SYSTEMS,
    AnswerRecord,
    CorpusRecord,
    FormatError,
    JudgmentRecord,
    RatingRecord,
    SentenceRecord,
)
from formats.snapshot.answer_details import json_text
from formats.snapshot.judgment_columns import MAX_ACTIVE_MS
from formats.snapshot.vocabulary import JudgmentState, ProtocolName
from formats.spans.error_spans import (
    Batches,
    BatchItem,
    ErrorSpanRecord,
    error_span_rows,
    parse_error_spans,
)
from formats.spans.marked_errors import Mark, MarkedErrors, MarksError, marked_errors
from formats.text.checks import Place, checked_system, quoted, whole_number

Texts = Mapping[int, Mapping[str, str]]
"""By position of a sentence, the outputs of the systems."""

ROUND = re.compile(r"[a-z]+[0-9]+\.")
"""What names of systems begin with in Appraise's answers, such as "wmt23.", unlike elsewhere."""

TUTORIAL, DUPLICATE = "tutorial", "#duplicate"

_APPRAISE = re.compile(r'(?:"(?:[^"]|"")*"|[^,"\n]*),(?:"(?:[^"]|"")*"|[^,"\n]*),[0-9]+,(?:TGT|BAD),')


@dataclass(frozen=True, slots=True)
class SpanOutput:
    """A scored output: its system, its text as it was shown, the score and the marks."""

    system: str
    text: str
    score: int
    marked: MarkedErrors


@dataclass(frozen=True, slots=True)
class SpanAnswer:
    """An answer about one or more outputs of a sentence.

    Attributes:
        line: in the file, from 1; None if the file has none.
        annotator: name.
        source: the sentence; empty if only its position is known.
        position: of the sentence in the corpus that was judged, from 0; None if only its text is known.
        outputs: what was scored.
        ended: when it was answered; None if unknown.
        active_ms: how long it took; 0 if unknown.
    """

    line: int | None
    annotator: str
    source: str
    position: int | None
    outputs: tuple[SpanOutput, ...]
    ended: datetime | None
    active_ms: int


@dataclass(frozen=True, slots=True)
class CollectedSpans:
    """Answers in the order of a file, and how many rows of each kind were left out, in words."""

    answers: tuple[SpanAnswer, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def corpus(self) -> CorpusRecord:
        """The sentences with the outputs that were scored, by position, or in the order first met."""
        sentences: dict[tuple[int | None, str], dict[str, str]] = {}
        for answer in sorted(self.answers, key=lambda answer: answer.position or 0):
            outputs = sentences.setdefault((answer.position, answer.source), {})
            for each in answer.outputs:
                outputs.setdefault(each.system, each.text)
        records = (SentenceRecord(source, outputs, (), "", "") for (_, source), outputs in sentences.items())
        names = {each.system for answer in self.answers for each in answer.outputs}
        return CorpusRecord(tuple(records), tuple(sorted(names)), ())


def is_appraise_spans(text: str) -> bool:
    """Whether a text begins like Appraise's answers: CSV without a header, with TGT or BAD in column 4."""
    return _APPRAISE.match(text.removeprefix("\ufeff")) is not None


def parse_appraise_spans(text: str, path: Path, batches: Batches) -> CollectedSpans:
    """Appraise's answers with the texts of their batches.

    Tutorials, copies that filled up a batch, and controls are left out. The latest answer of an annotator to
    an output counts.

    Raises:
        FormatError: as `parse_error_spans`; a score that is no whole number.
    """
    left_out: Counter[str] = Counter()
    latest: dict[tuple[str, str, int, str], ErrorSpanRecord] = {}
    for answer in parse_error_spans(text, path, batches):
        if TUTORIAL in answer.document or answer.item.segment is None:
            left_out["answers to tutorials"] += 1
        elif answer.is_control:
            left_out["controls"] += 1
        elif DUPLICATE in answer.document:
            left_out["copies"] += 1
        else:
            key = answer.annotator, ROUND.sub("", answer.system, 1), answer.item.segment, answer.item.output
            if key not in latest or answer.ended >= latest[key].ended:
                left_out["answers that were replaced"] += key in latest
                latest[key] = answer
            else:
                left_out["answers that were replaced"] += 1
    answers = [_answer(answer, Place(path, answer.line)) for answer in latest.values()]
    if not answers:
        raise FormatError(path, None, "every answer is to a tutorial, a copy or a control")
    return CollectedSpans(_screens(answers), {what: number for what, number in left_out.items() if number})


def parse_appraise_spans_of_corpus(
    text: str, path: Path, texts: Texts, first_sentence: int = 0
) -> CollectedSpans:
    """Appraise's answers about the sentences of a corpus, whose numbers are the items: as in our exports.

    Raises:
        FormatError: the corpus has no such sentence, or no output of the system; as `parse_error_spans`.
    """
    items: dict[tuple[int, str], BatchItem] = {}
    for place, row in error_span_rows(text, path):
        number, document = whole_number(row[2], place, "the item"), row[7]
        outputs = texts.get(number - first_sentence)
        if outputs is None:
            raise place.fault(
                f"sentence {number} is not in the corpus of {len(texts)} sentences; if items are numbered "
                "otherwise, give the batches, too"
            )
        name = _known(checked_system(row[1], place), outputs, place)
        items[number, document] = BatchItem("", outputs[name], number - first_sentence)
    return parse_appraise_spans(text, path, [items])


def _known(system: str, outputs: Mapping[str, str], place: Place) -> str:
    name = system if system in outputs else ROUND.sub("", system, 1)
    if name not in outputs:
        present = ", ".join(sorted(outputs)) or "none"
        raise place.fault(f"the corpus has no output of system {quoted(system)} here; there are: {present}")
    return name


def _answer(answer: ErrorSpanRecord, place: Place) -> SpanAnswer:
    if answer.score != int(answer.score):
        raise place.fault(f"the score {answer.score:g} is no whole number")
    spans = tuple(Mark(span.start, span.end, span.severity) for span in answer.spans)
    missing = tuple(Mark(None, None, severity) for severity in answer.missing)
    marked = MarkedErrors(spans, missing)
    output = SpanOutput(ROUND.sub("", answer.system, 1), answer.item.output, int(answer.score), marked)
    try:
        ended = datetime.fromtimestamp(answer.ended, UTC) if answer.ended else None
    except (ValueError, OverflowError, OSError) as error:
        raise place.fault("the end is no number of seconds since 1970") from error
    return SpanAnswer(
        answer.line,
        answer.annotator,
        answer.item.source,
        answer.item.segment,
        (output,),
        ended,
        milliseconds(answer.began, answer.ended),
    )


def milliseconds(began: float, ended: float) -> int:
    """How long an answer took between these times in seconds; 0 if it cannot have taken so long."""
    took = 1000 * (ended - began)
    return round(took) if 0 < took <= MAX_ACTIVE_MS else 0


def judgments_of(
    collected: CollectedSpans, path: Path, sources: Sequence[str], texts: Texts, *, by_position: bool
) -> tuple[JudgmentRecord, ...]:
    """The answers as judgments of outputs of a corpus.

    Outputs of an answer with the same text, score and marks become one, which stands for their systems. Other
    systems with the text have judgments of their own, as they were judged.

    Args:
        collected: what was read.
        path: the file, for messages.
        sources: the sentences of the corpus by position.
        texts: by position, the outputs of the systems.
        by_position: whether the positions of answers are those of the corpus; else sentences are found by
            their text, and those with one text in the order of their positions.

    Raises:
        FormatError: the corpus has no such sentence, or another output of a system; marks overlap; more than
            MAX_SYSTEMS systems.
    """
    systems = {each.system for answer in collected.answers for each in answer.outputs}
    if len(systems) > MAX_SYSTEMS:
        raise FormatError(path, None, f"{len(systems)} systems, at most {MAX_SYSTEMS} are allowed")
    places: dict[str, list[int]] = {}
    for position, source in enumerate(sources):
        places.setdefault(source.strip(), []).append(position)
    alike: dict[str, set[int]] = {}
    for answer in collected.answers:
        alike.setdefault(answer.source.strip(), set()).add(answer.position or 0)
    items: dict[tuple[int, frozenset[tuple[str, tuple[str, ...]]]], int] = {}
    repetitions: Counter[int] = Counter()
    judgments: list[JudgmentRecord] = []
    for answer in collected.answers:
        place = Place(path, answer.line)
        source = answer.source.strip()
        found = [answer.position or 0] if by_position else places.get(source, [])
        if not found:
            raise place.fault(f"the corpus has no sentence {quoted(answer.source)}")
        which = 0 if by_position else sorted(alike[source]).index(answer.position or 0)
        found = [*found[which:], *found[:which]]
        sentence = _sentence(answer, found, texts, place)
        for ratings in _apart(_ratings(answer.outputs, place)):
            shown = sentence, frozenset((rating.output, rating.systems) for rating in ratings)
            item = items.setdefault(shown, len(items))
            judgments.append(
                JudgmentRecord(
                    key=str(len(judgments)),
                    protocol=ProtocolName.ERROR_SPANS.value,
                    annotator=answer.annotator,
                    sentence=sentence,
                    item=item,
                    repetition=repetitions[item],
                    state=JudgmentState.COMPLETE.value,
                    answers=(
                        AnswerRecord(ratings, submitted_at=answer.ended, active_ms=answer.active_ms or None),
                    ),
                    line=answer.line,
                )
            )
            repetitions[item] += 1
    return tuple(judgments)


def _sentence(answer: SpanAnswer, places: Sequence[int], texts: Texts, place: Place) -> int:
    """The first of these sentences that has the outputs."""
    for position in places:
        if all(texts[position].get(each.system) == each.text for each in answer.outputs):
            return position
    outputs = texts[places[0]]
    other = next(each for each in answer.outputs if outputs.get(each.system) != each.text)
    if other.system not in outputs:
        present = ", ".join(sorted(outputs)) or "none"
        raise place.fault(
            f"the corpus has no output of system {quoted(other.system)} here; there are: {present}"
        )
    raise place.fault(
        f"the output of {other.system} in the corpus is not the text that was judged, {quoted(other.text)}"
    )


def _ratings(outputs: Iterable[SpanOutput], place: Place) -> Iterator[RatingRecord]:
    """A rating of each output, those that are the same as one."""
    found: list[RatingRecord] = []
    for each in outputs:
        try:
            marked = marked_errors(each.marked.details(), length=len(each.text))
        except MarksError as error:
            raise place.fault(f"{each.system}: {error}") from error
        found.append(
            RatingRecord(text_digest(each.text), (), score=each.score, rating_details=marked.details())
        )
    names = [each.system for each in outputs]
    for rating in {json_text(asdict(rating)): rating for rating in found}.values():
        systems = (name for name, other in zip(names, found, strict=True) if other == rating)
        yield replace(rating, systems=tuple(sorted(set(systems))))


def _apart(ratings: Iterable[RatingRecord]) -> list[tuple[RatingRecord, ...]]:
    """The ratings as screens that show no text twice: usually one."""
    screens: list[dict[str, RatingRecord]] = []
    for rating in ratings:
        free = next((screen for screen in screens if rating.output not in screen), None)
        if free is None:
            screens.append(free := {})
        free[rating.output] = rating
    return [tuple(screen.values()) for screen in screens]


def _screens(answers: Iterable[SpanAnswer]) -> tuple[SpanAnswer, ...]:
    """The answers, those as one that follow each other, of an annotator to a sentence at the same time.

    Our exports have a row for each output of a screen and each of its systems.
    """
    grouped = groupby(answers, key=attrgetter("annotator", "position", "source", "ended"))
    groups = (list(group) for _, group in grouped)
    return tuple(
        replace(group[0], outputs=tuple(output for answer in group for output in answer.outputs))
        for group in groups
    )
