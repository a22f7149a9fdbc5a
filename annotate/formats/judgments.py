"""Files of judgments, whichever of the known formats they have."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from annotate.formats.appraise import parse_appraise
from annotate.formats.lines import read_text
from annotate.formats.records import RankingRecord
from annotate.formats.wmt_csv import parse_wmt_csv


@dataclass(frozen=True, slots=True)
class JudgmentsFile:
    """A file of rankings.

    Attributes:
        records: At least one, in the order of the file.
        format: The format that was recognised.
        first_sentence: The number of a corpus's first sentence in this format: 0 in Appraise XML (GJG15's
            `src-id`), 1 in WMT CSV ("1-based" in the READMEs of WMT12 and WMT14).
    """

    records: tuple[RankingRecord, ...]
    format: Literal["appraise", "wmt-csv"]
    first_sentence: int


def read_judgments(path: Path) -> JudgmentsFile:
    """Read Appraise XML if the first character that is no blank is "<", else WMT CSV.

    Raises:
        FormatError: as `read_appraise` and `read_wmt_csv`.
    """
    text = read_text(path)
    if text.lstrip().startswith("<"):
        return JudgmentsFile(parse_appraise(text, path), "appraise", first_sentence=0)
    return JudgmentsFile(parse_wmt_csv(text, path), "wmt-csv", first_sentence=1)
