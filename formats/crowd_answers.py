"""Corrections written by a crowd, and a crowd's judgments of whether corrections are valid, as judgments.

    worker  status    seconds  sentence        correction
    w01     Approved  41       He walk home .  He walked home .

    worker  status    seconds  original        correction        valid
    w02     Approved  19       He walk home .  He walked home .  Yes

Result files of Mechanical Turk batches are read the same way; a mapping names the columns whose names differ.
White space of any kind within cells is one blank.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from formats.answer_tables import AnswerRow, columns_of, read_answer_rows
from formats.digests import text_digest
from formats.records import (
    MAX_SYSTEMS,
    AnswerRecord,
    CorpusRecord,
    FormatError,
    JudgmentRecord,
    RatingRecord,
    SentenceRecord,
)
from formats.snapshot.vocabulary import CorrectionVerdict, JudgmentState, ProtocolName, ValidityVerdict
from formats.text.checks import Place, checked_name, checked_source, checked_text, finite_number, quoted

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "sentence": ("sentence", "original", "source", "input.sentence", "input.original"),
    "correction": ("correction", "simplification", "answer.correction", "input.correction"),
    "valid": ("valid", "answer.valid"),
    "worker": ("worker", "workerid"),
    "status": ("status", "assignmentstatus"),
    "seconds": ("seconds", "worktimeinseconds"),
}
"""Usual names of the columns of each value, in lower case."""

REQUIRED = ("sentence", "correction", "worker")
REJECTED = "rejected"
WORDS = {
    "yes": ValidityVerdict.YES,
    "no": ValidityVerdict.NO,
    "cannot say": ValidityVerdict.CANNOT_SAY,
    "cannot-say": ValidityVerdict.CANNOT_SAY,
}
OUTPUTS = "correction-{}"
"""Name of the system that stands for the first, second … distinct correction of each sentence."""

MOST_SECONDS = 10**7
NOT_A_WORD = re.compile(r"\W+")


@dataclass(frozen=True, slots=True)
class CrowdTable:
    """How a table is read.

    Attributes:
        columns: by what they say (`COLUMNS`), the names of columns that are not the usual ones.
        only: by name of a column, the value that rows must have to be read.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    only: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CrowdAnswers:
    """Corrections of a crowd, or judgments of their validity.

    Attributes:
        corpus: the sentences in the order in which they are first met; of validity with the corrections as
            outputs.
        judgments: in the order of the file; rejected answers are *surplus*.
        repeated: answers by a worker who had already answered the same question, in words.
    """

    corpus: CorpusRecord
    judgments: tuple[JudgmentRecord, ...]
    repeated: tuple[str, ...]


def is_crowd_table(beginning: str, table: CrowdTable) -> bool:
    """Whether the first line of a file is the heading of such a table."""
    columns = columns_of(beginning.partition("\n")[0].removeprefix("\ufeff"))
    return (
        _column("sentence", columns, table) is not None and _column("correction", columns, table) is not None
    )


def read_crowd_answers(path: Path, table: CrowdTable | None = None) -> CrowdAnswers:
    """Read corrections, or judgments of their validity if there is a column for these.

    Raises:
        FormatError: more than MAX_SYSTEMS corrections of a sentence; a column is missing, or named and not
            there; a cell is empty, or no number or no word of validity; no row has
            the values asked for; and all faults of `read_answer_rows`.
    """
    table = table or CrowdTable()
    rows = read_answer_rows(path, partial(_check_columns, table=table))
    chosen = [
        row for row in rows if all(row.cells[name.lower()] == value for name, value in table.only.items())
    ]
    if not chosen:
        asked = " and ".join(f"{name} {quoted(value)}" for name, value in table.only.items())
        raise Place(path, 1).fault(f"none of the {len(rows)} rows has {asked}")
    names = {said: name for said in COLUMNS if (name := _column(said, list(rows[0].cells), table))}
    reader = _Reader(names)
    judgments = tuple(reader.judgment(number, row) for number, row in enumerate(chosen))
    if (most := len(reader.corpus.systems)) > MAX_SYSTEMS:
        raise FormatError(
            path, None, f"{most:,} corrections of one sentence, at most {MAX_SYSTEMS} are allowed"
        )
    return CrowdAnswers(reader.corpus, judgments, tuple(reader.repeated))


def _column(said: str, columns: Collection[str], table: CrowdTable) -> str | None:
    """The column that says this; None if there is none."""
    if said in table.columns:
        return table.columns[said].lower() if table.columns[said].lower() in columns else None
    return next((name for name in COLUMNS[said] if name in columns), None)


def _check_columns(columns: Sequence[str], place: Place, *, table: CrowdTable) -> None:
    listed = ", ".join(columns)
    for said, name in table.columns.items():
        if said not in COLUMNS:
            raise place.fault(f"no column can be mapped to {quoted(said)}; these can: {', '.join(COLUMNS)}")
        if name.lower() not in columns:
            raise place.fault(f"there is no column {quoted(name)}; the columns are: {listed}")
    for name in table.only:
        if name.lower() not in columns:
            raise place.fault(f"there is no column {quoted(name)}; the columns are: {listed}")
    for said in REQUIRED:
        if _column(said, columns, table) is None:
            raise place.fault(f"no column is the {said}; the columns are: {listed}")


