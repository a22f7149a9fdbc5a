"""Corrections of sentences as files: parallel references, M2, JSON Lines, CSV and Parquet."""

import io
import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.formulas import guarded
from core.later import pa, pq
from core.tables import csv_text
from formats.m2 import M2Sentence
from formats.m2_writing import m2_text
from formats.records import Edit, Reference
from formats.text.checks import Place
from formats.writers.pieces import in_pieces

COLUMNS = ("sentences", "source", "correction", "frequency", "annotators", "left_out")


@dataclass(frozen=True, slots=True)
class WrittenSentence:
    """A sentence with its corrections, or one that nobody could correct.

    Attributes:
        places: positions of the sentences that it consists of, counted from 0.
        source: the sentence.
        corrections: annotator and text of each correction; none if it is left out.
        distinct: text of each distinct correction with its annotators, the most frequent first.
        verdicts: how often each verdict was given.
    """

    places: tuple[int, ...]
    source: str
    corrections: Sequence[tuple[str, str]]
    distinct: Sequence[tuple[str, Sequence[str]]]
    verdicts: Mapping[str, int]

    @property
    def left_out(self) -> str:
        """Why it is left out, such as "fragment: 2, not-annotatable: 1"; empty if it has corrections."""
        said = ", ".join(f"{verdict}: {number}" for verdict, number in self.verdicts.items())
        return "" if self.corrections else said or "no correction"


EditsOf = Callable[[str, str], tuple[Edit, ...]]
"""The edits from a source to a text."""

Write = Callable[[Sequence[WrittenSentence], EditsOf], Iterator[bytes]]


@dataclass(frozen=True, slots=True)
class CorrectionsFormat:
    """A file of corrections.

    Attributes:
        title: name of the format.
        suffix: end of the file's name.
        content_type: of the response.
        write: makes the file in pieces.
    """

    title: str
    suffix: str
    content_type: str
    write: Write


def _parallel(sentences: Sequence[WrittenSentence], edits: EditsOf) -> Iterator[bytes]:
    """A ZIP: `source.txt`, `reference-1.txt` and so on, line by line, and what belongs to the lines.

    A sentence with fewer corrections than another repeats its corrections, so that no line is empty.
    """
    kept = [sentence for sentence in sentences if sentence.corrections]
    most = max((len(sentence.corrections) for sentence in kept), default=0)
    left_out = [sentence for sentence in sentences if not sentence.corrections]
    files = {
        "source.txt": [sentence.source for sentence in kept],
        **{
            f"reference-{number + 1}.txt": [
                sentence.corrections[number % len(sentence.corrections)][1] for sentence in kept
            ]
            for number in range(most)
        },
        "sentences.tsv": ["sentences\tcorrections"]
        + [f"{_places(sentence)}\t{len(sentence.corrections)}" for sentence in kept],
        "left-out.tsv": ["sentences\tsource\twhy"]
        + [f"{_places(sentence)}\t{sentence.source}\t{sentence.left_out}" for sentence in left_out],
    }
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, lines in files.items():
            packed.writestr(zipfile.ZipInfo(name), "".join(f"{line}\n" for line in lines))
    yield archive.getvalue()


def _m2(sentences: Sequence[WrittenSentence], edits: EditsOf) -> Iterator[bytes]:
    """One annotator for each person; further versions of a person are annotators of their own."""
    return in_pieces(
        m2_text(
            M2Sentence(
                Place(Path(), None),
                tuple(sentence.source.split()),
                tuple(
                    Reference(name, text, edits(sentence.source, text))
                    for name, text in _named(sentence.corrections)
                ),
            )
            for sentence in sentences
            if sentence.corrections
        )
    )


def _jsonl(sentences: Sequence[WrittenSentence], edits: EditsOf) -> Iterator[bytes]:
    return in_pieces(
        json.dumps(
            {
                "sentences": list(sentence.places),
                "source": sentence.source,
                "corrections": [
                    {"text": text, "frequency": len(annotators), "annotators": list(annotators)}
                    for text, annotators in sentence.distinct
                ],
                "left_out": sentence.left_out or None,
            },
            ensure_ascii=False,
        )
        + "\n"
        for sentence in sentences
    )


def _csv(sentences: Sequence[WrittenSentence], edits: EditsOf) -> Iterator[bytes]:
    rows = (
        (places, guarded(source), guarded(text), frequency, annotators, why)
        for places, source, text, frequency, annotators, why in _rows_of_corrections(sentences)
    )
    return in_pieces(csv_text(COLUMNS, rows))


def _parquet(sentences: Sequence[WrittenSentence], edits: EditsOf) -> Iterator[bytes]:

    columns = list(zip(*_rows_of_corrections(sentences), strict=True)) or [()] * len(COLUMNS)
    kinds = [pa.int64() if name == "frequency" else pa.string() for name in COLUMNS]
    table = pa.Table.from_arrays(
        [pa.array(list(values), kind) for values, kind in zip(columns, kinds, strict=True)], names=COLUMNS
    )
    file = io.BytesIO()
    pq.write_table(table, file)
    yield file.getvalue()


def _rows_of_corrections(
    sentences: Iterable[WrittenSentence],
) -> Iterator[tuple[str, str, str | None, int | None, str | None, str | None]]:
    """A row for each distinct correction, and for each sentence that is left out."""
    for sentence in sentences:
        if not sentence.corrections:
            yield _places(sentence), sentence.source, None, None, None, sentence.left_out
        for text, annotators in sentence.distinct:
            yield _places(sentence), sentence.source, text, len(annotators), " ".join(annotators), None


def _places(sentence: WrittenSentence) -> str:
    return " ".join(map(str, sentence.places))


def _named(corrections: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    versions: dict[str, int] = {}
    for annotator, text in corrections:
        versions[annotator] = versions.get(annotator, 0) + 1
        yield (annotator if versions[annotator] == 1 else f"{annotator}-{versions[annotator]}"), text


CORRECTIONS_FORMATS: Mapping[str, CorrectionsFormat] = {
    "csv": CorrectionsFormat("CSV", ".csv", "text/csv; charset=utf-8", _csv),
    "jsonl": CorrectionsFormat("JSON Lines", ".jsonl", "application/x-ndjson", _jsonl),
    "parquet": CorrectionsFormat("Parquet", ".parquet", "application/vnd.apache.parquet", _parquet),
    "m2": CorrectionsFormat("M2", ".m2", "text/plain; charset=utf-8", _m2),
    "zip": CorrectionsFormat("Parallel text", ".zip", "application/zip", _parallel),
}
"""Formats of corrections, by the ending of the file."""
