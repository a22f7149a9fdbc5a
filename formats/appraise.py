"""Appraise XML: relative rankings of outputs, identical outputs collapsed into one.

    <appraise-results>
      <error-correction-ranking-result>
        <ranking-item src-id="135" user="judge1" duration="00:01:07.524000">
          <translation rank="1" system="A B"/>
          <translation rank="2" system="C"/>
        </ranking-item>
      </error-correction-ranking-result>
    </appraise-results>

Federmann 2012, "Appraise"; the release of Grundkiewicz, Junczys-Dowmunt and Gillian 2015 (GJG15).
"""

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl

from defusedxml.common import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser, create_parser

from formats.machine_texts import checked_machine
from formats.records import FormatError, RankedGroup, RankingRecord
from formats.text.checks import (
    Place,
    check_rank,
    checked_name,
    checked_system,
    quoted,
    sentence_number,
    whole_number,
)
from formats.text.lines import read_text

MAX_XML_CHARS = 64 * 2**20
"""The parser rescans an unfinished tag at every further MiB; this bounds the square of that to seconds.
All of GJG15 is less than one MiB."""

_DECLARED_ENCODING = re.compile(r"""\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"'>]*)["']""")
_SEPARATORS = re.compile(r"[\s,]+")
_DURATION = re.compile(r"(?:([0-9]{1,4}) days?, )?([0-9]{1,3}):([0-5][0-9]):([0-5][0-9])(?:\.([0-9]{1,6}))?")


def read_appraise(path: Path) -> tuple[RankingRecord, ...]:
    """Read all rankings of an Appraise XML file, in the order of the file.

    The root holds any number of blocks whose names end in "ranking-result", and these hold the items. An item
    has a `user`, its sentence in `src-id` or else in `id`, and mostly a `duration` as "HH:MM:SS.ffffff" or
    "1 day, HH:MM:SS". An item of ours that a machine answered has an `annotator-kind` and describes the
    machine as JSON. Items without output (skipped) and with one output (all systems agree) are kept.

    Raises:
        FormatError: malformed XML; a DTD, entities or an encoding other than UTF-8; unknown elements or text;
            missing attributes; a sentence that is no number; bad system names; a system twice in an item; a
            rank that is no number or outside 1 .. max(5, outputs of the item); a bad duration; no item
            at all; more than MAX_XML_CHARS; and all faults of `read_text`.
    """
    return parse_appraise(read_text(path), path)


def parse_appraise(text: str, path: Path) -> tuple[RankingRecord, ...]:
    """The rankings in the text of an Appraise XML file; see `read_appraise`."""
    if len(text) > MAX_XML_CHARS:
        raise FormatError(path, None, f"more than {MAX_XML_CHARS} characters of XML")
    declared = _DECLARED_ENCODING.match(text)
    if declared and declared[1].lower() not in ("utf-8", "utf8", "us-ascii"):
        raise FormatError(path, 1, f"the file must be UTF-8, but declares {quoted(declared[1])}")
    parser = create_parser(forbid_dtd=True, forbid_entities=True, forbid_external=True)
    reader = _RankingReader(path, parser)
    parser.setContentHandler(reader)
    try:
        parser.feed(text)
        parser.close()
    except SAXParseException as error:
        raise FormatError(path, error.getLineNumber(), f"malformed XML: {error.getMessage()}") from error
    except DefusedXmlException as error:
        raise reader.place().fault("document type declarations and entities are refused") from error
    if not reader.records:
        raise FormatError(path, None, "the file contains no ranking-item")
    return tuple(reader.records)


class _RankingReader(ContentHandler):
    """Follows the four levels of the file; any other structure is a fault, so that depth stays bounded."""

    def __init__(self, path: Path, parser: DefusedExpatParser) -> None:
        super().__init__()
        self.records: list[RankingRecord] = []
        self._path = path
        self._parser = parser
        self._depth = 0
        self._outputs: list[tuple[Place, RankedGroup]] = []

    def place(self) -> Place:
        """The position of the parser."""
        return Place(self._path, self._parser.getLineNumber())

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 (the name is SAX's)
        place = self.place()
        match self._depth, name:
            case 0, "appraise-results":
                pass
            case 1, _ if name.endswith("ranking-result"):
                pass
            case 2, "ranking-item":
                self.records.append(_item(attrs, place))
                self._outputs = []
            case 3, "translation":
                self._outputs.append((place, _group(attrs, place)))
            case _:
                raise place.fault(f"unexpected element <{name[:60]}>")
        self._depth += 1

    def endElement(self, name: str) -> None:  # noqa: N802 (the name is SAX's)
        self._depth -= 1
        if name == "ranking-item":
            _check_outputs(self._outputs)
            groups = tuple(group for _, group in self._outputs)
            self.records[-1] = replace(self.records[-1], groups=groups)

    def characters(self, content: str) -> None:
        if content.strip():
            raise self.place().fault(f"unexpected text {quoted(content.strip())}")


def _item(attrs: AttributesImpl, place: Place) -> RankingRecord:
    key = "src-id" if "src-id" in attrs else "id"
    return RankingRecord(
        place.line or 1,
        checked_name(_required(attrs, "user", place), place, "the user"),
        sentence_number(_required(attrs, key, place), place, key),
        (),
        _milliseconds(attrs["duration"], place) if "duration" in attrs else None,
        checked_machine(attrs.get("annotator-kind", ""), attrs.get("machine", ""), place),
    )


def _group(attrs: AttributesImpl, place: Place) -> RankedGroup:
    names = [name for name in _SEPARATORS.split(_required(attrs, "system", place)) if name]
    if not names:
        raise place.fault("the system attribute names no system")
    systems = tuple(sorted(checked_system(name, place) for name in names))
    return RankedGroup(systems, whole_number(_required(attrs, "rank", place), place, "the rank"))


def _check_outputs(outputs: list[tuple[Place, RankedGroup]]) -> None:
    seen: set[str] = set()
    for place, group in outputs:
        check_rank(group.rank, place, len(outputs))
        for system in group.systems:
            if system in seen:
                raise place.fault(f"system {system} twice in one item")
            seen.add(system)


def _required(attrs: AttributesImpl, name: str, place: Place) -> str:
    if name in attrs:
        return attrs[name]
    raise place.fault(f"attribute {name} is missing")


def _milliseconds(text: str, place: Place) -> int:
    if not (match := _DURATION.fullmatch(text)):
        raise place.fault(f"bad duration {quoted(text)}: HH:MM:SS is expected")
    days, hours, minutes, seconds = (int(part or 0) for part in match.groups()[:4])
    microseconds = int((match[5] or "").ljust(6, "0"))
    duration = timedelta(days, seconds, microseconds, minutes=minutes, hours=hours)
    return duration // timedelta(milliseconds=1)
