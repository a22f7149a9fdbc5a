"""Scoring a corpus: each distinct output is reduced once; stored statistics are never recomputed."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np
from django.db import IntegrityError, transaction

from annotate.database.staging import delete_in_pieces, pieces, short_transaction, stays
from annotate.models import Corpus, ScoreSet, ScoreSetState, SystemScore, User
from annotate.models.scores import MAX_REASON_CHARS
from annotate.scores.corpus_outputs import CorpusOutputs, corpus_outputs
from annotate.scores.evaluation import check_metric, equipped, evaluation_set, references_used, stated_name
from annotate.scores.stored_rows import MISSING, load_scored, packed_resamples, scored_keys, store_piece
from annotate.scores.styles import styles_of, with_style
from annotate.scores.tokens import tokens_of
from core.arrays import FloatArray, IntArray
from core.parameters import parameters_as_text
from core.progress import Progress
from core.wording import counted
from jobs.refusals import RefusedError
from metrics import AnyMetric, EvaluationSet, InputError, Scored, bootstrap_scores
from metrics.base.metric import MetricError, Reduce, reduce_many
from metrics.base.resampling import percentile_intervals
from metrics.edits.edit_metric import EditMetric
from metrics.edits.edit_sources import texts_to_parse
from metrics.english.grammar_checkers import CheckerError
from metrics.english.spacy_pipelines import PipelineError

REPLICATES = 1000
SEED = 0
CONFIDENCE = 0.95

OUTPUTS_PER_PIECE = 250
"""The slowest metric reduces this many in a second or two; storing takes hundredths of a second."""

MOST_ATTEMPTS = 10
"""Attempts to store a piece while other workers score the same corpus."""


class ScoresRefusedError(RefusedError):
    """The corpus cannot be scored as requested; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class ScoredCorpus:
    """Result of scoring.

    Attributes:
        sets: the scores, in the order of the metrics.
        computed: number of outputs reduced.
        kept: number of outputs whose statistics were already stored.
    """

    sets: Sequence[ScoreSet]
    computed: int
    kept: int

    @property
    def summary(self) -> str:
        """The result in one sentence."""
        sets = counted(len(self.sets), "metric")
        return f"{sets}: {self.computed:,} scores of outputs computed, {self.kept:,} already stored."


@dataclass(frozen=True, slots=True, eq=False)
class _Task:
    """A metric with its set, and the indices of the outputs that the set lacks."""

    metric: AnyMetric
    score_set: ScoreSet
    lacking: IntArray

    @property
    def is_unfinished(self) -> bool:
        """Whether the set lacks outputs and has no scores of systems yet."""
        return bool(len(self.lacking)) and not self.score_set.system_scores.exists()


def score_corpus(
    *, corpus: Corpus, metrics: Sequence[AnyMetric], by: User | None, steps: Progress, style: str = ""
) -> ScoredCorpus:
    """Score all systems of a corpus by all metrics.

    Statistics are stored as they are computed, so the next run continues a killed one. Outputs that already
    have statistics are not touched, so adding a system costs only its new outputs. Intervals are percentile
    intervals of `REPLICATES` bootstrap replicates over sentences, drawn from `SEED`.

    Args:
        corpus: a corpus with texts.
        metrics: with their parameters; duplicates count once.
        by: the requesting user; None for a command.
        steps: receives reports of progress.
        style: of the references that outputs are compared with; all references if it is empty.

    Raises:
        ScoresRefusedError: the corpus lacks references of the style or something else that a metric needs, or
            was deleted meanwhile, or a metric cannot do its work. Nothing is left then of scores that were
            new.
    """
    steps.begin("Reading the corpus")
    outputs = corpus_outputs(corpus)
    if not len(outputs.keys):
        raise ScoresRefusedError(f"Corpus {corpus.name!r} has no outputs of systems to score.")
    if style and style not in styles_of(corpus):
        there = ", ".join(styles_of(corpus)) or "none"
        raise ScoresRefusedError(
            f"{corpus.name!r} has no references of the style {style!r}; styles are: {there}."
        )
    try:
        for metric in metrics:
            check_metric(metric, corpus)
        data = equipped(evaluation_set(corpus, style=style, step=steps.step), metrics)
        tasks = _tasks(corpus, metrics, data, outputs, by, style)
        try:
            _score_all(tasks, data, outputs, steps)
        except (InputError, CheckerError, MetricError, PipelineError):
            _delete_unfinished(tasks)
            raise
    except (InputError, CheckerError, MetricError, PipelineError) as error:
        raise ScoresRefusedError(f"{error}") from error
    computed = sum(len(task.lacking) for task in tasks)
    return ScoredCorpus(
        [task.score_set for task in tasks], computed, len(tasks) * len(outputs.keys) - computed
    )


