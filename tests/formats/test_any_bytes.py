"""For a file of any bytes, a reader quickly gives a consistent record or a FormatError."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from formats import (
    MAX_TEXT_CHARS,
    SYSTEM_NAME,
    AnswerRecord,
    CorpusRecord,
    FormatError,
    JudgmentRecord,
    JudgmentsFile,
    M2File,
    RankingRecord,
    RatingRecord,
    Reference,
    read_appraise,
    read_jsonl,
    read_judgments,
    read_m2,
    read_parallel,
    read_wmt_csv,
)
from formats.writers import FORMATS, Heading
from tests.depth import examples

IN_BOUNDED_TIME = timedelta(seconds=10)

APPRAISE = """<?xml version="1.0" encoding="UTF-8"?>
<appraise-results><error-correction-ranking-result>
<ranking-item src-id="3" user="j" duration="00:00:48.9"><translation rank="2" system="A B"/>
<translation rank="1" system="C"/></ranking-item><ranking-item id="4" user="k"/>
</error-correction-ranking-result></appraise-results>
"""
WMT = """srcIndex,judgeID,system1Id,system1rank,system2Id,system2rank
12,j,online-A,1,uedin,2
13,"k",online-A,-1,uedin,1
"""
GOLD = """S He go home .
A 1 2|||SVA|||goes||went|||REQUIRED|||-NONE-|||0
A 3 3|||Prep|||-NONE-|||REQUIRED|||-NONE-|||1

