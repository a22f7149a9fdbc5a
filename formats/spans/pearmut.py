"""Annotations of pearmut: error spans with scores of the outputs of several systems, as JSON.

    {"user_id": "anna", "item": [{"item_id": "1", "src": "…", "tgt": {"Alder": "…", "Birch": "…"}}],
     "annotation": [{"Alder": {"score": 70, "error_spans": [{"start_i": 8, "end_i": 42, "severity": "minor",
                                                            "category": null}]}, "Birch": {…}}],
     "actions": [{"time": 1771311126.056, "action": "load"}, …, {"time": 1771311292.195, "action": "submit"}]}

A line of its log holds one screen, which may have several segments; a download holds a list of such objects
by the name of a campaign. Spans are counted in UTF-16 code units, and their last character is part of them.
Both ends are "missing" for content that the output lacks.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from formats.records import FormatError
from formats.spans.collected_spans import CollectedSpans, SpanAnswer, SpanOutput, milliseconds
from formats.spans.error_spans import HIGHEST_SCORE, spans_in_units
from formats.spans.marked_errors import MOST_TYPE_CHARS, Mark, MarkedErrors
from formats.text.checks import Place, checked_name, checked_source, checked_system, checked_text, quoted

ASIDE = ("welcome_", "random_", "goodbye_")
"""What the names of screens begin with that are none of the task."""


def is_pearmut(text: str) -> bool:
    """Whether a text is annotations of pearmut: an object of JSON that begins with what only these have."""
    beginning = text.lstrip()[:1_000_000]
    return beginning.startswith("{") and '"annotation"' in beginning and '"error_spans"' in beginning


def parse_pearmut(text: str, path: Path) -> CollectedSpans:
    """The answers in the text of a file, in its order; a later one of an annotator to a segment replaces it.

    Screens before, beside and after the task, segments without an annotation, and outputs without a score are
    left out.

    Raises:
        FormatError: malformed JSON; anything that is not of the form above; an annotation of an output that
            the item does not have; a score that is no whole number from 0 to 100; spans outside the output or
            that overlap. With the line, in a log, or the number of the entry.
    """
    answers: dict[tuple[str, str, str], SpanAnswer] = {}
    aside = 0
    for entry, place, where in _entries(text, path):
        if str(entry.get("item_i", "")).startswith(ASIDE):
            aside += 1
            continue
        for answer in _answers(entry, place, where):
            answers[answer.annotator, answer.source, " ".join(each.system for each in answer.outputs)] = (
                answer
            )
    if not answers:
        raise FormatError(path, None, "no output has a score")
    left_out = {"screens beside the task": aside} if aside else {}
    return CollectedSpans(tuple(answers.values()), left_out)


def _entries(text: str, path: Path) -> Iterator[tuple[Mapping[str, object], Place, str]]:
    """The entries of a log, or of a download, each with its place and what to call it."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        whole = None
    if isinstance(whole, dict) and "annotation" not in whole:
        for name, listed in whole.items():
            if not isinstance(listed, list):
                raise FormatError(path, None, f"{quoted(name)} is not a list of annotations")
            for number, entry in enumerate(listed, start=1):
                where = f"entry {number} of {quoted(name)}: "
                yield _object(entry, Place(path, None), f"{where}it"), Place(path, None), where
        return
    for number, line in enumerate(text.split("\n"), start=1):
        place = Place(path, number)
        if not line.strip():
            continue
        try:
            read = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise place.fault("invalid JSON") from error
        yield _object(read, place, "it"), place, ""


def _answers(entry: Mapping[str, object], place: Place, where: str) -> Iterator[SpanAnswer]:
    items, annotations = entry.get("item"), entry.get("annotation")
    if not isinstance(items, list) or not isinstance(annotations, list) or len(items) != len(annotations):
        raise place.fault(f"{where}item and annotation are not lists of the same length")
    annotator = checked_name(_text(entry, "user_id", place, where), place, f"{where}user_id")
    ended, active_ms = _times(entry.get("actions"), place, where)
    for number, (item, annotation) in enumerate(zip(items, annotations, strict=True), start=1):
        if annotation is None:
            continue
        segment = f"{where}segment {number}: "
        known = _object(item, place, f"{segment}the item")
        texts = _object(known.get("tgt"), place, f"{segment}tgt")
        outputs = []
        for system, said in _object(annotation, place, f"{segment}the annotation").items():
            given = _object(said, place, f"{segment}{quoted(system)}")
            if given.get("score") is None:
                continue
            if not isinstance(texts.get(system), str):
                raise place.fault(f"{segment}the item has no output of {quoted(system)}")
            output = _text(texts, system, place, segment)
            outputs.append(_output(checked_system(system, place), output, given, place, segment))
        if outputs:
            source = checked_source(_text(known, "src", place, segment).strip(), place)
            # Segments of a screen share its time.
            yield SpanAnswer(
                place.line, annotator, source, None, tuple(outputs), ended, active_ms // len(items)
            )


def _output(system: str, text: str, given: Mapping[str, object], place: Place, segment: str) -> SpanOutput:
    score = given["score"]
    is_number = isinstance(score, int | float) and not isinstance(score, bool)
    # JSON as Python reads it has infinity and NaN, which are no whole numbers.
    if not is_number or not 0 <= score <= HIGHEST_SCORE or score != int(score):  # type: ignore[operator, call-overload]
        raise place.fault(f"{segment}the score of {system} is no whole number from 0 to {HIGHEST_SCORE}")
    listed = given.get("error_spans")
    listed = [] if listed is None else listed
    if not isinstance(listed, list):
        raise place.fault(f"{segment}error_spans of {system} is not a list")
    text = checked_text(text.replace("<br>", "\n"), place, f"{segment}the output of {system}")
    marks = spans_in_units(listed, text, place, what=f"{segment}{system}, span")
    spans: list[Mark] = []
    missing: list[Mark] = []
    for mark, (start, end, severity) in zip(listed, marks, strict=True):
        category = mark.get("category")
        kind = category[:MOST_TYPE_CHARS] if isinstance(category, str) else ""
        (missing if start is None else spans).append(Mark(start, end, severity, kind))
    return SpanOutput(system, text, int(score), MarkedErrors(tuple(spans), tuple(missing)))  # type: ignore[call-overload]


def _times(actions: object, place: Place, where: str) -> tuple[datetime | None, int]:
    """When the screen was submitted, and the milliseconds since it was loaded."""
    listed = actions if isinstance(actions, list) else []
    times = [
        each["time"] for each in listed if isinstance(each, dict) and type(each.get("time")) in (int, float)
    ]
    if not times:
        return None, 0
    try:
        return datetime.fromtimestamp(times[-1], UTC), milliseconds(times[0], times[-1])
    except (ValueError, OverflowError, OSError) as error:
        raise place.fault(f"{where}a time is no number of seconds since 1970") from error


def _object(value: object, place: Place, what: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise place.fault(f"{what} is not a JSON object")
    return value


def _text(entry: Mapping[str, object], name: str, place: Place, where: str) -> str:
    value = entry.get(name)
    if not isinstance(value, str):
        raise place.fault(f"{where}{name} is not a text")
    return value
