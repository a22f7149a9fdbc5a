"""Files of judgments in any known format."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from core.progress import NoProgress, Progress
from formats.appraise import parse_appraise
from formats.essay_ratings import is_essay_ratings, parse_essay_ratings
from formats.exported.exported_text import parse_exported_csv, parse_exported_jsonl
from formats.records import JudgmentRecord, RankingRecord
from formats.text.lines import plain_text, read_bytes, text_as_it_is
from formats.wmt_csv import parse_wmt_csv

READ_FORMATS = "an export of Assay, Appraise XML, WMT CSV, or ratings of essays"
"""What `read_judgments` reads, in words for help texts."""

PARQUET = b"PAR1"
"""The first bytes of every Parquet file."""


@dataclass(frozen=True, slots=True)
class JudgmentsFile:
    """A file of rankings, or one of whole judgments: an export of ours, or ratings of essays.

    Attributes:
        records: The rankings in the order of the file; none in a file of judgments.
        format: The format that was recognised.
        first_sentence: The number of a corpus's first sentence in this format: 1 in WMT CSV ("1-based" in the
            READMEs of WMT12 and WMT14), 0 in all others (GJG15's `src-id` in Appraise XML).
        judgments: Whole judgments in the order of the file; none in a file of rankings.
    """

    records: tuple[RankingRecord, ...]
    format: Literal["appraise", "wmt-csv", "export", "essay-ratings"]
    first_sentence: int
    judgments: tuple[JudgmentRecord, ...] = ()


def read_judgments(path: Path, progress: Progress | None = None) -> JudgmentsFile:
    """Read judgments; the beginning of the file tells which format it has.

    `progress` is told how far the reading of an export is; other formats have no files as large.

    Parquet begins with "PAR1", XML with "<", JSON Lines with "{", ratings of essays with a system and a line
    of points, and the header of an exported CSV names the schema version; anything else is WMT CSV.

    Raises:
        FormatError: as the reader of the format, and as `read_bytes`.
    """
    raw, progress = read_bytes(path), progress or NoProgress()
    if raw.startswith(PARQUET):
        # Imported here, because PyArrow takes longer to load than everything that judging needs.
        from formats.exported.exported_parquet import parse_exported_parquet

        return _export(parse_exported_parquet(raw, path, progress))
    text = text_as_it_is(raw, path)
    beginning = text.lstrip()[:1]
    if beginning == "{":
        return _export(parse_exported_jsonl(text, path, progress))
    if beginning == "<":
        return JudgmentsFile(parse_appraise(plain_text(raw, path), path), "appraise", first_sentence=0)
    if is_essay_ratings(text):
        ratings = parse_essay_ratings(plain_text(raw, path), path)
        return JudgmentsFile((), "essay-ratings", first_sentence=0, judgments=ratings.judgments)
    header, _, _ = text.partition("\n")
    if "schema_version" in header:
        return _export(parse_exported_csv(text, path, progress))
    return JudgmentsFile(parse_wmt_csv(plain_text(raw, path), path), "wmt-csv", first_sentence=1)


def _export(judgments: tuple[JudgmentRecord, ...]) -> JudgmentsFile:
    return JudgmentsFile((), "export", first_sentence=0, judgments=judgments)
