"""Several people's corrections (or simplifications) of sentences, as a table with tabs or commas.

    sentence                        correction                      worker   status
    He walk home .                  He walks home .                 w01      Approved
    He walk home .                  He walked home.                 w02      Approved

Columns stand in any order; `sentence` and one of `correction` and `simplification` are required. Other
columns (a batch, a worker, a status) are kept with the answer, for selection; a status of "Rejected" makes an
answer not count. Cells may be quoted as in CSV,
and then span lines; white space of any kind within them is one blank.
"""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from formats.checks import Place, quoted
from formats.lines import read_bytes, text_as_it_is
from formats.records import CorpusRecord, FormatError, Reference, SentenceRecord

SENTENCE = "sentence"
ANSWERS = ("correction", "simplification")
STATUS = "status"
REJECTED = "Rejected"


@dataclass(frozen=True, slots=True)
class CollectedAnswer:
    """One person's answer.

    Attributes:
        place: where the row begins, for messages about it.
        sentence: the sentence as shown.
        answer: what the person made of it.
        details: the other columns, by name.
    """

    place: Place
    sentence: str
    answer: str
    details: Mapping[str, str]


def read_collected_answers(path: Path) -> tuple[CollectedAnswer, ...]:
    """The answers in the order of the file.

    Raises:
        FormatError: malformed; a column missing or twice; rows of another length than the heading; a row
            without a sentence or an answer; no row; and all faults of `read_bytes` and `text_as_it_is`.
    """
    text = text_as_it_is(read_bytes(path), path)
    delimiter = "\t" if "\t" in text.partition("\n")[0] else ","
    reader = csv.reader(StringIO(text, newline=""), strict=True, delimiter=delimiter)
    read = 0
    answers: list[CollectedAnswer] = []
    try:
        heading = _heading(next(reader, []), Place(path, 1))
        read = reader.line_num
        for cells in reader:
            place, read = Place(path, read + 1), reader.line_num
            if cells:
                answers.append(_answer(cells, heading, place))
    except csv.Error as error:
        raise FormatError(path, read + 1, f"malformed table: {error}") from error
    if not answers:
        raise FormatError(path, None, "the file holds a heading, but no answer")
    return tuple(answers)


def read_answers_as_corpus(path: Path) -> CorpusRecord:
    """A corpus without systems: each sentence with its answers, but for rejected ones, as references.

    References are called by the number of the answer to their sentence, since hardly anybody answers all.

    Raises:
        FormatError: all answers are rejected, and all faults of `read_collected_answers`.
    """
    answers = accepted(read_collected_answers(path))
    if not answers:
        raise FormatError(path, None, f"every answer has the {STATUS} {REJECTED}")
    sentences = tuple(
        SentenceRecord(
            sentence,
            {},
            tuple(Reference(f"{number:04}", text, None) for number, text in enumerate(texts)),
            "",
            "",
        )
        for sentence, texts in by_sentence(answers).items()
    )
    return CorpusRecord(sentences, (), ())


def accepted(answers: Iterable[CollectedAnswer]) -> list[CollectedAnswer]:
    """The answers that were not rejected."""
    return [each for each in answers if each.details.get(STATUS) != REJECTED]


def by_sentence(answers: Iterable[CollectedAnswer]) -> dict[str, tuple[str, ...]]:
    """The answers of each sentence, in the order in which sentences are first met."""
    collected: dict[str, list[str]] = {}
    for each in answers:
        collected.setdefault(each.sentence, []).append(each.answer)
    return {sentence: tuple(texts) for sentence, texts in collected.items()}


def _heading(cells: list[str], place: Place) -> list[str]:
    names = [cell.strip().lower() for cell in cells]
    if SENTENCE not in names or not any(name in names for name in ANSWERS):
        raise place.fault(f"the heading needs the columns {SENTENCE}, and {' or '.join(ANSWERS)}")
    if len(set(names)) < len(names):
        raise place.fault("a column occurs twice in the heading")
    return names


def _answer(cells: list[str], heading: list[str], place: Place) -> CollectedAnswer:
    if len(cells) != len(heading):
        raise place.fault(f"{len(cells)} cells, but {len(heading)} columns in the heading")
    row = {name: " ".join(cell.split()) for name, cell in zip(heading, cells, strict=True)}
    sentence = row.pop(SENTENCE)
    answer = row.pop(next(name for name in ANSWERS if name in row))
    for name, text in ((SENTENCE, sentence), ("answer", answer)):
        if not text:
            raise place.fault(f"the {name} is empty; the row begins {quoted(' '.join(cells))}")
    return CollectedAnswer(place, sentence, answer, row)
