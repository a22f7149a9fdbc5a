"""Data releases that are stored on the site."""

from typing import Any

from analysis.models import DataRelease
from analysis.releases.checks import Confirmation
from analysis.releases.options import NO_OPTIONS, Options
from analysis.releases.stored.requests import ask, confirm
from annotate.models import Campaign, User
from jobs.worker import run_queued_jobs

STATED: dict[str, Any] = {
    "name": "learner-judgments",
    "title": "Judgments of “learners”",
    "description": "Rankings of corrections.",
    "version": "1.0.0",
    "date": "2026-11-26",
    "licence": "CC-BY-4.0",
    "text_licence": "CC-BY-SA-4.0",
    "url": "https://example.org/judgments",
    "keywords": ["learner English"],
    "authors": [{"family": "Lovelace", "given": "Ada", "affiliation": "", "orcid": ""}],
    "answers": {"purpose": "To compare systems."},
}


def releaser() -> User:
    """The admin who releases."""
    return User.objects.get_or_create(username="a-releaser", role="admin")[0]


def checked_release(campaign: Campaign, *, options: Options = NO_OPTIONS, **changes: object) -> DataRelease:
    """A release that was asked for and checked."""
    release = ask(campaign, {**STATED, **changes}, options, by=releaser())
    run_queued_jobs()
    release.refresh_from_db()
    assert release.checks is not None, release.job and release.job.error
    return release


def stored_release(campaign: Campaign, *, options: Options = NO_OPTIONS, **changes: object) -> DataRelease:
    """A release that was confirmed and written."""
    release = checked_release(campaign, options=options, **changes)
    confirm(release, [*Confirmation], by=releaser())
    run_queued_jobs()
    release.refresh_from_db()
    assert release.is_written, release.job and release.job.error
    return release
