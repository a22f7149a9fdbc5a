"""The metric scores of a bundle, and the statistics that they are computed from."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from analysis.analyses.metrics.scored_judgments import ReadInTurn, ScoredJudgments, given_metric, on_systems
from analysis.publishing.inputs.judgments import DIGITS
from analysis.publishing.inputs.plain_tables import (
    Run,
    opened_table,
    read_table,
    runs_of,
    whole_numbers,
    write_table,
)
from analysis.publishing.stated import BundleError, StatedMetric
from core.arrays import FloatArray, IntArray
from core.formulas import guarded, unguarded
from core.later import pd
from core.parameters import ParameterError, parameters_as_text, parameters_from_text
from core.progress import Progress
from metrics import METRICS, AnyMetric, Scored, UnknownMetricError
from metrics.base.metric import Rows
from metrics.meta_evaluation import MetricScores, scores_of_metric, scores_of_systems
from metrics.meta_evaluation.output_statistics import NOT_SCORED, GivenScores, Statistics

SENTENCES, SCORES, STATISTICS = "sentences.csv", "scores.csv", "statistics.csv"
SCORE_DIGESTS = "scores.sha256"
SENTENCE_COLUMNS = ("sentence", "domain")
SCORE_COLUMNS = ("metric", "system", "sentence", "score", "output")
STATISTIC_COLUMNS = ("metric", "output", "sentence", "reference", "statistics")
TEXTS_AT_ONCE = 10_000


def write_scores(
    folder: Path, inputs: ScoredJudgments, systems: Mapping[str, str], progress: Progress
) -> tuple[StatedMetric, ...]:
    """Write sentences, scores and statistics, one metric after the other.

    `systems` are the names of those to write, by their own. `progress` may stop the writing.
    """
    written = {systems[name]: place for place, name in enumerate(inputs.systems) if name in systems}
    names = sorted(written)
    places = [written[name] for name in names]
    numbers = _numbers(inputs)
    domains = inputs.domains or [""] * inputs.sentences
    write_table(
        folder / SENTENCES,
        SENTENCE_COLUMNS,
        ([number, guarded(domain or None)] for number, domain in zip(numbers, domains, strict=True)),
    )
    stated = []
    with (
        opened_table(folder / SCORES, SCORE_COLUMNS) as add_scores,
        opened_table(folder / STATISTICS, STATISTIC_COLUMNS) as add_statistics,
    ):
        for metric in inputs.metrics:
            ordered = metric.in_order(places)
            add_scores(_each(_score_rows(ordered, names, numbers), progress))
            add_statistics(_each(_statistic_rows(ordered, numbers), progress))
            stated.append(_stated(ordered))
    return tuple(stated)


def _each(rows: Iterator[list[object]], progress: Progress) -> Iterator[list[object]]:
    for row in rows:
        yield row
        progress.step()


def _numbers(inputs: ScoredJudgments) -> list[int]:
    return list(range(inputs.sentences)) if inputs.positions is None else inputs.positions.tolist()


def _statistics(metric: MetricScores) -> Statistics | None:
    """The statistics that a metric of this name computes scores from; None for scores computed elsewhere."""
    statistics = metric.statistics
    if statistics is None or isinstance(statistics.metric, GivenScores):
        return None
    return statistics if statistics.metric.name in METRICS else None


def _stated(metric: MetricScores) -> StatedMetric:
    statistics = _statistics(metric)
    if statistics is None:
        is_mean = metric.statistics is not None and isinstance(metric.statistics.metric, GivenScores)
        return StatedMetric(metric.name, metric.signature, is_mean=is_mean)
    by = statistics.metric
    return StatedMetric(metric.name, metric.signature, by.name, parameters_as_text(by.parameters))


def _used(statistics: Statistics) -> tuple[IntArray, IntArray]:
    """The rows that the systems use, and the picks of the systems among these.

    They are numbered by sentence, and then by the first system that has them: in the database they often have
    the order of the names, which a bundle may hide.
    """
    by_sentence = statistics.picks.T
    rows, first, numbers = np.unique(by_sentence, return_index=True, return_inverse=True)
    order = np.argsort(np.where(rows == NOT_SCORED, -1, first))
    order = order[rows[order] != NOT_SCORED]
    places = np.full(len(rows), NOT_SCORED)
    places[order] = np.arange(len(order))
    return rows[order], places[numbers.reshape(by_sentence.shape)].T


def _score_rows(
    metric: MetricScores, systems: Sequence[str], numbers: Sequence[int]
) -> Iterator[list[object]]:
    statistics = _statistics(metric)
    picks = None if statistics is None else _used(statistics)[1]
    name = guarded(metric.name)
    of_systems = metric.of_systems(np.arange(len(numbers)))
    for place, system in enumerate(systems):
        cell = guarded(system)
        yield [name, cell, None, _number(of_systems[place]), None]
        if metric.sentences is None:
            continue
        outputs = [None] * len(numbers) if picks is None else picks[place].tolist()
        for number, score, output in zip(numbers, metric.sentences[:, place].tolist(), outputs, strict=True):
            yield [name, cell, number, _number(score), None if output == NOT_SCORED else output]


def _statistic_rows(metric: MetricScores, numbers: Sequence[int]) -> Iterator[list[object]]:
    statistics = _statistics(metric)
    if statistics is None:
        return
    rows, name = statistics.rows, guarded(metric.name)
    for output, row in enumerate(_used(statistics)[0].tolist()):
        sentence, size = numbers[rows.sentences[row]], int(rows.sizes[row])
        if not size:
            yield [name, output, sentence, None, None]
        for reference, values in enumerate(rows.values[row, :size].tolist()):
            yield [name, output, sentence, reference, " ".join(map(_number, values))]


def _number(value: float) -> str:
    """All digits of a number; empty for NaN."""
    if value != value:
        return ""
    return str(int(value)) if value.is_integer() else repr(float(value))


def read_sentences(folder: Path) -> tuple[IntArray, tuple[str, ...]]:
    """The numbers of the sentences, ascending, and their domains; no domains if none is known.

    Raises:
        BundleError: the file cannot be read.
    """
    table = read_table(folder / SENTENCES, SENTENCE_COLUMNS)
    numbers = whole_numbers(table["sentence"], SENTENCES)
    if len(numbers) and not (np.diff(numbers) > 0).all():
        raise BundleError(f"{SENTENCES}: sentences are not in ascending order")
    domains = tuple(unguarded(cell) or "" for cell in table["domain"])
    return numbers, domains if any(domains) else ()


def read_scores(
    folder: Path, stated: Sequence[StatedMetric], numbers: IntArray, progress: Progress
) -> tuple[tuple[str, ...], ReadInTurn]:
    """The systems in alphabetical order, and their scores by these metrics on the sentences of these numbers.

    Each metric is read when it is needed, which may raise `BundleError`, too, and `progress` is told of it.

    Raises:
        BundleError: a file cannot be read.
    """
    of_scores = runs_of(folder / SCORES, SCORE_COLUMNS, 2)
    of_statistics = runs_of(folder / STATISTICS, STATISTIC_COLUMNS, 1)
    systems = tuple(sorted({unguarded(run.cells[1]) or "" for run in of_scores if len(run.cells) > 1}))

    def read(metric: StatedMetric) -> MetricScores:
        progress.step()
        scores = _rows_of_metric(folder / SCORES, SCORE_COLUMNS, of_scores, metric)
        if not metric.computed_by:
            return _given(metric, scores, systems, numbers)
        statistics = _rows_of_metric(folder / STATISTICS, STATISTIC_COLUMNS, of_statistics, metric)
        return _computed(metric, scores, statistics, systems, numbers)

    return systems, ReadInTurn([partial(read, metric) for metric in stated])


def _rows_of_metric(
    path: Path, columns: Sequence[str], runs: Iterable[Run], metric: StatedMetric | MetricScores
) -> pd.DataFrame:
    name = guarded(metric.name)
    return read_table(path, columns, [run for run in runs if run.cells[:1] == (name,)])


def _given(
    stated: StatedMetric, scores: pd.DataFrame, systems: Sequence[str], numbers: IntArray
) -> MetricScores:
    """Scores that were computed elsewhere, by sentences and systems as far as there are any."""
    is_whole = scores["sentence"] == ""
    of_systems = np.full(len(systems), np.nan)
    of_systems[_places(scores.loc[is_whole, "system"], systems)] = _floats(scores.loc[is_whole, "score"])
    by_sentence = scores[~is_whole]
    if by_sentence.empty:
        return scores_of_systems(stated.name, of_systems, signature=stated.signature)
    of_sentences = np.full((len(numbers), len(systems)), np.nan)
    rows = _rows_of(by_sentence["sentence"], numbers, SCORES)
    of_sentences[rows, _places(by_sentence["system"], systems)] = _floats(by_sentence["score"])
    made = given_metric(stated.name, of_sentences, None if stated.is_mean else of_systems)
    return replace(made, signature=stated.signature)


def _computed(
    stated: StatedMetric,
    scores: pd.DataFrame,
    statistics: pd.DataFrame,
    systems: Sequence[str],
    numbers: IntArray,
) -> MetricScores:
    """Scores computed from statistics by the metric."""
    metric = _metric(stated)
    picked = scores[(scores["sentence"] != "") & (scores["output"] != "")]
    picks = np.full((len(systems), len(numbers)), NOT_SCORED)
    rows = _rows_of(picked["sentence"], numbers, SCORES)
    picks[_places(picked["system"], systems), rows] = whole_numbers(picked["output"], SCORES)
    of_rows = _rows_of_statistics(statistics, numbers)
    if picks.max(initial=0) >= max(len(of_rows.sizes), 1):
        raise BundleError(f"{SCORES}: {stated.name} has an output without statistics")
    there = [name for name, row in zip(systems, picks, strict=True) if (row != NOT_SCORED).all()]
    of_systems = {name: picks[systems.index(name)] for name in there}
    scored = Scored(metric, stated.signature, of_rows, of_systems, {})
    return on_systems(scores_of_metric(stated.name, scored, there), there, systems)


def _metric(stated: StatedMetric) -> AnyMetric:
    try:
        kind = METRICS[stated.computed_by]
        return kind(parameters_from_text(kind.Parameters, dict(stated.parameters)))
    except (KeyError, UnknownMetricError) as error:
        raise BundleError(
            f"scores of {stated.name} are computed by the metric {stated.computed_by}, which is not "
            "installed here; install its package and try again"
        ) from error
    except ParameterError as error:
        raise BundleError(f"{stated.name}: {error}") from error


def _rows_of_statistics(statistics: pd.DataFrame, numbers: IntArray) -> Rows:
    """The statistics of outputs, which are numbered from 0."""
    outputs = whole_numbers(statistics["output"], STATISTICS)
    size = int(outputs.max(initial=-1)) + 1
    if len(np.unique(outputs)) != size:
        raise BundleError(f"{STATISTICS}: outputs are not numbered 0, 1, 2 and so on")
    sentences = np.zeros(size, dtype=np.int64)
    sentences[outputs] = _rows_of(statistics["sentence"], numbers, STATISTICS)
    there = (statistics["statistics"] != "").to_numpy()
    references = whole_numbers(statistics.loc[there, "reference"], STATISTICS)
    sizes = np.bincount(outputs[there], minlength=size).astype(np.int64)
    texts = statistics.loc[there, "statistics"].tolist()
    width = 1 + max((text.count(" ") for text in texts), default=0)
    if any(text.count(" ") + 1 != width for text in texts) or (references >= sizes[outputs[there]]).any():
        raise BundleError(f"{STATISTICS}: an output has too few numbers")
    table = np.zeros((size, max(1, int(sizes.max(initial=1))), width))
    places = outputs[there], references
    try:
        for begin in range(0, len(texts), TEXTS_AT_ONCE):
            some = slice(begin, begin + TEXTS_AT_ONCE)
            table[places[0][some], places[1][some]] = [[*map(float, text.split(" "))] for text in texts[some]]
    except ValueError as error:
        raise BundleError(f"{STATISTICS}: {error}") from error
    return Rows(table, sizes, sentences)


def score_digests(path: Path) -> Iterator[str]:
    """A line for each score of a file: metric, system and sentence, and the first digits of the SHA-256."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        next(rows, None)
        for row in rows:
            digest = hashlib.sha256("\n".join(row[3:]).encode()).hexdigest()[:DIGITS]
            yield "\t".join(row[:3]) + f" {digest}\n"


