"""Working folders of jobs that write data releases, in which the next worker goes on if one is killed.

They are on the machine of the worker: a worker on another machine begins anew.
"""

import fcntl
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Count, QuerySet, Sum
from django.utils.crypto import salted_hmac

from analysis.models import DataRelease
from analysis.releases.stored.requests import WRITE_RELEASE, releases_of
from analysis.releases.text_rows import systems_of
from annotate.models import (
    Annotator,
    Campaign,
    Corpus,
    Crowd,
    Design,
    Item,
    Machine,
    OutputScore,
    PracticeAnswer,
    Production,
    Reference,
    Revision,
    ScoreSet,
    Sentence,
    System,
    SystemScore,
)
from assay import __version__
from core.later import pa
from jobs.models import UNFINISHED, Job
from jobs.running import RunningJob

FOLDER: Path = settings.VAR_DIR / "releases"
SALT = "assay-release-inputs"
LOOK_AGAIN_SECONDS = 0.5


@contextmanager
def working_folder(job: RunningJob) -> Iterator[Path]:
    """The folder of the job, which one process at a time has.

    A worker that has lost the job still has it until it notices, at its next report.
    """
    folder = _folder(job.uuid)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    try:
        while not _locks(handle):
            sleep(LOOK_AGAIN_SECONDS)
            job.step()
        yield folder
    finally:
        os.close(handle)


def discard_working_folder(job: UUID) -> None:
    """Delete the folder of a job, if there is one on this machine."""
    shutil.rmtree(_folder(job), ignore_errors=True)


def sweep_working_folders() -> None:
    """Delete the folders of jobs that have ended elsewhere, or were deleted."""
    unfinished = Job.objects.filter(kind=WRITE_RELEASE, state__in=UNFINISHED)
    kept = set(map(str, unfinished.values_list("uuid", flat=True)))
    for folder in FOLDER.glob("*/"):
        if folder.name not in kept:
            shutil.rmtree(folder, ignore_errors=True)


def inputs_of(release: DataRelease) -> str:
    """A text that changes with all that the release is made of, and with the program and its secret key.

    Answers, texts and scores that are stored never change, so their number and the sum of their keys stand
    for them.
    """
    campaigns, corpus = release.campaigns, release.campaign.corpus
    earlier = releases_of(release.campaign).filter(name=release.name, content__isnull=False)
    whole: Sequence[QuerySet[Any, Any]] = (
        earlier.values_list("pk"),
        Campaign.objects.filter(pk__in=[each.pk for each in campaigns]).values_list(),
        Design.objects.filter(campaign__in=campaigns).values_list(),
        Crowd.objects.filter(campaign__in=campaigns).values_list(),
        Annotator.every.filter(campaign__in=campaigns).values_list(),
        Machine.objects.filter(annotator__campaign__in=campaigns).values_list(),
        PracticeAnswer.objects.filter(annotator__campaign__in=campaigns).values_list("pk", "agrees"),
        Corpus.objects.filter(pk=corpus.pk).values_list(),
        System.every.filter(corpus=corpus).values_list(),
        systems_of(campaigns).values_list("pk"),
        ScoreSet.objects.filter(corpus=corpus).values_list(),
    )
    groups: Sequence[tuple[QuerySet[Any], str]] = (
        (Revision.objects.filter(judgment__campaign__in=campaigns, is_current=True), "judgment__state"),
        (Item.objects.filter(campaign__in=campaigns), "campaign"),
        (Sentence.objects.filter(corpus=corpus), "corpus"),
        (Production.every.filter(system__corpus=corpus), "system"),
        (Reference.objects.filter(sentence__corpus=corpus), "annotator"),
        (SystemScore.every.filter(score_set__corpus=corpus), "score_set"),
        (OutputScore.objects.filter(score_set__corpus=corpus), "score_set"),
    )
    state = (
        (__version__, pa.__version__, release.about, release.options, release.confirmed),
        *(list(rows.order_by("pk")) for rows in whole),
        *(
            list(rows.order_by(group).values_list(group).annotate(Count("pk"), Sum("pk")))
            for rows, group in groups
        ),
    )
    return salted_hmac(SALT, json.dumps(state, default=str), algorithm="sha256").hexdigest()


def _folder(job: UUID) -> Path:
    return FOLDER / str(job)


def _locks(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