def _tasks(
    corpus: Corpus,
    metrics: Sequence[AnyMetric],
    data: EvaluationSet,
    outputs: CorpusOutputs,
    by: User | None,
    style: str,
) -> list[_Task]:
    tasks: dict[int, _Task] = {}
    for metric in metrics:
        score_set = _score_set(corpus, metric, data, by, style)
        lacking = np.flatnonzero(~np.isin(outputs.keys, scored_keys(score_set)))
        tasks[score_set.pk] = _Task(metric, score_set, lacking)
    return list(tasks.values())


def _score_set(
    corpus: Corpus, metric: AnyMetric, data: EvaluationSet, by: User | None, style: str
) -> ScoreSet:
    """The set of these scores, created if it does not exist."""
    number, digest = references_used(metric, data)
    signature = metric.signature(data)
    same = ScoreSet.objects.filter(
        corpus=corpus,
        signature=signature,
        references_digest=digest,
        is_uploaded=False,
        state=ScoreSetState.READY,
    )
    if scores := same.first():
        return scores
    parameters = parameters_as_text(metric.parameters)
    made = ScoreSet(
        corpus=corpus,
        name=with_style(stated_name(metric, parameters), style if digest else ""),
        metric=metric.name,
        parameters=parameters,
        signature=signature,
        references=number,
        references_digest=digest,
        replicates=REPLICATES,
        seed=SEED,
        owner=by,
    )
    try:
        with transaction.atomic():
            _refuse_unless_it_stays(corpus)
            made.full_clean(validate_constraints=False)
            made.save(force_insert=True)
    except IntegrityError:
        return same.get()
    return made


def _score_all(tasks: Sequence[_Task], data: EvaluationSet, outputs: CorpusOutputs, steps: Progress) -> None:
    """Reduce what sets lack and score their systems, metric by metric: a failure costs no other metric."""
    waiting = [task for task in tasks if len(task.lacking)]
    texts = tokens_of(waiting[0].score_set.corpus, outputs, progress=steps.advance) if waiting else []
    _parse(waiting, data, outputs, texts, steps)
    for task in tasks:
        if len(task.lacking):
            place = f" ({waiting.index(task) + 1} of {len(waiting)})" if len(waiting) > 1 else ""
            steps.begin(f"Scoring by {task.metric.label}{place}", total=len(task.lacking))
            with task.metric.prepared(data) as reduce:
                for numbers in pieces(task.lacking.tolist(), OUTPUTS_PER_PIECE):
                    _reduce_piece(task.score_set, outputs, texts, numbers, reduce, steps)
        _score_systems(task, outputs, steps)


def _parse(
    tasks: Sequence[_Task], data: EvaluationSet, outputs: CorpusOutputs, texts: Sequence[str], steps: Progress
) -> None:
    """Parse all texts that edit-based metrics read; many texts are parsed on all cores."""
    unparsed: dict[str, None] = {}
    for task in tasks:
        for part in task.metric.parts:
            if isinstance(part, EditMetric):
                columns = _columns(data.sources, outputs, texts, task.lacking)
                unparsed |= texts_to_parse(data, columns, part.parameters.gold)
    if unparsed and data.parser is not None:
        steps.begin("Parsing the sentences", total=len(unparsed))
        data.parser.parse_ahead(list(unparsed), progress=steps.advance)


def _columns(
    sources: Sequence[str], outputs: CorpusOutputs, texts: Sequence[str], numbers: IntArray
) -> list[list[str]]:
    """The texts of these outputs in columns, one text per sentence; the source where a column has none."""
    columns: list[list[str]] = []
    heights: dict[int, int] = {}
    for number, place in zip(numbers.tolist(), outputs.places[numbers].tolist(), strict=True):
        column = heights.get(place, 0)
        heights[place] = column + 1
        if column == len(columns):
            columns.append(list(sources))
        columns[column][place] = texts[number]
    return columns


