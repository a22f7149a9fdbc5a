"""Several people's corrections (or simplifications) of sentences, as a table with tabs or commas.

    sentence                        correction                      worker   status
    He walk home .                  He walks home .                 w01      Approved
    He walk home .                  He walked home.                 w02      Approved

Columns stand in any order; `sentence` and one of `correction` and `simplification` are required. Other
columns (a batch, a worker, a status) are kept with the answer, for selection; a status of "Rejected" makes an
answer not count. Cells may be quoted as in CSV,
and then span lines; white space of any kind within them is one blank.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from formats.answer_tables import AnswerRow, read_answer_rows
from formats.records import MAX_ANNOTATORS, CorpusRecord, FormatError, Reference, SentenceRecord
from formats.text.checks import Place, checked_source, checked_text, quoted

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
        answer: the person's answer to it.
        details: the other columns, by name.
    """

    place: Place
    sentence: str
    answer: str
    details: Mapping[str, str]


def read_collected_answers(path: Path) -> tuple[CollectedAnswer, ...]:
    """The answers in the order of the file.

    Raises:
        FormatError: a column missing; a row without a sentence or an answer; texts that cannot be stored, or
            are longer than MAX_TEXT_CHARS; and all faults of
            `read_answer_rows`.
    """
    return tuple(map(_answer, read_answer_rows(path, _check_columns)))


def read_answers_as_corpus(path: Path) -> CorpusRecord:
    """A corpus without systems: each sentence with its answers, but for rejected ones, as references.

    References are called by the number of the answer to their sentence, since hardly anybody answers all.

    Raises:
        FormatError: all answers are rejected, a sentence has more than MAX_ANNOTATORS, and all faults of
            `read_collected_answers`.
    """
    answers = accepted(read_collected_answers(path))
    if not answers:
        raise FormatError(path, None, f"every answer has the {STATUS} {REJECTED}")
    for sentence, texts in by_sentence(answers).items():
        if len(texts) > MAX_ANNOTATORS:
            raise FormatError(
                path,
                None,
                f"{len(texts):,} answers to {quoted(sentence)}, at most {MAX_ANNOTATORS} are allowed",
            )
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


def _check_columns(columns: Sequence[str], place: Place) -> None:
    if SENTENCE not in columns or not any(name in columns for name in ANSWERS):
        raise place.fault(f"the heading needs the columns {SENTENCE}, and {' or '.join(ANSWERS)}")


def _answer(row: AnswerRow) -> CollectedAnswer:
    column = next(name for name in ANSWERS if name in row.cells)
    sentence = checked_source(row.filled(SENTENCE, "sentence"), row.place)
    answer = checked_text(row.filled(column, "answer"), row.place, "the answer")
    others = {name: cell for name, cell in row.cells.items() if name not in (SENTENCE, column)}
    return CollectedAnswer(row.place, sentence, answer, others)
