"""The public judgments of single edits: pairs of sentences that differ in one edit, valid or not."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path

from analysis.reproduction.paper import PaperData
from formats import FormatError
from formats.text.checks import quoted
from formats.text.lines import read_text

_OFFSETS = re.compile(r"\[([0-9]{1,9}), ([0-9]{1,9})\]:")
_TYPES = re.compile(r"\['[A-Z:]+'(?:, '[A-Z:]+')*\] - ")
_ARROW = " -> "


class Form(StrEnum):
    """How an edit is written: which sides have offsets, and whether types stand before it."""

    BOTH = "offsets on both sides"
    TYPED = "types and offsets"
    SOURCE = "offsets of the source"
    HYPOTHESIS = "offsets of the hypothesis"


@dataclass(frozen=True, slots=True)
class Side:
    """One side of an edit.

    Attributes:
        text: what is replaced, or what replaces it, without a stray bracket; "" for nothing.
        offsets: first token, and the token after the last; None if the file has none. It does not name the
            tokeniser.
        has_bracket: whether a stray bracket follows the text in the file.
    """

    text: str
    offsets: tuple[int, int] | None
    has_bracket: bool


@dataclass(frozen=True, slots=True)
class JudgedEdit:
    """A pair of sentences that differ in one edit.

    Attributes:
        source: the sentence before the edit.
        hypothesis: the sentence after it.
        form: how the file writes the edit.
        before: what the edit replaces.
        after: what it puts there.
        is_valid: whether people judged the edit valid.
    """

    source: str
    hypothesis: str
    form: Form
    before: Side
    after: Side
    is_valid: bool


@dataclass(eq=False)
class Edits(PaperData):
    """The judgments, from `edits/PEVData.json`."""

    @cached_property
    def judged(self) -> Sequence[JudgedEdit]:
        """The edits in the order of the file.

        Raises:
            FormatError: the file is missing, no JSON (with line), or an entry (by its place, from 1) is not
                two sentences, an edit in one of the forms, and a judgment.
        """
        path = self.folder / "edits" / "PEVData.json"
        try:
            read = json.loads(read_text(path))
        except json.JSONDecodeError as error:
            raise FormatError(path, error.lineno, f"invalid JSON: {error.msg}") from error
        except RecursionError as error:
            raise FormatError(path, None, "nested too deeply") from error
        if not isinstance(read, list) or not read:
            raise FormatError(path, None, "the file is not a list of judgments")
        return [_judged(entry, f"entry {number}", path) for number, entry in enumerate(read, start=1)]


def _judged(entry: object, where: str, path: Path) -> JudgedEdit:
    if not isinstance(entry, dict):
        raise FormatError(path, None, f"{where} is not a JSON object")
    texts = []
    for name in ("S1-src", "S2-hyp", "Edit"):
        text = entry.get(name)
        if not isinstance(text, str):
            raise FormatError(path, None, f"{where}: {name} is not a text")
        texts.append(text)
    judgment = entry.get("Human Judgment")
    if type(judgment) is not int or judgment not in (0, 1):
        raise FormatError(path, None, f"{where}: Human Judgment is not 0 or 1")
    source, hypothesis, written = texts
    try:
        form, before, after = _sides(written)
    except ValueError as error:
        raise FormatError(path, None, f"{where}: {error}") from error
    return JudgedEdit(source, hypothesis, form, before, after, bool(judgment))


def _sides(written: str) -> tuple[Form, Side, Side]:
    """The form of an edit, and its sides; `ValueError` if it is in no form.

    An edit with types ends with a stray bracket. It stands in the file the other way round, too, without
    types but with this bracket, then behind what is replaced.
    """
    types = _TYPES.match(written)
    left, arrow, right = (written[types.end() :] if types else written).partition(_ARROW)
    if not arrow:
        raise ValueError(f"the edit has no arrow: {quoted(written)}")
    before, after = (_OFFSETS.match(side) for side in (left, right))
    if not (before and after) and (types or not (before or after)):
        raise ValueError(f"the edit lacks offsets: {quoted(written)}")
    form = Form.TYPED if types else Form.BOTH
    if before is None:
        form = Form.HYPOTHESIS
    elif after is None:
        form = Form.SOURCE
    return form, _side(left, before, form is Form.BOTH), _side(right, after, form is Form.TYPED)


def _side(written: str, offsets: re.Match[str] | None, may_have_bracket: bool) -> Side:
    text = written[offsets.end() :] if offsets else written
    has_bracket = may_have_bracket and text.endswith(")")
    text = text.removesuffix(")") if has_bracket else text
    return Side(text.strip(), (int(offsets[1]), int(offsets[2])) if offsets else None, has_bracket)
