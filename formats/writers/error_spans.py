"""Error spans with scores in Appraise's form, which `formats.spans.error_spans` describes and reads.

A row is one output of one system; systems that share a text have a row each. The item is the number of the
sentence, from 0. Spans are counted in UTF-16 code units of the text; their last character is part of them.
Beside Appraise's keys, a mark of an output with suggestions has its `status`; removed ones are left out.
"""

import json
from collections.abc import Iterable, Iterator

from core.formulas import guarded
from core.tables import csv_text
from formats import JudgmentRecord
from formats.records import AnswerRecord, RatingRecord
from formats.spans.error_spans import MISSING
from formats.spans.marked_errors import Mark, marked_errors
from formats.writers.heading import Heading
from formats.writers.pieces import in_pieces


def write_error_spans(judgments: Iterable[JudgmentRecord], heading: Heading) -> Iterator[bytes]:
    """The scored outputs with their marks; an item that was skipped has none and is left out."""
    return in_pieces(csv_text(None, _rows(judgments, heading)))


def counts_differently(text: str) -> bool:
    """Whether the text has characters of two UTF-16 units, so that Appraise counts its places differently."""
    return any(character > "\uffff" for character in text)


def _rows(judgments: Iterable[JudgmentRecord], heading: Heading) -> Iterator[list[object]]:
    for judgment in judgments:
        for rating in judgment.current.ratings:
            spans = _spans(rating, heading.texts.get(rating.output, ""))
            begin, end = _times(judgment.current)
            for system in rating.systems:
                kind, suffix = ("BAD", "#bad1") if system in heading.controls else ("TGT", "")
                yield [
                    *(guarded(judgment.annotator), system, judgment.sentence, kind),
                    *(heading.language, heading.language, rating.score),
                    *(guarded(f"{heading.campaign}#{system}{suffix}"), "False", spans, begin, end),
                ]


def _times(answer: AnswerRecord) -> tuple[str, str]:
    """When the output was opened and answered, in seconds of the epoch; 0 where that is not known."""
    if answer.submitted_at is None:
        return "0", "0"
    end = answer.submitted_at.timestamp()
    begin = answer.started_at.timestamp() if answer.started_at else end - (answer.active_ms or 0) / 1000
    return f"{begin:.3f}", f"{end:.3f}"


def _spans(rating: RatingRecord, text: str) -> str:
    marked = marked_errors(rating.rating_details or {})
    return json.dumps([_span(mark, text) for mark in (*marked.spans, *marked.missing)], ensure_ascii=False)


def _span(mark: Mark, text: str) -> dict[str, object]:
    """A mark as Appraise has it; `text` only if places in it are counted differently."""
    start: int | str = MISSING
    last: int | str = MISSING
    if mark.start is not None and mark.end is not None:
        start, end = (_units(text[:place]) if text else place for place in (mark.start, mark.end))
        last = end - 1
    return {
        "start_i": start,
        "end_i": last,
        "severity": mark.severity.value,
        "error_type": mark.type or None,
        **({"status": mark.status} if mark.status else {}),
    }


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2
