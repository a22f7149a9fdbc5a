"""The work of the jobs that check and write data releases."""

from analysis.models import DataRelease
from analysis.publishing.storing import locked, store_zip
from analysis.releases.about import about_of
from analysis.releases.checks import Checked, Confirmation, ReleaseRefusedError, checked
from analysis.releases.contents import contents_of
from analysis.releases.options import options_of
from analysis.releases.releasing import Release, record_release, write_in_steps
from analysis.releases.steps import Steps
from analysis.releases.stored.requests import previous_to
from analysis.releases.stored.resuming import inputs_of, working_folder
from analysis.releases.tables import file_digest
from analysis.releases.version_changes import CHANGES, NUMBERS
from analysis.releases.wording import summary
from annotate.database.staging import delete_in_pieces
from core.progress import Progress
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
    _keep_checks(release, checked(release.campaigns, about, (), job, options), job)


def write(release: DataRelease, job: RunningJob) -> None:
    """Write the release, and store its zip and what its page shows.

    Raises:
        RefusedError: something stands in its way by now, or it was deleted.
    """
    about, options = about_of(release.about), options_of(release.options)
    confirmed = [Confirmation(each) for each in release.confirmed or ()]
    with working_folder(job) as folder:
        part = folder / "part"
        part.mkdir(exist_ok=True)
        steps = Steps(part, job, notes=folder / "steps.json", inputs=inputs_of(release))
        found = steps.done(
            "checks", Checked, lambda: checked(release.campaigns, about, confirmed, job, options)
        )
        # A campaign may have been deleted since the check.
        is_whole = (release.checks or {}).get("campaigns", _names(release)) == _names(release)
        if found.refusals or found.to_confirm or not is_whole:
            _keep_checks(release, found, job)
            raise ReleaseRefusedError("\n".join(found.refusals) or HAS_CHANGED)
        previous = previous_to(release.campaign, about)
        written = write_in_steps(release.campaigns, part, about, steps, previous, options, job)
        memory.give_back()
        store_zip(release, written.zip, job)
        content = _content(written, job)
        with locked(release, job):
            record_release(release.campaigns, about, found, options, by=job.owner)
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
        "campaigns": _names(release),
        "contents": contents_of(release.campaigns),
    }
    with locked(release, job):
        DataRelease.objects.filter(pk=release.pk).update(checks=checks, confirmed=None)


def _names(release: DataRelease) -> list[str]:
    return [each.name for each in release.campaigns]


def _content(written: Release, progress: Progress) -> dict[str, object]:
    return {
        "bytes": written.zip.stat().st_size,
        "sha256": file_digest(written.zip, progress),
        "summary": summary(written.facts),
        "rows": list(written.facts.rows.items()),
        "changes": written.changes,
        "numbers": (written.folder / NUMBERS).read_text(encoding="utf-8"),
        "history": (written.folder / CHANGES).read_text(encoding="utf-8"),
    }