def differing_scores(
    folder: Path, metrics: Iterable[MetricScores], systems: Sequence[str], numbers: IntArray
) -> Iterator[str]:
    """The scores of a bundle that their statistics do not give, in words."""
    runs = runs_of(folder / SCORES, SCORE_COLUMNS, 1)
    for metric in metrics:
        if metric.statistics is None or isinstance(metric.statistics.metric, GivenScores):
            continue
        of_metric = _rows_of_metric(folder / SCORES, SCORE_COLUMNS, runs, metric)
        places = _places(of_metric["system"], systems)
        is_whole = (of_metric["sentence"] == "").to_numpy()
        expected = metric.of_systems(np.arange(len(numbers)))[places]
        rows = _rows_of(of_metric.loc[~is_whole, "sentence"], numbers, SCORES)
        if metric.sentences is not None:
            expected[~is_whole] = metric.sentences[rows, places[~is_whole]]
        given = _floats(of_metric["score"])
        for row in np.flatnonzero(~((given == expected) | (np.isnan(given) & np.isnan(expected)))):
            sentence = of_metric["sentence"].iloc[row]
            where = f" in sentence {sentence}" if sentence else ""
            yield (
                f"The score of {systems[places[row]]} by {metric.name}{where} is "
                f"{of_metric['score'].iloc[row] or 'missing'}, and its statistics give "
                f"{_number(expected[row]) or 'none'}."
            )


def _places(cells: pd.Series[str], systems: Sequence[str]) -> IntArray:
    numbers = {guarded(name): place for place, name in enumerate(systems)}
    return np.array([numbers[cell] for cell in cells], dtype=np.int64)


def _rows_of(cells: pd.Series[str], numbers: IntArray, file: str) -> IntArray:
    """The places of sentences among those of the bundle."""
    sentences = whole_numbers(cells, file)
    rows: IntArray = np.searchsorted(numbers, sentences).astype(np.int64)
    if len(sentences) and (rows.max() >= len(numbers) or (numbers[rows] != sentences).any()):
        raise BundleError(f"{file} has a sentence that {SENTENCES} lacks")
    return rows


def _floats(cells: pd.Series[str]) -> FloatArray:
    try:
        return np.array([float(cell) if cell else np.nan for cell in cells], dtype=np.float64)
    except ValueError as error:
        raise BundleError(f"{SCORES}: {error}") from error
