"""Upload of scores that were computed elsewhere: a CSV of `metric,system[,sentence],score`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from uuid import UUID, uuid5

import numpy as np
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from numpy.typing import NDArray

from annotate.database.staging import delete_in_pieces, pieces, short_transaction, stays
from annotate.models import Corpus, OutputScore, ScoreSet, ScoreSetState, SystemScore, User
from annotate.models.corpora import validate_heading
from annotate.models.job_kinds import STORE_SCORES
from annotate.scores.corpus_outputs import NO_OUTPUT, CorpusOutputs, corpus_outputs
from annotate.scores.scoring import ScoresRefusedError
from core.arrays import FloatArray, IntArray
from core.progress import Advance, Progress
from formats.metric_scores import WHOLE_SYSTEM, ScoreRows, first_rows, read_score_rows
from formats.text.checks import quoted
from jobs.models import UNFINISHED, Job

MOST_METRICS = 100
SCORES_PER_PIECE = 500
LISTED = 20
"""Maximum number of systems named in a message."""

ONLY_SENTENCES = "only scores of sentences were uploaded"
NOT_SCORED = "the uploaded file has no score for it"


@dataclass(frozen=True, slots=True, eq=False)
class UploadedScores:
    """Scores of one metric in a file.

    Attributes:
        name: name of the metric.
        systems: score of each system by name.
        outputs: shape (k,), the outputs in the file, in its order, as indices in the corpus.
        scores: shape (k,), their scores; NaN where the file leaves one without a score.
        scored: by system name, the number of sentences with a score.
        not_scored: by system name, the number of sentences that the file leaves without a score.
    """

    name: str
    systems: dict[str, float]
    outputs: IntArray
    scores: FloatArray
    scored: dict[str, int]
    not_scored: dict[str, int]


def read_scores(
    path: Path,
    corpus: Corpus,
    outputs: CorpusOutputs,
    *,
    upload: UUID | None = None,
    progress: Progress | None = None,
) -> list[UploadedScores]:
    """The scores of a file, in the order of its metrics.

    Args:
        path: a CSV as described in `formats.metric_scores`, sentences given by position.
        corpus: the scored corpus.
        outputs: outputs of the corpus.
        upload: id of this upload; names that it has stored itself do not count as taken.
        progress: is told of the lines, by the thousand.

    Raises:
        FormatError: a line is wrong; names file, line and cause.
    """
    rows = read_score_rows(path, progress)
    _check_names(rows, outputs, _taken(corpus, upload))
    scored = _outputs_of_rows(rows, outputs)
    _refuse_two_scores_of_an_output(rows, scored)
    return [_of_metric(rows, scored, metric) for metric in range(len(rows.metrics))]


def _taken(corpus: Corpus, upload: UUID | None) -> frozenset[str]:
    """Names that another upload has stored or is storing."""
    abandoned = _abandoned(corpus)
    uploaded = corpus.score_sets.filter(is_uploaded=True).exclude(state=ScoreSetState.DELETING)
    return frozenset(
        each.name
        for each in uploaded
        if each not in abandoned and (upload is None or each.uuid != uuid5(upload, each.name))
    )


def _abandoned(corpus: Corpus) -> list[ScoreSet]:
    """Leftovers of uploads whose workers died for good: incomplete sets whose jobs have ended."""
    storing = corpus.score_sets.filter(is_uploaded=True, state=ScoreSetState.STORING)
    uploads = Job.objects.filter(kind=STORE_SCORES, state__in=UNFINISHED).values_list("uuid", flat=True)
    alive = {uuid5(upload, each.name) for upload in uploads for each in storing}
    return [each for each in storing if each.uuid not in alive]


def _check_names(rows: ScoreRows, outputs: CorpusOutputs, taken: frozenset[str]) -> None:
    """Raises FormatError for a metric that cannot be added, and for a system that the corpus has not."""
    for number, (name, row) in enumerate(zip(rows.metrics, first_rows(rows.metric), strict=True)):
        try:
            validate_heading(name)
        except ValidationError as error:
            raise rows.place(row).fault(" ".join(error.messages)) from error
        if name in taken:
            raise rows.place(row).fault(
                f"scores named {name!r} have been uploaded for this corpus. Use another name, or have an "
                "admin delete them"
            )
        if number == MOST_METRICS:
            raise rows.place(row).fault(f"more than {MOST_METRICS} metrics in one file")
    for name, row in zip(rows.systems, first_rows(rows.system), strict=True):
        if name not in outputs.systems:
            names = ", ".join([*outputs.systems][:LISTED]) + (", …" if len(outputs.systems) > LISTED else "")
            raise rows.place(row).fault(f"the corpus has no system {quoted(name)}; systems are: {names}")


def _outputs_of_rows(rows: ScoreRows, outputs: CorpusOutputs) -> IntArray:
    """The output that each row scores, as an index in the corpus; NO_OUTPUT in rows that score none.

    Raises:
        FormatError: a sentence that the corpus has not; a score of an output that the system has not.
    """
    of_sentence = rows.sentence != WHOLE_SYSTEM
    place = np.searchsorted(outputs.positions, rows.sentence)
    known = place < outputs.sentences
    known[known] = outputs.positions[place[known]] == rows.sentence[known]
    if (unknown := of_sentence & ~known).any():
        row, last = int(np.argmax(unknown)), int(outputs.positions.max(initial=0))
        raise rows.place(row).fault(
            f"there is no sentence {rows.sentence[row]}; sentences are counted from 0 to {last}"
        )
    found = np.full(len(rows.sentence), NO_OUTPUT, dtype=np.int64)
    for number, system in enumerate(rows.systems):
        chosen = of_sentence & (rows.system == number)
        found[chosen] = outputs.systems[system][1][place[chosen]]
    if (absent := of_sentence & (found == NO_OUTPUT) & ~np.isnan(rows.score)).any():
        row = int(np.argmax(absent))
        raise rows.place(row).fault(f"{rows.systems[rows.system[row]]} has no output for this sentence")
    return found


def _refuse_two_scores_of_an_output(rows: ScoreRows, outputs: IntArray) -> None:
    """Raises FormatError if a metric scores an output of two systems by two numbers."""
    order = np.lexsort((outputs, rows.metric))
    order = order[outputs[order] != NO_OUTPUT]
    begins = np.ones(len(order), dtype=bool)
    begins[1:] = np.diff(outputs[order]).astype(bool) | np.diff(rows.metric[order]).astype(bool)
    first = order[np.maximum.accumulate(np.where(begins, np.arange(len(order)), 0))]
    scores, first_scores = rows.score[order], rows.score[first]
    other = (scores != first_scores) & ~(np.isnan(scores) & np.isnan(first_scores))
    if other.any():
        at = np.flatnonzero(other)[np.argmin(order[other])]
        row, before = int(order[at]), int(first[at])
        has = "no score" if isnan(rows.score[before]) else "another score"
        raise rows.place(row).fault(
            f"{rows.systems[rows.system[row]]} has the same output for this sentence as "
            f"{rows.systems[rows.system[before]]}, which has {has} in line {rows.line[before]}"
        )


def _of_metric(rows: ScoreRows, outputs: IntArray, metric: int) -> UploadedScores:
    of_metric = rows.metric == metric
    of_systems = np.flatnonzero(of_metric & (rows.sentence == WHOLE_SYSTEM)).tolist()
    of_outputs = of_metric & (outputs != NO_OUTPUT)
    is_scored = ~np.isnan(rows.score)

    def counted(chosen: NDArray[np.bool_]) -> dict[str, int]:
        counts = np.bincount(rows.system[chosen], minlength=len(rows.systems))
        return dict(zip(rows.systems, counts.tolist(), strict=True))

    numbers, first = np.unique(outputs[of_outputs], return_index=True)
    order = np.argsort(first)
    return UploadedScores(
        rows.metrics[metric],
        {rows.systems[rows.system[row]]: float(rows.score[row]) for row in of_systems},
        outputs=numbers[order],
        scores=rows.score[of_outputs][first[order]],
        scored=counted(of_outputs & is_scored),
        not_scored=counted(of_outputs & ~is_scored),
    )


def store_scores(
    corpus: Corpus, uploaded: Sequence[UploadedScores], *, by: User | None, upload: UUID, progress: Advance
) -> list[ScoreSet]:
    """Store the scores; a metric stays hidden until it is complete.

    Leftovers of dead workers' uploads for the corpus are deleted first.

    Args:
        corpus: the scored corpus.
        uploaded: result of `read_scores`.
        by: the uploading user.
        upload: id of the upload, to recognise the leftovers of a killed attempt.
        progress: gets the number of scores stored by each piece.

    Raises:
        ScoresRefusedError: the corpus was deleted, someone else has just uploaded one of the names, or this
            upload was considered dead.
    """
    for abandoned in _abandoned(corpus):
        _discard(abandoned)
    outputs = corpus_outputs(corpus)
    return [_stored(corpus, each, outputs, by, uuid5(upload, each.name), progress) for each in uploaded]


def _stored(
    corpus: Corpus,
    uploaded: UploadedScores,
    outputs: CorpusOutputs,
    by: User | None,
    uuid: UUID,
    progress: Advance,
) -> ScoreSet:
    before = ScoreSet.objects.filter(uuid=uuid).first()
    if before is not None and before.state == ScoreSetState.READY:
        return before
    if before is not None:
        _discard(before)
    made = ScoreSet(
        uuid=uuid, corpus=corpus, name=uploaded.name, is_uploaded=True, owner=by, state=ScoreSetState.STORING
    )
    try:
        with transaction.atomic():
            _refuse_unless_it_stays(corpus)
            made.save(force_insert=True)
    except IntegrityError as error:
        raise ScoresRefusedError(f"Scores named {uploaded.name!r} were uploaded just now.") from error
    try:
        for places in pieces(range(len(uploaded.outputs)), SCORES_PER_PIECE):
            with short_transaction():
                _refuse_unless_it_stays(corpus)
                _refuse_unless_held(made)
                OutputScore.objects.bulk_create(_output_scores(made, uploaded, outputs, places))
            progress(len(places))
        with transaction.atomic():
            _refuse_unless_held(made)
            SystemScore.objects.bulk_create(_system_scores(made, uploaded, outputs))
            ScoreSet.objects.filter(pk=made.pk).update(state=ScoreSetState.READY)
    except BaseException:
        _discard(made)
        raise
    return made


def _output_scores(
    made: ScoreSet, uploaded: UploadedScores, outputs: CorpusOutputs, places: Sequence[int]
) -> Iterator[OutputScore]:
    numbers, scores = uploaded.outputs[places].tolist(), uploaded.scores[places].tolist()
    for number, score in zip(numbers, scores, strict=True):
        yield OutputScore(
            score_set=made,
            output_id=int(outputs.keys[number]),
            position=int(outputs.positions[outputs.places[number]]),
            score=None if isnan(score) else score,
            reason=NOT_SCORED if isnan(score) else "",
        )


def _system_scores(made: ScoreSet, uploaded: UploadedScores, outputs: CorpusOutputs) -> Iterator[SystemScore]:
    for name, (key, _) in outputs.systems.items():
        scored, not_scored = uploaded.scored.get(name, 0), uploaded.not_scored.get(name, 0)
        if name in uploaded.systems or scored or not_scored:
            value = uploaded.systems.get(name)
            yield SystemScore(
                score_set=made,
                system_id=key,
                value=value,
                reason="" if value is not None else ONLY_SENTENCES,
                scored=scored,
                not_scored=not_scored,
            )


def _discard(score_set: ScoreSet) -> None:
    delete_in_pieces(score_set.output_scores.all())
    with transaction.atomic():
        # This keeps a worker that was considered dead from adding rows between the two statements.
        ScoreSet.objects.select_for_update().filter(pk=score_set.pk).first()
        score_set.delete()


def _refuse_unless_it_stays(corpus: Corpus) -> None:
    if not stays(corpus):
        raise ScoresRefusedError(f"The corpus {corpus.name!r} has just been deleted.")


def _refuse_unless_held(score_set: ScoreSet) -> None:
    """Lock the set. It is gone if its job was considered dead and another upload has deleted it."""
    if ScoreSet.objects.select_for_update(no_key=True).filter(pk=score_set.pk).first() is None:
        raise ScoresRefusedError(
            f"Storing the scores {score_set.name!r} made no progress for so long that another upload took "
            "over. Upload them again under another name."
        )
