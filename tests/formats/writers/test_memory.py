"""Memory holds one chunk of the judgments. `dev/benchmarks/exports.py` measures a million ratings."""

import tracemalloc
from collections.abc import Callable

import pytest

from annotate.judgments import stream as judgment_stream
from annotate.judgments.exporting import export_judgments
from annotate.judgments.stream import Selection, stream
from annotate.models import Campaign
from formats.writers import FORMATS, parquet, pieces, tables
from tests.annotate.samples import campaign_without_texts, no_progress, ranking

JUDGMENTS = 800


def peak(action: Callable[[], object]) -> int:
    """Bytes at the worst moment of an action, beyond those before it."""
    tracemalloc.start()
    action()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def export(campaign: Campaign, file_format: str) -> None:
    """Take all pieces of the file, and keep none."""
    for _ in export_judgments(
        campaign=campaign, file_format=FORMATS[file_format], selection=Selection(), names=True, by=None
    ):
        pass


@pytest.mark.django_db
def test_memory_holds_a_chunk_of_the_judgments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judgment_stream, "JUDGMENTS_PER_CHUNK", JUDGMENTS // 20)
    monkeypatch.setattr(parquet, "ROWS_PER_GROUP", JUDGMENTS // 10)
    monkeypatch.setattr(tables, "ROWS_AT_ONCE", JUDGMENTS // 10)
    monkeypatch.setattr(pieces, "PIECE_BYTES", 2**12)
    campaign = campaign_without_texts(
        rankings=[ranking("anna", number, "Alder > Birch = Cedar") for number in range(JUDGMENTS)]
    )
    formats = [name for name, each in FORMATS.items() if not each.holds_spans]
    for file_format in formats:
        export(campaign, file_format)  # Loads what it needs, which counts for no format.
    everything = peak(lambda: list(stream(campaign, Selection(), named=str, progress=no_progress)))
    for file_format in formats:
        assert peak(lambda name=file_format: export(campaign, name)) < everything / 2, file_format  # type: ignore[misc]