def _reduce_piece(
    score_set: ScoreSet,
    outputs: CorpusOutputs,
    texts: Sequence[str],
    numbers: Sequence[int],
    reduce: Reduce,
    steps: Progress,
) -> None:
    """Reduce some outputs and store them, except those that another worker stores meanwhile."""
    of_piece = [(int(outputs.places[number]), texts[number]) for number in numbers]
    reduced = reduce_many(reduce, of_piece, steps.advance)
    wanted = np.array(numbers, dtype=np.int64)
    for _ in range(MOST_ATTEMPTS):
        try:
            with short_transaction():
                _refuse_unless_it_stays(score_set.corpus)
                _refuse_if_deleted(score_set)
                store_piece(score_set, outputs, wanted, reduced)
        except IntegrityError:
            new = ~np.isin(outputs.keys[wanted], scored_keys(score_set))
            reduced = [each for each, is_new in zip(reduced, new.tolist(), strict=True) if is_new]
            wanted = wanted[new]
            if not len(wanted):
                return
        else:
            return
    raise ScoresRefusedError(f"Someone else is scoring {score_set.corpus.name!r} right now. Try again later.")


def _delete_unfinished(tasks: Sequence[_Task]) -> None:
    """Leave no part of scores behind that could not be computed; sets with scores of systems stay."""
    for task in tasks:
        if task.is_unfinished:
            delete_in_pieces(task.score_set.output_scores.all())
            task.score_set.delete()


def _score_systems(task: _Task, outputs: CorpusOutputs, steps: Progress) -> None:
    """Score the systems that the set lacks, or whose scores in resamples it lacks."""
    score_set = task.score_set
    stored = set(score_set.system_scores.exclude(resamples=None).values_list("system", flat=True))
    systems = [name for name, (key, _) in outputs.systems.items() if key not in stored]
    if not systems:
        return
    steps.begin(f"Intervals of {task.metric.label}", total=score_set.replicates * len(systems))
    rows = []
    for system in systems:  # One after the other: statistics of ERRANT take 170 MB for 100,000 outputs.
        scored = load_scored(score_set, outputs, [system])
        replicates = bootstrap_scores(
            scored, [system], range(score_set.replicates), score_set.seed, progress=steps.advance
        )
        rows.append(_system_score(score_set, outputs.systems[system][0], scored, system, replicates))
    with transaction.atomic():
        _refuse_unless_it_stays(score_set.corpus)
        _refuse_if_deleted(score_set)
        SystemScore.objects.bulk_create(
            rows, update_conflicts=True, unique_fields=["score_set", "system"], update_fields=["resamples"]
        )


def _system_score(
    score_set: ScoreSet, key: int, scored: Scored, system: str, replicates: FloatArray
) -> SystemScore:
    corpus = scored.corpus(system)
    [interval] = percentile_intervals(replicates, CONFIDENCE)
    missing = sum(reason == MISSING for reason in scored.not_scored(system).values())
    has_score = corpus.value is not None
    return SystemScore(
        score_set=score_set,
        system_id=key,
        value=corpus.value,
        low=interval.low if has_score else None,
        high=interval.high if has_score else None,
        resamples=packed_resamples(replicates[:, 0]),
        reason=corpus.reason[:MAX_REASON_CHARS],
        details={name: float(value) for name, value in corpus.details.items() if isfinite(value)},
        scored=len(scored.picks[system]) - corpus.not_scored,
        not_scored=corpus.not_scored - missing,
        missing=missing,
    )


def _refuse_unless_it_stays(corpus: Corpus) -> None:
    if not stays(corpus):
        raise ScoresRefusedError(f"The corpus {corpus.name!r} has just been deleted.")


def _refuse_if_deleted(score_set: ScoreSet) -> None:
    if not ScoreSet.objects.filter(pk=score_set.pk, state=ScoreSetState.READY).exists():
        raise ScoresRefusedError(f"The scores {score_set.name} have just been deleted.")
