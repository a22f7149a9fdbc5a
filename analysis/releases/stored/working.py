"""The work of the jobs that check and write data releases."""

import hashlib
import tempfile
from pathlib import Path

from analysis.models import DataRelease
from analysis.publishing.storing import locked, store_zip
from analysis.releases.about import about_of
from analysis.releases.checks import Checked, Confirmation, ReleaseRefusedError, checked
from analysis.releases.contents import contents_of
from analysis.releases.options import options_of
from analysis.releases.releasing import Release, write_release
from analysis.releases.stored.requests import previous_to
from analysis.releases.version_changes import CHANGES, NUMBERS
from analysis.releases.wording import summary
from annotate.database.staging import delete_in_pieces
from jobs import memory
from jobs.running import RunningJob

HAS_CHANGED = (
    "The campaign has changed since it was checked: look at what was found now, and confirm it again."
)


def check(release: DataRelease, job: RunningJob) -> None:
    """Check the campaign, and keep what was found for the admin to look at.

    Raises:
        RefusedError: the release was deleted.
    """
    about, options = about_of(release.about), options_of(release.options)
    _keep_checks(release, checked(release.campaign, about, (), job, options), job)


def write(release: DataRelease, job: RunningJob) -> None:
    """Write the release, and store its zip and what its page shows.

    Raises:
        RefusedError: something stands in its way by now, or it was deleted.
    """
    about, options = about_of(release.about), options_of(release.options)
    confirmed = [Confirmation(each) for each in release.confirmed or ()]
    found = checked(release.campaign, about, confirmed, job, options)
    if found.refusals or found.to_confirm:
        _keep_checks(release, found, job)
        raise ReleaseRefusedError("\n".join(found.refusals) or HAS_CHANGED)
    with tempfile.TemporaryDirectory() as name:
        written = write_release(
            release.campaign,
            Path(name) / "release",
            about,
            found,
            previous=previous_to(release.campaign, about),
            options=options,
            by=job.owner,
            progress=job,
        )
        memory.give_back()
        store_zip(release, written.zip, job)
        content = _content(written)
        with locked(release, job):
            DataRelease.objects.filter(pk=release.pk).update(content=content)


def discard_unless_written(release: DataRelease) -> None:
    """Delete the pieces of a zip that was never stored as a whole."""
    delete_in_pieces(release.pieces.filter(release__content__isnull=True))


def _keep_checks(release: DataRelease, found: Checked, job: RunningJob) -> None:
    checks = {
        "refusals": found.refusals,
        "to_confirm": {str(each): why for each, why in found.to_confirm.items()},
        "warnings": found.warnings,
        "found": [str(place) for place in found.found],
        "found_more": found.found_more,
        "contents": contents_of(release.campaign),
    }
    with locked(release, job):
        DataRelease.objects.filter(pk=release.pk).update(checks=checks, confirmed=None)


def _content(written: Release) -> dict[str, object]:
    with written.zip.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {
        "bytes": written.zip.stat().st_size,
        "sha256": digest,
        "summary": summary(written.facts),
        "rows": list(written.facts.rows.items()),
        "changes": written.changes,
        "numbers": (written.folder / NUMBERS).read_text(encoding="utf-8"),
        "history": (written.folder / CHANGES).read_text(encoding="utf-8"),
    }
