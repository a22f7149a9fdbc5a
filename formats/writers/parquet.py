"""Tables of judgments as Parquet, with the types of the columns."""

from collections.abc import Iterable, Iterator
from io import RawIOBase
from itertools import islice

from core.later import pa, pq
from formats import JudgmentRecord
from formats.exported.exported_parquet import schema
from formats.writers.heading import Heading
from formats.writers.tables import all_rows

ROWS_PER_GROUP = 20_000


def write_parquet(judgments: Iterable[JudgmentRecord], heading: Heading) -> Iterator[bytes]:
    """Parquet in row groups of ROWS_PER_GROUP, each of which is a piece."""
    rows = all_rows(judgments, heading)
    sink = _Sink()
    with pq.ParquetWriter(sink, schema()) as writer:
        while group := list(islice(rows, ROWS_PER_GROUP)):
            columns = zip(*group, strict=True)
            arrays = [pa.array(values, field.type) for values, field in zip(columns, schema(), strict=True)]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema()))
            yield sink.taken()
    yield sink.taken()


class _Sink(RawIOBase):
    """A file that forgets what was taken from it, and still knows where it stands."""

    def __init__(self) -> None:
        self._waiting: list[bytes] = []
        self._written = 0

    def writable(self) -> bool:
        return True

    def write(self, piece: "bytes | memoryview") -> int:  # type: ignore[override]  # Arrow writes nothing else
        self._waiting.append(bytes(piece))
        self._written += len(piece)
        return len(piece)

    def tell(self) -> int:
        return self._written

    def taken(self) -> bytes:
        """The bytes written since the last call."""
        piece = b"".join(self._waiting)
        self._waiting = []
        return piece
