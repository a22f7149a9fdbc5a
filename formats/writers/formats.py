"""The formats in which judgments are exported."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from formats import JudgmentRecord
from formats.writers.appraise import write_appraise
from formats.writers.error_spans import write_error_spans
from formats.writers.heading import Heading
from formats.writers.parquet import write_parquet
from formats.writers.tables import write_csv, write_jsonl
from formats.writers.wmt_csv import write_wmt_csv


@dataclass(frozen=True, slots=True)
class Format:
    """A format of exported files.

    Attributes:
        name: as commands and addresses have it.
        title: as people read it.
        suffix: of file names.
        content_type: for browsers.
        write: turns judgments into the bytes of a file, piece by piece.
        holds_all: whether everything that is known of a judgment stands in the file, so that it can be
            imported to the same snapshot; otherwise it holds rankings or error spans.
        holds_spans: whether it holds error spans.
    """

    name: str
    title: str
    suffix: str
    content_type: str
    write: Callable[[Iterable[JudgmentRecord], Heading], Iterator[bytes]]
    holds_all: bool
    holds_spans: bool = False


FORMATS = {
    each.name: each
    for each in (
        Format("csv", "CSV", ".csv", "text/csv; charset=utf-8", write_csv, True),
        Format("jsonl", "JSON Lines", ".jsonl", "application/jsonl; charset=utf-8", write_jsonl, True),
        Format("parquet", "Parquet", ".parquet", "application/vnd.apache.parquet", write_parquet, True),
        Format("appraise", "Appraise XML", ".xml", "application/xml; charset=utf-8", write_appraise, False),
        Format("wmt-csv", "WMT CSV", ".wmt.csv", "text/csv; charset=utf-8", write_wmt_csv, False),
        Format(
            *("esa", "Appraise ESA", ".esa.csv", "text/csv; charset=utf-8"),
            write_error_spans,
            holds_all=False,
            holds_spans=True,
        ),
    )
}
