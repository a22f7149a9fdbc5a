"""Workers are killed, stopped or given up while they store what is published."""

import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from analysis.analyses.annotators.agreement import AGREEMENT, AgreementParameters
from analysis.models import Publication, PublicationFigure, PublicationPiece
from analysis.publishing.publications import THEMES, publish
from analysis.publishing.storing import zip_of
from core.results import LAYOUTS
from jobs.models import Job
from jobs.queue import cancel
from jobs.worker import sweep
from tests.annotate.samples import small_campaign, small_corpus
from tests.jobs.kinds import after_working, user
from tests.jobs.workers import held_worker, run_out, wait_for_the_end, wait_until, worker

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

PIECE = "2000"
"""Bytes, so that a small zip has several pieces."""

STORED = 3
"""Pieces stored before the worker stands still."""


def being_published() -> tuple[Publication, Job]:
    """Without names: each attempt calls outputs by other digests."""
    publication = publish(
        small_campaign(small_corpus()),
        AGREEMENT,
        title="Results",
        with_names=False,
        parameters=AgreementParameters(),
        by=user(),
    )
    assert publication.job is not None
    return publication, publication.job


def assert_nothing_is_visible(publication: Publication, client: Client) -> None:
    assert PublicationPiece.objects.count() == STORED
    assert client.get(publication.get_absolute_url()).status_code == 202
    for name in ("agreement.zip", "agreement.svg"):
        assert client.get(f"{publication.get_absolute_url()}{name}").status_code == 404


def assert_it_is_whole(publication: Publication, client: Client, folder: Path) -> None:
    publication.refresh_from_db()
    assert publication.content is not None
    content = b"".join(zip_of(publication))
    assert len(content) == publication.content["bytes"]
    assert zipfile.ZipFile(BytesIO(content)).testzip() is None
    assert client.get(publication.get_absolute_url()).status_code == 200
    path = folder / "agreement.zip"
    path.write_bytes(content)
    call_command("verify", path)


def test_a_killed_worker_leaves_nothing_visible_and_another_stores_it_once(
    tmp_path: Path, client: Client
) -> None:
    publication, job = being_published()
    with held_worker(tmp_path, step="Storing", after=STORED - 1, ZIP_PIECE=PIECE) as victim:
        victim.kill()
    assert_nothing_is_visible(publication, client)
    run_out(job)
    with worker():
        wait_for_the_end(job)
    assert (job.state, job.attempts) == ("done", 2), job.error
    assert PublicationPiece.objects.count() < STORED  # Of the usual size.
    assert PublicationFigure.objects.count() == len(THEMES) * len(LAYOUTS)
    assert_it_is_whole(publication, client, tmp_path)


@pytest.mark.deep
def test_a_worker_that_only_slept_changes_nothing_when_it_wakes_up(tmp_path: Path, client: Client) -> None:
    publication, job = being_published()
    with held_worker(tmp_path, step="Storing", after=STORED - 1, ZIP_PIECE=PIECE) as sleeper:
        sleeper.freeze()
        run_out(job)
        sweep()
        after_working(job)
        stored = b"".join(zip_of(publication))
        sleeper.wake_up()
        sleeper.end()
    assert (job.state, job.attempts) == ("done", 2)
    assert b"".join(zip_of(publication)) == stored
    assert_it_is_whole(publication, client, tmp_path)


@pytest.mark.deep
def test_of_a_cancelled_job_nothing_stays(tmp_path: Path, client: Client) -> None:
    publication, job = being_published()
    with held_worker(tmp_path, step="Storing", after=STORED - 1, ZIP_PIECE=PIECE) as running:
        cancel(job)
        running.go_on()
        wait_until(lambda: not PublicationPiece.objects.exists(), "the end of the pieces")
    job.refresh_from_db()
    assert job.state == "cancelled"
    assert client.get(publication.get_absolute_url()).status_code == 202
