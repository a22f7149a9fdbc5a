"""The field's file formats: files become records, or a FormatError, and records become frames. No database.

Modules that need pandas are loaded at the first use: the web server reads records and starts without it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from formats.appraise import read_appraise
from formats.file_names import named_after
from formats.jsonl import read_jsonl
from formats.judgments import JudgmentsFile, read_judgments
from formats.m2 import Absent, M2File, M2Sentence, read_m2
from formats.m2_counts import AnnotatorCounts, M2Counts, count_edits
from formats.m2_writing import m2_text
from formats.parallel import read_beside, read_edited_outputs, read_m2_with_references, read_parallel
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

if TYPE_CHECKING:
    from formats.snapshot.snapshots import content_hash, frame_of_file, frame_of_judgments

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
    "content_hash",
    "count_edits",
    "frame_of_file",
    "frame_of_judgments",
    "m2_text",
    "named_after",
    "read_appraise",
    "read_beside",
    "read_edited_outputs",
    "read_jsonl",
    "read_judgments",
    "read_m2",
    "read_m2_with_references",
    "read_parallel",
    "read_wmt_csv",
]

_OF_SNAPSHOTS = ("content_hash", "frame_of_file", "frame_of_judgments")


def __getattr__(name: str) -> Any:
    if name in _OF_SNAPSHOTS:
        return getattr(import_module("formats.snapshot.snapshots"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
