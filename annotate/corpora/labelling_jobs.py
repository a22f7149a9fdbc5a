"""Jobs that label the edits of a corpus."""

from annotate.models import Corpus, User
from annotate.models.job_kinds import LABEL_EDITS
from jobs.models import UNFINISHED, Job
from jobs.queue import jobs_like, queue


def queue_labelling(corpus: Corpus, *, by: User) -> Job:
    """Queue a job that labels the outputs and references without labels."""
    return queue(
        kind=LABEL_EDITS,
        title=f"Edit types of corpus {corpus}",
        parameters=_parameters(corpus),
        owner=by,
    )


def unfinished_labelling(corpus: Corpus) -> Job | None:
    """The running or waiting job."""
    jobs = jobs_like(kind=LABEL_EDITS, parameters=_parameters(corpus))
    return jobs.filter(state__in=UNFINISHED).first()


def _parameters(corpus: Corpus) -> dict[str, str]:
    return {"corpus": str(corpus.uuid)}
