"""Marked errors in all formats: what is stored is what is exported and read back."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats import AnswerRecord, FormatError, JudgmentRecord, RatingRecord, read_judgments
from formats.digests import text_digest
from formats.spans.error_spans import BatchItem, Severity, parse_error_spans
from formats.spans.marked_errors import Mark, MarkedErrors
from formats.writers import FORMATS, Heading
from formats.writers.error_spans import counts_differently
from tests.formats.conftest import Write

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
PIECES = ("العربية", "हिन्दी", "日本語", "👩‍👩‍👧", "e\u0301", "𝒳", " ", "n't", '"', "<b>", ",")
severities = st.sampled_from([Severity.MINOR, Severity.MAJOR])


@st.composite
def marked(draw: st.DrawFn) -> tuple[str, MarkedErrors]:
    """A text in any script with marks that do not overlap."""
    text = "".join(draw(st.lists(st.sampled_from(PIECES), min_size=1, max_size=8)))
    ends = sorted(draw(st.lists(st.integers(0, len(text)), unique=True, max_size=6)))
    pairs = zip(ends[::2], ends[1::2], strict=False)
    spans = tuple(
        Mark(start, end, draw(severities), draw(st.sampled_from(["", "Verb"]))) for start, end in pairs
    )
    missing = tuple(Mark(None, None, draw(severities)) for _ in range(draw(st.integers(0, 2))))
    return text, MarkedErrors(spans, missing)


def judgment(
    text: str, errors: MarkedErrors, systems: Sequence[str] = ("A",), score: int = 0
) -> JudgmentRecord:
    rating = RatingRecord(text_digest(text), tuple(systems), score=score, rating_details=errors.details())
    answer = AnswerRecord((rating,), submitted_at=NOON, active_ms=2_500)
    return JudgmentRecord("j", "error-spans", "anna", 7, 3, 0, "complete", (answer,))


def esa(judged: JudgmentRecord, *texts: str, controls: Sequence[str] = ()) -> str:
    odd = {text_digest(text): text for text in texts if counts_differently(text)}
    heading = Heading("pilot", "en", controls=controls, texts=odd)
    return b"".join(FORMATS["esa"].write([judged], heading)).decode()


@given(marked())
@pytest.mark.parametrize("name", ["csv", "jsonl", "parquet"])
def test_tables_are_read_as_they_were_written(
    name: str, tmp_path_factory: pytest.TempPathFactory, made: tuple[str, MarkedErrors]
) -> None:
    path = tmp_path_factory.mktemp("tables") / name
    written = judgment(*made)
    path.write_bytes(b"".join(FORMATS[name].write([written], Heading("pilot", "en"))))
    [read] = read_judgments(path).judgments
    assert read.current.ratings == written.current.ratings


@given(marked())
def test_appraises_form_is_read_as_it_was_written(made: tuple[str, MarkedErrors]) -> None:
    text, errors = made
    batches = [{(7, "pilot#A"): BatchItem("", text, 7)}]
    [read] = parse_error_spans(esa(judgment(text, errors), text), Path("esa.csv"), batches)
    assert [(span.start, span.end, span.severity) for span in read.spans] == [
        (mark.start, mark.end, mark.severity) for mark in errors.spans
    ]
    assert read.missing == tuple(mark.severity for mark in errors.missing)
    assert (read.score, read.system, read.ended) == (0, "A", NOON.timestamp())


def test_each_system_has_a_row_and_controls_are_bad() -> None:
    first, second = esa(
        judgment("a😀b", MarkedErrors((Mark(2, 3, Severity.MAJOR, "Verb"),)), ("A", "C"), 100),
        "a😀b",
        controls=["C"],
    ).splitlines()
    span = '"[{""start_i"": 3, ""end_i"": 3, ""severity"": ""major"", ""error_type"": ""Verb""}]"'
    times = f"{NOON.timestamp() - 2.5:.3f},{NOON.timestamp():.3f}"
    assert first == f"anna,A,7,TGT,en,en,100,pilot#A,False,{span},{times}"
    assert second == f"anna,C,7,BAD,en,en,100,pilot#C#bad1,False,{span},{times}"


@pytest.mark.parametrize(
    ("details", "cause"),
    [
        ({"spans": [], "span_score": -1}, "span_score is -1, but the marks add up to 0"),
        ({"span_score": 0}, "there is no list of spans"),
        (
            {"spans": [{"start": 1, "end": 1, "severity": "minor"}], "span_score": -1},
            "the start before the end",
        ),
        ({"spans": [], "span_score": 0, "characters": 10**15}, "characters is not a whole number from 0 to"),
        (
            {"spans": [{"start": 0, "end": 1, "severity": "minor", "type": "a\nb"}], "span_score": -1},
            "number 1 of spans: the type contains",
        ),
    ],
)
def test_a_table_with_other_details_is_refused(write: Write, details: dict[str, object], cause: str) -> None:
    [line] = b"".join(
        FORMATS["jsonl"].write([judgment("a", MarkedErrors())], Heading("pilot", "en"))
    ).splitlines()
    path = write(json.dumps({**json.loads(line), "rating_details": details}))
    with pytest.raises(FormatError, match=cause) as fault:
        read_judgments(path)
    assert fault.value.line == 1
