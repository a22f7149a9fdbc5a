"""Scales as an admin writes them: a line for each, its name before a colon and its points between bars."""

import re
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2s

from core.wording import counted
from formats.text.characters import is_visible, name_fault

MOST_SCALES = 5
FEWEST_POINTS, MOST_POINTS = 2, 11
MOST_NAME_CHARS, MOST_LABEL_CHARS = 40, 60

NUMBERED = re.compile("([0-9]{1,9})(?: +(.*))?")
NOT_IN_NAMES = re.compile("[,;|]")
"""Signs that stand between scales, or between points, where marks are written."""


class ScalesError(ValueError):
    """Scales that cannot be used; the message names the line and what to write."""


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a scale.

    Attributes:
        value: its number.
        label: in words; may be empty between the ends.
        key: of the keyboard, that sets it: its last digit, and `-` where another point has that.
    """

    value: int
    label: str
    key: str


@dataclass(frozen=True, slots=True)
class Scale:
    """A scale, on which each output is given a point.

    Attributes:
        name: as annotators and files have it.
        points: from the lowest to the highest, with consecutive numbers from 0 or 1.
    """

    name: str
    points: tuple[Point, ...]

    @property
    def field(self) -> str:
        """The beginning of the names of its fields, before the position of an output."""
        return field_of(self.name)

    def share(self, value: int) -> float:
        """How far up the scale a point is, from 0 to 1."""
        return (value - self.points[0].value) / (len(self.points) - 1)


def field_of(name: str) -> str:
    """The beginning of the names of a scale's fields, such as `scale-fluency-`.

    A name of more than letters and digits has a digest instead, 12 hexadecimal digits of BLAKE2s.
    """
    is_plain = name.isascii() and name.isalnum()
    return f"scale-{name.lower() if is_plain else blake2s(name.encode(), digest_size=6).hexdigest()}-"


@lru_cache(maxsize=64)
def scales_of(text: str) -> tuple[Scale, ...]:
    """The scales in a text, such as `Fluency: 1 unnatural | 2 understandable | 3 natural`.

    Points are counted from 1 if they have no numbers.

    Raises:
        ScalesError: a line is no scale, two have one name, or there are too many.
    """
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    if not 1 <= len(lines) <= MOST_SCALES:
        raise ScalesError(f"write 1 to {MOST_SCALES} scales, one a line; these are {len(lines)}")
    scales = [_scale(number, line) for number, line in lines]
    names = [scale.name.casefold() for scale in scales]
    if twice := next((scale.name for scale in scales if names.count(scale.name.casefold()) > 1), None):
        raise ScalesError(f"the name “{twice}” stands twice; each scale needs a name of its own")
    return tuple(scales)


def _scale(number: int, line: str) -> Scale:
    name, colon, rest = line.partition(":")
    name = name.strip()
    if not colon or not name or NOT_IN_NAMES.search(name):
        raise ScalesError(f"line {number}: write a name, a colon, and the points between bars")
    if fault := name_fault(line):
        raise ScalesError(f"line {number} {fault}")
    if not is_visible(name):
        raise ScalesError(f"line {number}: the name has no visible character")
    if len(name) > MOST_NAME_CHARS:
        raise ScalesError(f"line {number}: a name has at most {MOST_NAME_CHARS} characters")
    parts = [part.strip() for part in rest.split("|")]
    if not FEWEST_POINTS <= len(parts) <= MOST_POINTS:
        raise ScalesError(
            f"line {number}: a scale has {FEWEST_POINTS} to {MOST_POINTS} points; this has "
            f"{counted(len(parts), 'point')}"
        )
    lowest, labels = _numbered(number, parts)
    if not is_visible(labels[0]) or not is_visible(labels[-1]):
        raise ScalesError(f"line {number}: say in words what the lowest and the highest point mean")
    if any(len(label) > MOST_LABEL_CHARS for label in labels):
        raise ScalesError(f"line {number}: a point is described in at most {MOST_LABEL_CHARS} characters")
    values = range(lowest, lowest + len(labels))
    keys = ["-" if value % 10 in values and value >= 10 else str(value % 10) for value in values]
    points = (Point(value, label, key) for value, label, key in zip(values, labels, keys, strict=True))
    return Scale(name, tuple(points))


def _numbered(number: int, parts: list[str]) -> tuple[int, list[str]]:
    """The number of the lowest point, and the labels."""
    matches = [NUMBERED.fullmatch(part) for part in parts]
    if not any(matches):
        return 1, parts
    values = [int(match[1]) if match else -1 for match in matches]
    if values[0] not in (0, 1) or values != list(range(values[0], values[0] + len(parts))):
        raise ScalesError(f"line {number}: number all points, from 0 or 1 upwards, or none of them")
    return values[0], [(match[2] or "") if match else "" for match in matches]
