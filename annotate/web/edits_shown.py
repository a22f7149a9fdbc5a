"""An output with the edits that annotators judge one by one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, cast

from annotate.design.protocols import Prepared
from annotate.web.highlight import LabelledEdit, Segment, highlight_labelled
from formats.text.edit_spans import SpanEdit, are_unspaced, places_of, words_of
from formats.text.natural import TextRules


@dataclass(frozen=True, slots=True)
class ShownQuestion:
    """A question about one edit, or about edits that depend on each other.

    Attributes:
        number: of the question, from 0.
        changes: the segments that it is about, in the order of the sentence.
    """

    number: int
    changes: Sequence[Segment]


@dataclass(frozen=True, slots=True)
class EditedOutput:
    """An output to be judged edit by edit.

    Attributes:
        segments: of the output; the label of each edit is the number of its question.
        questions: in order.
    """

    segments: Sequence[Segment]
    questions: Sequence[ShownQuestion]


def edited_output(source: str, text: str, prepared: Prepared, rules: TextRules | None) -> EditedOutput:
    """The output with its edits, as natural text by the rules; else with a blank between words."""
    unspaced = are_unspaced(source, text)
    before, after = (words_of(each, unspaced=unspaced) for each in (source, text))
    edits = []
    for fixed in cast(Sequence[Mapping[str, Any]], (prepared or {}).get("edits", ())):
        edit = SpanEdit(fixed["start"], fixed["end"], fixed["replacement"])
        words = " ".join(word.text for word in words_of(edit.replacement, unspaced=unspaced))
        edits.append(LabelledEdit(*places_of(before, edit), str(fixed["question"]), words))
    segments = highlight_labelled(
        " ".join(word.text for word in before),
        " ".join(word.text for word in after),
        edits,
        rules or (TextRules.UNSPACED if unspaced else None),
    )
    changes = sorted((segment for segment in segments if segment.label), key=lambda each: int(each.label))
    grouped = groupby(changes, key=lambda each: int(each.label))
    return EditedOutput(segments, [ShownQuestion(number, list(group)) for number, group in grouped])
