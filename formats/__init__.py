"""Readers of the field's file formats. They know no database: a file becomes records, or a FormatError."""

from formats.appraise import read_appraise
from formats.file_names import named_after
from formats.jsonl import read_jsonl
from formats.judgments import JudgmentsFile, read_judgments
from formats.m2 import Absent, M2File, M2Sentence, read_m2
from formats.m2_counts import AnnotatorCounts, M2Counts, count_edits
from formats.m2_writing import m2_text
from formats.parallel import read_edited_outputs, read_parallel
from formats.records import (
    MAX_ANNOTATORS,
    MAX_FILE_BYTES,
    MAX_LINES,
    MAX_NAME_CHARS,
    MAX_NOTE_CHARS,
    MAX_SYSTEMS,
    MAX_TEXT_CHARS,
    SYSTEM_NAME,
    AnswerRecord,
    CorpusRecord,
    Edit,
    FormatError,
    JudgmentRecord,
    RankedGroup,
    RankingRecord,
    RatingRecord,
    Reference,
    SentenceRecord,
)
from formats.wmt_csv import read_wmt_csv

__all__ = [
    "MAX_ANNOTATORS",
    "MAX_FILE_BYTES",
    "MAX_LINES",
    "MAX_NAME_CHARS",
    "MAX_NOTE_CHARS",
    "MAX_SYSTEMS",
    "MAX_TEXT_CHARS",
    "SYSTEM_NAME",
    "Absent",
    "AnnotatorCounts",
    "AnswerRecord",
    "CorpusRecord",
    "Edit",
    "FormatError",
    "JudgmentRecord",
    "JudgmentsFile",
    "M2Counts",
    "M2File",
    "M2Sentence",
    "RankedGroup",
    "RankingRecord",
    "RatingRecord",
    "Reference",
    "SentenceRecord",
    "count_edits",
    "m2_text",
    "named_after",
    "read_appraise",
    "read_edited_outputs",
    "read_jsonl",
    "read_judgments",
    "read_m2",
    "read_parallel",
    "read_wmt_csv",
]
