"""JSON Lines: one sentence an object, with source, outputs by system, references, document and domain.

{"source": "He go .", "outputs": {"A": "He goes ."}, "references": ["He went ."], "document": "d1"}
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Never

from formats.records import MAX_ANNOTATORS, MAX_SYSTEMS, CorpusRecord, FormatError, Reference, SentenceRecord
from formats.text.checks import (
    Place,
    check_texts,
    checked_name,
    checked_source,
    checked_system,
    checked_text,
    quoted,
)
from formats.text.line_ends import in_one_line
from formats.text.lines import read_lines

_SENTENCE_KEYS = frozenset({"source", "outputs", "references", "document", "domain"})
_REFERENCE_KEYS = frozenset({"annotator", "text"})


def read_jsonl(path: Path, *, step: Callable[[], None] = lambda: None) -> CorpusRecord:
    """Read a corpus from JSON Lines.

    Only "source" is required. A system may be missing at some sentences. Line ends make a text an essay, in
    which "¶" stands for each of them (`formats.text.line_ends`). A reference is a text or
    `{"annotator": ..., "text": ...}`; the annotator of a mere text is its place in the list, from "0".
    `step` is called after each sentence; it may stop the reading by raising an error.

    Raises:
        FormatError: blank lines other than at the end; anything that is not strict JSON, duplicate keys
            and NaN included; unknown keys; values of the wrong type; an annotator twice at a sentence;
            more than MAX_SYSTEMS systems, MAX_ANNOTATORS references or MAX_TEXTS texts; and all
            faults of `read_text` and of single texts and names.
    """
    lines = read_lines(path)
    while lines and not lines[-1][1].strip():
        lines.pop()
    if not lines:
        raise FormatError(path, None, "the file contains no sentence")
    sentences = tuple(_sentences(lines, step))
    systems = tuple(dict.fromkeys(name for sentence in sentences for name in sentence.outputs))
    if len(systems) > MAX_SYSTEMS:
        raise FormatError(path, None, f"{len(systems)} systems, at most {MAX_SYSTEMS} are allowed")
    return CorpusRecord(sentences, systems, ())


def _sentences(lines: Iterable[tuple[Place, str]], step: Callable[[], None]) -> Iterator[SentenceRecord]:
    texts = 0
    for place, line in lines:
        sentence = _sentence(strict_object(line, place), place)
        texts += len(sentence.outputs) + len(sentence.references)
        check_texts(texts, place)
        yield sentence
        step()


def strict_object(line: str, place: Place) -> Mapping[str, object]:
    """The JSON object that a line holds.

    Raises:
        FormatError: a blank line, or anything that is not strict JSON, duplicate keys and NaN included.
    """
    return _mapping(strict_json(line, place), place, "the line")


def strict_json(text: str, place: Place) -> object:
    """The value of a JSON text.

    Raises:
        FormatError: a blank text, or anything that is not strict JSON, duplicate keys and NaN included.
    """

    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        mapping = dict(pairs)
        if len(mapping) < len(pairs):
            [(twice, _)] = Counter(key for key, _ in pairs).most_common(1)
            raise place.fault(f"key {quoted(twice)} twice in one object")
        return mapping

    def refuse(constant: str) -> Never:
        raise place.fault(f"{constant} is not JSON")

    if not text.strip():
        raise place.fault("blank line")
    try:
        value: object = json.loads(text, object_pairs_hook=unique, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise place.fault(f"invalid JSON: {error.msg} at column {error.colno}") from error
    except RecursionError as error:
        raise place.fault("not a valid object: nested too deeply") from error
    except ValueError as error:  # Python converts no integer of more than 4,300 digits
        raise place.fault("not a valid object: a number has too many digits") from error
    return value


def _sentence(value: Mapping[str, object], place: Place) -> SentenceRecord:
    _check_keys(value, _SENTENCE_KEYS, {"source"}, place)
    outputs = _mapping(value.get("outputs", {}), place, "outputs")
    return SentenceRecord(
        checked_source(_text(value["source"], place, "source"), place),
        {checked_system(name, place): _output(text, name, place) for name, text in outputs.items()},
        _references(value.get("references", []), place),
        _label(value, "document", place),
        _label(value, "domain", place),
    )


def _output(value: object, system: str, place: Place) -> str:
    return _checked(value, place, f"the output of {system}")


def _references(value: object, place: Place) -> tuple[Reference, ...]:
    if not isinstance(value, list):
        raise place.fault(f"references must be a list, not {kind_of(value)}")
    if len(value) > MAX_ANNOTATORS:
        raise place.fault(f"{len(value)} references, at most {MAX_ANNOTATORS} are allowed")
    references = tuple(_reference(entry, str(index), place) for index, entry in enumerate(value))
    seen: set[str] = set()
    for reference in references:
        if reference.annotator in seen:
            raise place.fault(f"annotator {quoted(reference.annotator)} twice")
        seen.add(reference.annotator)
    return references


def _reference(value: object, default: str, place: Place) -> Reference:
    if isinstance(value, str):
        return Reference(default, _checked(value, place, "the reference"), None)
    entry = _mapping(value, place, "a reference")
    _check_keys(entry, _REFERENCE_KEYS, _REFERENCE_KEYS, place)
    annotator = checked_name(_string(entry["annotator"], place, "annotator"), place, "the annotator")
    text = _checked(entry["text"], place, "the reference")
    return Reference(annotator, text, None)


def _label(value: Mapping[str, object], key: str, place: Place) -> str:
    text = _string(value.get(key, ""), place, key)
    return checked_name(text, place, key) if text else ""


def _check_keys(
    value: Mapping[str, object], allowed: frozenset[str], required: frozenset[str] | set[str], place: Place
) -> None:
    for key in value:
        if key not in allowed:
            raise place.fault(f"unknown key {quoted(key)}; known are {', '.join(sorted(allowed))}")
    for key in sorted(required):
        if key not in value:
            raise place.fault(f"key {quoted(key)} is missing")


def _mapping(value: object, place: Place, what: str) -> Mapping[str, object]:
    if isinstance(value, dict):
        return value
    raise place.fault(f"{what} must be an object, not {kind_of(value)}")


def _string(value: object, place: Place, what: str) -> str:
    if isinstance(value, str):
        return value
    raise place.fault(f"{what} must be a string, not {kind_of(value)}")


def _checked(value: object, place: Place, what: str) -> str:
    return checked_text(_text(value, place, what), place, what)


def _text(value: object, place: Place, what: str) -> str:
    return in_one_line(_string(value, place, what).strip("\n"))


def kind_of(value: object) -> str:
    """JSON's name for the type of a value."""
    if isinstance(value, bool):
        return "true or false"
    names = {dict: "an object", list: "a list", str: "a string", int: "a number", float: "a number"}
    return names.get(type(value), "null")