class _Reader:
    """Numbers sentences, corrections and questions in the order in which they are met."""

    def __init__(self, columns: Mapping[str, str]) -> None:
        self._columns = columns
        self._places: dict[str, int] = {}
        self._outputs: list[dict[str, str]] = []
        self._items: dict[tuple[str, ...], int] = {}
        self._repetitions: Counter[int] = Counter()
        self._answered: set[tuple[int, str]] = set()
        self.repeated: list[str] = []

    @property
    def corpus(self) -> CorpusRecord:
        """The sentences; a judged correction is the output of the system with its number."""
        sentences = tuple(
            SentenceRecord(source, {name: text for text, name in outputs.items()}, (), "", "")
            for source, outputs in zip(self._places, self._outputs, strict=True)
        )
        most = max(map(len, self._outputs))
        return CorpusRecord(sentences, tuple(OUTPUTS.format(number + 1) for number in range(most)), ())

    def judgment(self, number: int, row: AnswerRow) -> JudgmentRecord:
        """The judgment of a row."""
        sentence = checked_source(row.cells[self._columns["sentence"]], row.place)
        correction = checked_text(
            row.filled(self._columns["correction"], "correction"), row.place, "the correction"
        )
        worker = checked_name(row.cells[self._columns["worker"]], row.place, "the worker")
        place = self._places.setdefault(sentence, len(self._places))
        if place == len(self._outputs):
            self._outputs.append({})
        is_judged = "valid" in self._columns
        question = (sentence, correction) if is_judged else (sentence,)
        item = self._items.setdefault(question, len(self._items))
        if (item, worker) in self._answered:
            about = " as ".join(map(quoted, question))
            self.repeated.append(f"line {row.place.line}: {worker} had already answered {about}")
        self._answered.add((item, worker))
        repetition = self._repetitions[item]
        self._repetitions[item] += 1
        status = row.cells[self._columns["status"]] if "status" in self._columns else ""
        state = JudgmentState.SURPLUS if status.lower() == REJECTED else JudgmentState.COMPLETE
        answer = self._validity(row, place, correction) if is_judged else _written(sentence, correction)
        return JudgmentRecord(
            key=str(number),
            protocol=(ProtocolName.VALIDITY if is_judged else ProtocolName.CORRECTION).value,
            annotator=worker,
            sentence=place,
            item=item,
            repetition=repetition,
            state=state.value,
            answers=(
                replace(
                    answer,
                    active_ms=self._milliseconds(row),
                    details={"status": status} if status else None,
                ),
            ),
            line=row.place.line,
        )

    def _validity(self, row: AnswerRow, place: int, correction: str) -> AnswerRecord:
        said = row.filled(self._columns["valid"], "validity")
        verdict = WORDS.get(said.lower())
        if verdict is None:
            raise row.place.fault(f"{quoted(said)} is no judgment of validity; write yes, no or cannot say")
        outputs = self._outputs[place]
        name = outputs.setdefault(correction, OUTPUTS.format(len(outputs) + 1))
        return AnswerRecord((RatingRecord(text_digest(correction), (name,)),), verdict=verdict.value)

    def _milliseconds(self, row: AnswerRow) -> int | None:
        text = row.cells[self._columns["seconds"]] if "seconds" in self._columns else ""
        if not text:
            return None
        seconds = finite_number(text, row.place, "the number of seconds")
        if not 0 <= seconds <= MOST_SECONDS:
            raise row.place.fault(f"{quoted(text)} is no number of seconds")
        return round(1000 * seconds)


def _written(sentence: str, correction: str) -> AnswerRecord:
    is_unchanged = correction == sentence
    verdict = CorrectionVerdict.NO_CORRECTION_NEEDED if is_unchanged else CorrectionVerdict.CORRECTED
    return AnswerRecord((), text=correction, verdict=verdict.value)


def in_corpus(
    answers: CrowdAnswers, sources: Sequence[str], texts: Mapping[int, Mapping[str, str]], path: Path
) -> tuple[JudgmentRecord, ...]:
    """The judgments with the sentences and outputs of a corpus, which are compared by letters and digits.

    Args:
        answers: what was read.
        sources: the sentences of the corpus by position.
        texts: by position, the outputs of the systems.
        path: the file, for messages.

    Raises:
        FormatError: the corpus has no such sentence, or no system produced a judged correction.
    """
    positions: dict[str, int] = {}
    for position, source in enumerate(sources):
        positions.setdefault(_letters(source), position)
    records = answers.corpus.sentences
    judgments = []
    for judgment in answers.judgments:
        place = Place(path, judgment.line)
        sentence = records[judgment.sentence]
        where = positions.get(_letters(sentence.source))
        if where is None:
            raise place.fault(f"the corpus has no sentence {quoted(sentence.source)}")
        ratings = tuple(
            _of_systems(sentence.outputs[rating.systems[0]], texts[where], place)
            for rating in judgment.current.ratings
        )
        judgments.append(
            replace(judgment, sentence=where, answers=(replace(judgment.current, ratings=ratings),))
        )
    return tuple(judgments)


def _of_systems(text: str, outputs: Mapping[str, str], place: Place) -> RatingRecord:
    wanted = _letters(text)
    matching = [output for output in outputs.values() if _letters(output) == wanted]
    if not matching:
        raise place.fault(f"no system of the corpus produced {quoted(text)}; import it without a corpus")
    output = text if text in matching else matching[0]
    systems = sorted(name for name, produced in outputs.items() if produced == output)
    return RatingRecord(text_digest(output), tuple(systems))


def _letters(text: str) -> str:
    return NOT_A_WORD.sub(" ", text).strip().lower()