S Fine .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1
"""
PARALLEL = "He go home .\r\n\r\nFine – .\n"
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
OBJECTS = (
    json.dumps({"source": "He go .", "outputs": {"A": "He goes .", "B": ""}, "document": "d", "domain": "e"})
    + "\n"
    + json.dumps({"source": "é", "references": ["e", {"annotator": "x", "text": ""}]}, ensure_ascii=False)
)

RATINGS = (
    RatingRecord("a" * 64, ("A", "B"), rank=1, score=50, meaning_changed=False),
    RatingRecord("b" * 64, ("C",), rank=2),
)
JUDGMENTS = (
    JudgmentRecord("j1", "p", "anna", 0, 0, 0, "complete", (AnswerRecord(RATINGS, active_ms=5),)),
    JudgmentRecord("j2", "p", "=ben", 1, 1, 0, "skipped", (AnswerRecord((), text="é\n", submitted_at=NOON),)),
)
EXPORTS = {
    name: b"".join(FORMATS[name].write(JUDGMENTS, Heading("c", "en"))) for name in ("csv", "jsonl", "parquet")
}


def read_as_output(path: Path) -> CorpusRecord:
    source = path.with_name("source")
    source.write_text("He go home .\nI am fine .\nFine – .\n", encoding="utf-8")
    return read_parallel(source, {"A": path}, references={"r": path})


def check_text(text: str) -> None:
    text.encode("utf-8")
    assert text == text.strip()
    assert len(text) <= MAX_TEXT_CHARS
    assert not any(character < " " and character != "\t" for character in text)


def check_references(references: tuple[Reference, ...]) -> None:
    annotators = [reference.annotator for reference in references]
    assert len(set(annotators)) == len(annotators)
    for reference in references:
        assert reference.annotator
        check_text(reference.text)


def check_corpus(corpus: CorpusRecord) -> None:
    assert corpus.sentences
    assert {name for sentence in corpus.sentences for name in sentence.outputs} == set(corpus.systems)
    assert all(SYSTEM_NAME.fullmatch(name) for name in corpus.systems)
    for sentence in corpus.sentences:
        assert sentence.source
        for text in (sentence.source, sentence.document, sentence.domain, *sentence.outputs.values()):
            check_text(text)
        check_references(sentence.references)


def check_m2(file: M2File) -> None:
    assert file.sentences
    for sentence in file.sentences:
        assert sentence.tokens
        check_references(sentence.references)
        assert {reference.annotator for reference in sentence.references} <= set(file.annotators)
        for reference in sentence.references:
            assert reference.edits is not None
            bounds = [bound for edit in reference.edits for bound in (edit.start, edit.end)]
            assert bounds == sorted(bounds)
            assert not bounds or 0 <= bounds[0] <= bounds[-1] <= len(sentence.tokens)


def check_rankings(records: tuple[RankingRecord, ...]) -> None:
    assert records
    for record in records:
        assert record.line >= 1
        assert record.annotator
        assert record.sentence >= 0
        names = [name for group in record.groups for name in group.systems]
        assert len(set(names)) == len(names)
        assert all(SYSTEM_NAME.fullmatch(name) for name in names)
        assert all(1 <= group.rank <= max(5, len(record.groups)) for group in record.groups)
        assert record.duration_ms is None or record.duration_ms >= 0


def check_judgments(judgments: tuple[JudgmentRecord, ...]) -> None:
    assert judgments
    assert len({judgment.key for judgment in judgments}) == len(judgments)
    for judgment in judgments:
        assert judgment.line
        assert judgment.annotator.strip()
        assert min(judgment.sentence, judgment.item, judgment.repetition) >= 0
        numbers = [answer.number for answer in judgment.answers]
        assert numbers == sorted(set(numbers))
        for answer in judgment.answers:
            (answer.text or "").encode()
            check_ratings(answer.ratings)


def check_ratings(ratings: tuple[RatingRecord, ...]) -> None:
    names = [name for rating in ratings for name in rating.systems]
    assert len(set(names)) == len(names)
    assert all(SYSTEM_NAME.fullmatch(name) for name in names)
    assert all(rating.systems and (rating.rank is None or rating.rank >= 1) for rating in ratings)
    assert all(rating.score is None or 0 <= rating.score <= 100 for rating in ratings)


def check_fault(fault: FormatError) -> None:
    assert fault.cause
    assert fault.line is None or fault.line >= 1
    str(fault).encode("utf-8")


@dataclass(frozen=True)
class Case:
    """A reader and a file that it reads."""

    read: Callable[[Path], object]
    valid: bytes

    def outcome(self, path: Path) -> object:
        try:
            return self.read(path)
        except FormatError as fault:
            return fault

    def check(self, path: Path) -> None:
        match self.outcome(path):
            case FormatError() as fault:
                check_fault(fault)
            case CorpusRecord() as corpus:
                check_corpus(corpus)
            case M2File() as file:
                check_m2(file)
            case JudgmentsFile(format="export", judgments=judgments):
                check_judgments(judgments)
            case JudgmentsFile(records=records) | (tuple() as records):
                check_rankings(records)
            case other:
                raise AssertionError(f"unexpected {other!r}")


CASES = {
    "parallel": Case(read_as_output, PARALLEL.encode()),
    "jsonl": Case(read_jsonl, OBJECTS.encode()),
    "m2": Case(read_m2, GOLD.encode()),
    "m2 lenient": Case(lambda path: read_m2(path, lenient=True), GOLD.encode()),
    "m2 unchanged": Case(lambda path: read_m2(path, absent="unchanged"), GOLD.encode()),
    "appraise": Case(read_appraise, APPRAISE.encode()),
    "wmt csv": Case(read_wmt_csv, WMT.encode()),
    "judgments xml": Case(read_judgments, APPRAISE.encode()),
    "judgments csv": Case(read_judgments, WMT.encode()),
    **{f"exported {name}": Case(read_judgments, content) for name, content in EXPORTS.items()},
}
cases = pytest.mark.parametrize("case", CASES.values(), ids=CASES)

FRAGMENTS = st.one_of(
    st.sampled_from([b"\n", b"\r\n", b"\r", b" ", b"\t", b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xc2\x85"]),
    st.sampled_from([b"S ", b"A ", b"|||", b"||", b"-1", b"0", b"9" * 30, b"noop", b"\xe2\x80\xa8"]),
    st.sampled_from([b"{", b"}", b"[" * 2000, b'"', b",", b"NaN", rb"\ud800", rb"\n", b"system3Id"]),
    st.sampled_from([b"<", b"/>", b"&", b"&#0;", b"<!DOCTYPE a>", b"<!--", b"<![CDATA[", b"<?x ?>", b"'"]),
)


@st.composite
def mutations(draw: st.DrawFn, valid: bytes) -> bytes:
    """The valid bytes with one to four stretches deleted, doubled or replaced."""
    content = valid
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        end = min(len(content), start + draw(st.integers(0, 12)))
        old = content[start:end]
        new = draw(st.one_of(FRAGMENTS, st.binary(max_size=4), st.sampled_from([b"", old * 2])))
        content = content[:start] + new + content[end:]
    return content


@cases
def test_the_unchanged_file_is_read(scratch_file: Path, case: Case) -> None:
    """Otherwise the mutations below would all die at the same spot."""
    scratch_file.write_bytes(case.valid)
    assert case.read(scratch_file)


@cases
@given(content=st.binary(max_size=300))
@settings(deadline=IN_BOUNDED_TIME)
def test_arbitrary_bytes(scratch_file: Path, case: Case, content: bytes) -> None:
    scratch_file.write_bytes(content)
    case.check(scratch_file)


@cases
@given(data=st.data())
@settings(max_examples=examples(200), deadline=IN_BOUNDED_TIME)
def test_almost_valid_bytes(scratch_file: Path, case: Case, data: st.DataObject) -> None:
    scratch_file.write_bytes(data.draw(mutations(case.valid)))
    case.check(scratch_file)
