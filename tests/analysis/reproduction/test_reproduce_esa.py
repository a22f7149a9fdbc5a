"""Error span annotation: released answers against released scores, MQM and an independent program."""

import gzip
from collections.abc import Mapping
from pathlib import Path

import pytest

from analysis.reproduction.cells import Cell, Verdict
from analysis.reproduction.esa import PAPER
from analysis.reproduction.public_data.esa_data import Esa
from formats import FormatError


@pytest.fixture(scope="module")
def tables(reference_data: Path) -> Mapping[str, Mapping[str, Cell]]:
    return PAPER.reproduce(Esa(reference_data), PAPER.tables)


def test_every_figure_agrees(tables: Mapping[str, Mapping[str, Cell]]) -> None:
    compared = {
        name: [cell for cell in cells.values() if cell.published is not None]
        for name, cells in tables.items()
    }
    assert {name: len(cells) for name, cells in compared.items()} == {
        "counts": 13,
        "spans": 5,
        "released": 3,
        "systems": 39,
        "agreement": 7,
        "controls": 6,
    }
    assert {cell.verdict for cells in compared.values() for cell in cells} == {Verdict.AGREES}
    assert not any(cell.printed for cells in compared.values() for cell in cells)


def test_answers_to_tutorials_duplicates_and_controls_are_of_no_output(reference_data: Path) -> None:
    data = Esa(reference_data)
    assert not any("#" in answer.document.partition("#")[2] for answer in data.latest.values())
    assert not any("tutorial" in answer.document for answer in data.latest.values())
    assert len(data.latest) == len(data.of_outputs), "an output has one annotator"


def test_the_latest_answer_of_an_annotator_counts(reference_data: Path) -> None:
    data = Esa(reference_data)
    earlier = [
        answer
        for answer in data.answers
        if answer.annotator == "engdeu691c" and answer.document == "apparel-5-en_0929230-74#ONLINE-W"
    ]
    assert sorted((answer.number, answer.score) for answer in earlier if answer.number in (58, 59)) == [
        (58, 93),
        (58, 95),
        (59, 71),
        (59, 75),
    ]
    kept = {answer.number: answer.score for answer in data.of_outputs.values() if answer in earlier}
    assert (kept[58], kept[59]) == (93, 71), "in the file, the later answer stands first"


@pytest.mark.parametrize(
    ("content", "cause"),
    [
        (None, r"en-de\.MQM-1\.seg\.score\.gz: no such file"),
        (b"Alder\t1\n", r"score\.gz: not a file packed by gzip"),
        (gzip.compress(b"Alder\t1\n", mtime=0)[:-9], r"score\.gz: not a file packed by gzip"),
        (
            gzip.compress(b"Alder\t-1\nAlder -1\n", mtime=0),
            r"score\.gz:2: the line is not a system, a tab and a score",
        ),
        (gzip.compress(b"Alder\tnone\n", mtime=0), r"score\.gz:1: the score is not a finite number: 'none'"),
        (gzip.compress(b"Al der\t1\n", mtime=0), r"score\.gz:1: bad system name"),
    ],
)
def test_a_faulty_file_is_named_with_its_line(tmp_path: Path, content: bytes | None, cause: str) -> None:
    (tmp_path / "esa").mkdir()
    if content is not None:
        (tmp_path / "esa" / "en-de.MQM-1.seg.score.gz").write_bytes(content)
    with pytest.raises(FormatError, match=cause):
        _ = Esa(tmp_path).mqm
