"""Jobs about the scores of a corpus."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from django.core.files.uploadedfile import UploadedFile
from django.db.models import Q

from annotate.models import Corpus, ScoreSet, User
from annotate.models.job_kinds import DELETE_SCORES, SCORE_CORPUS, STORE_SCORES
from annotate.scores.corpus_outputs import corpus_outputs
from annotate.scores.deletion import hide_scores
from annotate.scores.uploading import read_scores
from annotate.web.uploads import discard, folder_of, keep_files
from formats import FormatError
from jobs.models import UNFINISHED, Job
from jobs.queue import queue

FIELD = "file"
STORED_AS = "scores.csv"
KINDS = (SCORE_CORPUS, STORE_SCORES, DELETE_SCORES)


def queue_scoring(corpus: Corpus, metrics: Sequence[str], *, by: User | None) -> Job:
    """Queue a job that scores the corpus by these metrics, given in command-line form."""
    return queue(
        kind=SCORE_CORPUS,
        title=f"Scores of corpus {corpus}",
        parameters={"corpus": str(corpus.uuid), "metrics": sorted(set(metrics))},
        owner=by,
    )


@dataclass(frozen=True, slots=True)
class Storing:
    """Scores of a file that are being stored.

    Attributes:
        metrics: their names.
        jobs: one for each corpus.
    """

    metrics: Sequence[str]
    jobs: Sequence[Job]


def queue_storing(corpus: Corpus, file: "UploadedFile[bytes]", *, by: User) -> Job:
    """Check the scores of a file and queue a job that stores them.

    Raises:
        FormatError: as of `queue_storing_in_each`.
    """
    return queue_storing_in_each([corpus], file, by=by).jobs[0]


def queue_storing_in_each(corpora: Sequence[Corpus], file: "UploadedFile[bytes]", *, by: User) -> Storing:
    """Check the scores of a file against each of these corpora, and queue a job for each that stores them.

    Raises:
        FormatError: a line is wrong; names file, line and cause, and nothing is stored.
    """
    name, file.name = str(file.name), STORED_AS
    uploads = []
    metrics: list[str] = []
    try:
        for corpus in corpora:
            uploads.append(keep_files({FIELD: [file]}))
            read = read_scores(scores_file(uploads[-1]), corpus, corpus_outputs(corpus))
            metrics = [each.name for each in read]
    except FormatError as error:
        for upload in uploads:
            discard(upload)
        cause = f"{corpus}: {error.cause}" if len(corpora) > 1 else error.cause
        raise FormatError(Path(name), error.line, cause) from error
    return Storing(metrics, [_queued(*each, by=by) for each in zip(corpora, uploads, strict=True)])


def _queued(corpus: Corpus, upload: UUID, *, by: User) -> Job:
    return queue(
        kind=STORE_SCORES,
        title=f"Uploaded scores of corpus {corpus}",
        parameters={"corpus": str(corpus.uuid), "upload": str(upload)},
        owner=by,
    )


def scores_file(upload: UUID | str) -> Path:
    """The file of an upload."""
    return folder_of(upload) / FIELD / STORED_AS


def queue_deletion(score_set: ScoreSet, *, by: User) -> Job:
    """Hide the scores and queue a job that deletes them."""
    hide_scores(score_set, by=by)
    return queue(
        kind=DELETE_SCORES,
        title=f"Deletion of the scores {score_set} of corpus {score_set.corpus}",
        parameters={"corpus": str(score_set.corpus.uuid), "scores": str(score_set.uuid)},
        owner=by,
    )


def jobs_of(corpus: Corpus, asked: str) -> list[Job]:
    """Unfinished jobs on the scores of a corpus and the requested job, the newest first."""
    wanted = Q(state__in=UNFINISHED)
    with suppress(ValueError):
        wanted |= Q(uuid=UUID(asked))
    jobs = Job.objects.filter(wanted, kind__in=KINDS).select_related("owner").order_by("-pk")
    return [job for job in jobs if job.parameters.get("corpus") == str(corpus.uuid)]
