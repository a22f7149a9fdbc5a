"""Scores as files: tables of systems as CSV and LaTeX, sentence scores as CSV."""

from collections.abc import Iterator

from django.db.models import F

from annotate.database.column_reading import NUMBER, REAL, TEXT, Among, python_values, read_columns
from annotate.models import Production, ScoreSet, SystemScore
from annotate.scores.queries import ScoreCell, ScoreTable
from core.formulas import guarded
from core.latex import escaped, number, tabular
from core.tables import csv_text

COLUMNS = (
    "metric",
    "origin",
    "system",
    "score",
    "low",
    "high",
    "p_value",
    "sentences",
    "not_scored",
    "missing",
    "reason",
    "references",
    "references_digest",
    "replicates",
    "seed",
    "signature",
)
OF_SENTENCES = ("metric", "origin", "sentence", "system", "score", "reason")
SENTENCES_AT_ONCE = 2500


def origin(score_set: ScoreSet) -> str:
    """Whether the scores were computed here or uploaded."""
    return "uploaded" if score_set.is_uploaded else "computed"


def csv_of(table: ScoreTable) -> Iterator[str]:
    """A row for each metric and system, with all figures of the score, and its test against the highest."""
    rows = (
        _row(column.score_set, row.system.name, score, row.cells[place].p_value)
        for place, column in enumerate(table.columns)
        for row in table.rows
        if (score := row.cells[place].score) is not None
    )
    return csv_text(COLUMNS, rows)


def _row(score_set: ScoreSet, system: str, score: SystemScore, p_value: float | None) -> tuple[object, ...]:
    return (
        guarded(score_set.name),
        origin(score_set),
        system,
        _number(score.value),
        _number(score.low),
        _number(score.high),
        _number(p_value),
        score.scored,
        score.not_scored,
        score.missing,
        guarded(score.reason or None),
        score_set.references,
        score_set.references_digest,
        score_set.replicates,
        score_set.seed,
        score_set.signature,
    )


def latex_of(table: ScoreTable) -> Iterator[str]:
    """A tabular; the highest score of each column is bold."""
    sets = [(_titled(column.score_set, column.title), column.score_set) for column in table.columns]
    return tabular(
        ["System", *(title for title, _ in sets)],
        ([escaped(row.system.shown), *map(_cell, row.cells)] for row in table.rows),
        comments=[
            "The highest score of each metric is bold.",
            *(f"{title}: {score_set.signature or 'uploaded'}" for title, score_set in sets),
        ],
    )


def csv_of_sentences(score_set: ScoreSet) -> Iterator[str]:
    """A row for each sentence and system, in the order of the sentences."""
    return csv_text(OF_SENTENCES, _rows_of_sentences(score_set))


def _rows_of_sentences(score_set: ScoreSet) -> Iterator[tuple[object, ...]]:
    name, made, corpus = guarded(score_set.name), origin(score_set), score_set.corpus
    systems = sorted(corpus.systems.filter(is_whole=True).values_list("name", "pk"))
    names = [system for system, _ in systems]
    places = {key: place for place, (_, key) in enumerate(systems)}
    for begin in range(0, corpus.sentence_count, SENTENCES_AT_ONCE):
        positions = (begin, begin + SENTENCES_AT_ONCE - 1)
        cells = _cells_of_scores(score_set, positions)
        sentences = dict(corpus.sentences.filter(position__range=positions).values_list("pk", "position"))
        produced = Production.objects.filter(Among(F("sentence"), [*sentences]), system__in=places)
        columns = read_columns(produced.values_list("sentence", "system", "output"), [NUMBER] * 3)
        keys, of_systems, outputs = (column.tolist() for column in columns)
        at = map(sentences.__getitem__, keys), map(places.__getitem__, of_systems), outputs
        for position, place, output in sorted(zip(*at, strict=True)):
            if output in cells:
                yield (name, made, position, names[place], *cells[output])


def _cells_of_scores(score_set: ScoreSet, positions: tuple[int, int]) -> dict[int, tuple[str, str]]:
    """The score and the reason of each scored output of these sentences, as CSV has them."""
    stored = score_set.output_scores.filter(position__range=positions)
    columns = read_columns(stored.values_list("output", "score", "reason"), [NUMBER, REAL, TEXT])
    return {
        output: (_number(score), guarded(reason or None))
        for output, score, reason in zip(*map(python_values, columns), strict=True)
    }


def _titled(score_set: ScoreSet, title: str) -> str:
    return f"{title} (uploaded)" if score_set.is_uploaded else title


def _cell(cell: ScoreCell) -> str:
    shown = number(cell.score.value if cell.score else None, 4)
    return rf"\textbf{{{shown}}}" if cell.is_best else shown


def _number(value: float | None) -> str:
    return "" if value is None else repr(value)
