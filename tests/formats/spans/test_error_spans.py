"""Error spans as Appraise exports them: offsets, batches of annotators, and faults with line and cause."""

import csv
import io
import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats import FormatError
from formats.spans.error_spans import (
    Batches,
    BatchItem,
    ErrorSpan,
    ErrorSpanRecord,
    Severity,
    parse_batches,
    parse_error_spans,
)

ANSWERS, TEXTS = Path("answers.csv"), Path("batches.json")


def item(number: int, output: str, document: str = "news#Alder", **more: object) -> dict[str, object]:
    return {
        "itemID": number,
        "documentID": document,
        "sourceText": "She went.",
        "targetText": output,
        "_item": f"Alder | {number + 10} | news",
        **more,
    }


def batches(*given: Sequence[dict[str, object]]) -> Batches:
    return parse_batches(json.dumps([{"items": items} for items in given]), TEXTS)


def row(
    number: object = 1,
    spans: object = "[]",
    *,
    annotator: str = "anna",
    kind: str = "TGT",
    score: str = "87",
    document: str = "news#Alder",
    ended: str = "20.5",
) -> list[object]:
    text = spans if isinstance(spans, str) else json.dumps(spans)
    return [annotator, "wmt23.Alder", number, kind, "eng", "deu", score, document, "False", text, "9", ended]


def answers(*rows: Sequence[object], of: Batches) -> tuple[ErrorSpanRecord, ...]:
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(rows)
    return parse_error_spans(written.getvalue(), ANSWERS, of)


def mark(first: object, last: object, severity: str = "minor") -> dict[str, object]:
    return {"start_i": first, "end_i": last, "severity": severity, "error_type": None}


def test_an_answer_has_spans_missing_content_and_a_score() -> None:
    marks = [mark(4, 5), mark("missing", "missing", "major"), {**mark(7, 14, "major"), "error_type": "x"}]
    [answer] = answers(row(1, marks, kind="BAD", score="0"), of=batches([item(1, "She go yesteday")]))
    assert answer == ErrorSpanRecord(
        line=1,
        annotator="anna",
        system="wmt23.Alder",
        number=1,
        document="news#Alder",
        is_control=True,
        item=BatchItem("She went.", "She go yesteday", 11),
        score=0,
        spans=(ErrorSpan(4, 6, Severity.MINOR), ErrorSpan(7, 15, Severity.MAJOR)),
        missing=(Severity.MAJOR,),
        began=9.0,
        ended=20.5,
    )


@pytest.mark.parametrize(
    ("output", "first", "last", "marked"),
    [
        ("a 😀 word", 5, 8, "word"),
        ("a 😀 word", 2, 3, "😀"),
        ("a 😀😀 word", 4, 5, "😀"),
        ("  trimmed word ", 8, 11, "word"),
        ("a<br>word", 2, 5, "word"),
        ("<br>word", 1, 4, "word"),
        ("naïve", 2, 2, "ï"),
    ],
)
def test_offsets_are_utf_16_units_of_the_trimmed_text(
    output: str, first: int, last: int, marked: str
) -> None:
    [answer] = answers(row(1, [mark(first, last)]), of=batches([item(1, output)]))
    [span] = answer.spans
    assert answer.item.output[span.start : span.end] == marked


def test_the_batch_of_an_annotator_has_all_items_that_they_answered() -> None:
    of = batches([item(1, "one"), item(2, "two")], [item(1, "other"), item(3, "three")])
    read = answers(row(1), row(2), row(1, annotator="ben"), row(3, annotator="ben"), of=of)
    assert [answer.item.output for answer in read] == ["one", "two", "other", "three"]


def test_tutorials_are_of_no_line_of_the_corpus_and_may_be_in_all_batches() -> None:
    tutorial = item(1, "Hello.", "tutorial1", _item=None)
    [answer] = answers(row(document="tutorial1"), of=batches([tutorial], [tutorial]))
    assert answer.item.segment is None


