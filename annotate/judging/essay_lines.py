"""An essay on a page: line by line, with the place of each change in the source beside it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from annotate.web.highlight import Segment
from formats.text.line_ends import PILCROW

_PARTS = re.compile(rf" ?({PILCROW}) ?")
_UNCOUNTED = re.compile(rf"[\s{PILCROW}]+")


@dataclass(frozen=True, slots=True)
class Piece:
    """What a line has of a segment.

    Attributes:
        segment: with the text that stands in this line; "¶" alone is an inserted end of the line.
        place: of a change in the source: the numbers of characters before it and up to its end, as in
            "17-21", to which neither blanks nor "¶" count; empty for what stays, and for further pieces of a
            change.
    """

    segment: Segment
    place: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an essay that is not blank.

    Attributes:
        pieces: in order.
        is_apart: whether a blank line stands above it.
    """

    pieces: Sequence[Piece]
    is_apart: bool


def essay_lines(segments: Iterable[Segment]) -> list[Line]:
    """The lines of an essay, whose segments are those of `highlight`, or one that stays."""
    lines: list[list[Piece]] = [[]]
    for piece, ends_line in _pieces(segments):
        if piece:
            lines[-1].append(piece)
        if ends_line:
            lines.append([])
    return [
        Line(pieces, is_apart=number > 0 and not lines[number - 1])
        for number, pieces in enumerate(lines)
        if pieces
    ]


def _pieces(segments: Iterable[Segment]) -> Iterator[tuple[Piece | None, bool]]:
    """Each piece, with whether its line ends after it; no piece where a line just ends."""
    end = 0
    for segment in segments:
        start = end
        end += len(
            _UNCOUNTED.sub("", segment.text if segment.kind in ("same", "delete") else segment.replaced)
        )
        place = "" if segment.kind == "same" else f"{start}-{end}"
        if segment.kind == "delete":
            yield Piece(segment, place), False
            continue
        rest = segment
        for text in filter(None, _PARTS.split(segment.text)):
            if text == PILCROW and segment.kind == "same":
                yield None, True
                continue
            yield Piece(replace(rest, text=text), place), text == PILCROW
            if segment.kind != "same":
                # What was replaced is said once.
                rest, place = Segment("insert", "", label=segment.label), ""
