"""Upload of scores that were computed elsewhere: a CSV of `metric,system[,sentence],score`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID, uuid5

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from annotate.database.staging import delete_in_pieces, pieces, short_transaction, stays
from annotate.models import Corpus, OutputScore, ScoreSet, ScoreSetState, SystemScore, User
from annotate.models.corpora import validate_heading
from annotate.models.job_kinds import STORE_SCORES
from annotate.scores.corpus_outputs import NO_OUTPUT, CorpusOutputs, corpus_outputs
from annotate.scores.scoring import ScoresRefusedError
from core.progress import Advance, NoProgress, Progress, over_many
from formats.metric_scores import ScoreRecord, read_score_records
from formats.text.checks import Place, quoted
from jobs.models import UNFINISHED, Job

MOST_METRICS = 100
SCORES_PER_PIECE = 500
LISTED = 20
"""Maximum number of systems named in a message."""

ONLY_SENTENCES = "only scores of sentences were uploaded"
NOT_SCORED = "the uploaded file has no score for it"


@dataclass(slots=True)
class UploadedScores:
    """Scores of one metric in a file.

    Attributes:
        name: name of the metric.
        systems: score of each system by name.
        outputs: score of each output by its index in the corpus; None if the file leaves it without a score.
        scored: by system name, the number of sentences with a score.
        not_scored: by system name, the number of sentences that the file leaves without a score.
    """

    name: str
    systems: dict[str, float] = field(default_factory=dict)
    outputs: dict[int, float | None] = field(default_factory=dict)
    scored: Counter[str] = field(default_factory=Counter)
    not_scored: Counter[str] = field(default_factory=Counter)


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
    checked = _CheckedScores(outputs, _taken(corpus, upload))
    records = over_many(read_score_records(path), "Reading the scores", progress or NoProgress(), total=0)
    for record in records:
        checked.add(record)
    return list(checked.metrics.values())


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


class _CheckedScores:
    """Checks the scores of a file against the corpus, row by row.

    Attributes:
        metrics: by name.
    """

    def __init__(self, outputs: CorpusOutputs, taken: frozenset[str]) -> None:
        self.metrics: dict[str, UploadedScores] = {}
        self._taken = taken
        self._picks = {name: picks.tolist() for name, (_, picks) in outputs.systems.items()}
        self._indices = {position: index for index, position in enumerate(outputs.positions.tolist())}
        self._first: dict[tuple[str, int], ScoreRecord] = {}

    def add(self, record: ScoreRecord) -> None:
        """Add a row. Raises FormatError if the corpus has no such output, or it already has another score."""
        of = self.metrics.get(record.metric) or self._metric(record.metric, record.place)
        if record.system not in self._picks:
            names = ", ".join([*self._picks][:LISTED]) + (", …" if len(self._picks) > LISTED else "")
            raise record.place.fault(
                f"the corpus has no system {quoted(record.system)}; systems are: {names}"
            )
        if record.sentence is not None:
            self._add_sentence(of, record, record.sentence)
        elif record.score is not None:
            of.systems[record.system] = record.score

    def _metric(self, name: str, place: Place) -> UploadedScores:
        """Add a metric of the file."""
        try:
            validate_heading(name)
        except ValidationError as error:
            raise place.fault(" ".join(error.messages)) from error
        if name in self._taken:
            raise place.fault(
                f"scores named {name!r} have been uploaded for this corpus. Use another name, or have an "
                "admin delete them"
            )
        if len(self.metrics) == MOST_METRICS:
            raise place.fault(f"more than {MOST_METRICS} metrics in one file")
        return self.metrics.setdefault(name, UploadedScores(name))

    def _add_sentence(self, of: UploadedScores, record: ScoreRecord, sentence: int) -> None:
        index = self._indices.get(sentence)
        if index is None:
            last = max(self._indices, default=0)
            raise record.place.fault(
                f"there is no sentence {sentence}; sentences are counted from 0 to {last}"
            )
        output = self._picks[record.system][index]
        if output != NO_OUTPUT:
            self._add_output(of, record, output)
        elif record.score is not None:
            raise record.place.fault(f"{record.system} has no output for this sentence")

    def _add_output(self, of: UploadedScores, record: ScoreRecord, output: int) -> None:
        first = self._first.setdefault((of.name, output), record)
        if first.score != record.score:
            other = "no score" if first.score is None else "another score"
            raise record.place.fault(
                f"{record.system} has the same output for this sentence as {first.system}, which has {other} "
                f"in line {first.place.line}"
            )
        of.outputs[output] = record.score
        counts = of.not_scored if record.score is None else of.scored
        counts[record.system] += 1


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
        for numbers in pieces(list(uploaded.outputs), SCORES_PER_PIECE):
            with short_transaction():
                _refuse_unless_it_stays(corpus)
                _refuse_unless_held(made)
                OutputScore.objects.bulk_create(_output_scores(made, uploaded, outputs, numbers))
            progress(len(numbers))
        with transaction.atomic():
            _refuse_unless_held(made)
            SystemScore.objects.bulk_create(_system_scores(made, uploaded, outputs))
            ScoreSet.objects.filter(pk=made.pk).update(state=ScoreSetState.READY)
    except BaseException:
        _discard(made)
        raise
    return made


def _output_scores(
    made: ScoreSet, uploaded: UploadedScores, outputs: CorpusOutputs, numbers: Sequence[int]
) -> Iterator[OutputScore]:
    for number in numbers:
        yield OutputScore(
            score_set=made,
            output_id=int(outputs.keys[number]),
            position=int(outputs.positions[outputs.places[number]]),
            score=uploaded.outputs[number],
            reason=NOT_SCORED if uploaded.outputs[number] is None else "",
        )


def _system_scores(made: ScoreSet, uploaded: UploadedScores, outputs: CorpusOutputs) -> Iterator[SystemScore]:
    for name, (key, _) in outputs.systems.items():
        if name in uploaded.systems or uploaded.scored[name] or uploaded.not_scored[name]:
            value = uploaded.systems.get(name)
            yield SystemScore(
                score_set=made,
                system_id=key,
                value=value,
                reason="" if value is not None else ONLY_SENTENCES,
                scored=uploaded.scored[name],
                not_scored=uploaded.not_scored[name],
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