@pytest.mark.parametrize(
    ("second", "cause"),
    [
        (row()[:11], "2: the row has 11 columns instead of 12"),
        (row("x"), "2: the item is not a whole number"),
        (row(9), "2: no batch has item 9 of 'news#Alder' and the items before it of 'anna'"),
        (row(3), "2: no batch has item 3 of 'news#Alder' and the items before it"),
        (row(1, annotator="ben"), "2: several batches have item 1 of 'news#Alder', with other texts"),
        (row(annotator=" ", number=3), "2: the annotator is empty"),
        (row(kind="REF"), "2: the type of the item is not TGT or BAD: 'REF'"),
        (row(score="100.5"), "2: the score is outside 0 to 100: '100.5'"),
        (row(score="-1"), "2: the score is outside 0 to 100"),
        (row(score="nan"), "2: the score is not a finite number"),
        (row(ended=""), "2: the end is not a finite number"),
        (row(spans="[{"), "2: the spans are not JSON"),
        (row(spans="[" * 100_000), "2: the spans are not JSON"),
        (row(spans="{}"), "2: the spans are not a list"),
        (row(spans="[1]"), "2: span 1 is not a JSON object"),
        (row(spans=[mark(0, 1), mark(1, 2, "critical")]), "2: span 2: the severity is not one of minor, maj"),
        (row(spans=[{**mark(0, 1), "severity": []}]), "2: span 1: the severity is not one of"),
        (row(spans=[mark(0, "missing")]), "2: span 1: start_i and end_i are not whole numbers, nor both"),
        (row(spans=[mark(True, 2)]), "2: span 1: start_i and end_i are not whole numbers"),
        (row(spans=[mark(0, 3)]), "2: span 1 from 0 to 3 is outside the output of 3 UTF-16 units"),
        (row(spans=[mark(2, 1)]), "2: span 1 from 2 to 1 is outside"),
        (row(spans=[mark(-1, 1)]), "2: span 1 from -1 to 1 is outside"),
    ],
)
def test_a_fault_of_an_answer_names_file_line_and_cause(second: Sequence[object], cause: str) -> None:
    of = batches([item(1, "one"), item(2, "two")], [item(1, "other"), item(3, "three")])
    with pytest.raises(FormatError) as raised:
        answers(row(2), second, of=of)
    assert str(raised.value).startswith(f"answers.csv:{cause}")


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ('[\n{"items": oops}]', "batches.json:2: invalid JSON: "),
        ("[" * 100_000, "batches.json: nested too deeply"),
        ("[" + "9" * 5000 + "]", "batches.json: a number has too many digits"),
        ("{}", "batches.json: the file is not a list of batches"),
        ("[[]]", "batches.json: batch 1 has no list of items"),
        ('[{"items": []}, {"items": [3]}]', "batches.json: batch 2, item 1 is not a JSON object"),
        ('[{"items": [{"itemID": "1"}]}]', "batches.json: batch 1, item 1: itemID is not a whole number"),
        ('[{"items": [{"itemID": 1}]}]', "batches.json: batch 1, item 1: documentID is not a text"),
        (
            json.dumps([{"items": [item(1, "a", _item="Alder | x | news")]}]),
            "batches.json: batch 1, item 1: _i",
        ),
        (
            json.dumps([{"items": [item(1, "a"), item(1, "b")]}]),
            "batches.json: batch 1, item 2: the batch has i",
        ),
    ],
)
def test_a_fault_of_the_batches_names_file_place_and_cause(text: str, cause: str) -> None:
    with pytest.raises(FormatError) as raised:
        parse_batches(text, TEXTS)
    assert str(raised.value).startswith(cause)


def test_a_file_without_rows_is_a_fault() -> None:
    with pytest.raises(FormatError, match=r"answers\.csv: the file has no rows"):
        parse_error_spans("\n", ANSWERS, batches([item(1, "one")]))


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_text_is_read_or_a_fault(text: str, spans: str) -> None:
    with suppress(FormatError):
        parse_batches(text, TEXTS)
    with suppress(FormatError):
        parse_error_spans(text, ANSWERS, batches([item(1, "one")]))
    with suppress(FormatError):
        answers(row(spans=spans), of=batches([item(1, "one")]))
