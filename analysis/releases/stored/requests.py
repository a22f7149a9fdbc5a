"""Asking for a data release, confirming it, and deleting it."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from analysis.models import DataRelease
from analysis.releases.about import About, about_of, version_numbers
from analysis.releases.checks import Confirmation, ReleaseRefusedError, released_together
from analysis.releases.options import Options
from analysis.releases.version_changes import Previous, previous_of
from annotate.database.audit_log import record
from annotate.database.staging import delete_in_pieces
from annotate.models import AuditAction, Campaign, User
from core.wording import listed
from jobs.models import Job
from jobs.queue import queue

CHECK_RELEASE, WRITE_RELEASE = "check-data-release", "write-data-release"
"""The kinds of jobs, as stored in the database."""

BUSY = "Wait until its job has ended, or cancel the job first."


def releases_of(campaign: Campaign) -> QuerySet[DataRelease]:
    """The data releases of a campaign, alone or with others, the newest first."""
    alone_or_first = DataRelease.objects.filter(campaign=campaign).order_by().values("pk")
    further = DataRelease.further.through.objects.filter(campaign=campaign).values("datarelease")
    releases = DataRelease.objects.filter(pk__in=alone_or_first.union(further))
    return releases.select_related("campaign__corpus", "job", "released_by").prefetch_related("further")


def ask(
    campaign: Campaign,
    stated: Mapping[str, Any],
    options: Options,
    *,
    further: Sequence[Campaign] = (),
    by: User,
) -> DataRelease:
    """Ask for a data release, which a job checks. It replaces one of this version that was never written.

    Args:
        campaign: whose data it is.
        stated: what the authors state, by the keys of the command's file, with the day as a text.
        options: what else is released.
        further: other campaigns on the same corpus that are released with it.
        by: the admin.

    Raises:
        AboutError: something is missing or wrong in `stated`.
        ReleaseRefusedError: the campaigns cannot be in one release, this version or a higher one is written
            already, or this one is being made.
    """
    about = about_of(stated)
    keys = [each.pk for each in released_together([campaign, *further])]
    with transaction.atomic():
        list(Campaign.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk"))
        earlier = releases_of(campaign).filter(name=about.name, version=about.version).first()
        if earlier is not None and earlier.is_written:
            raise ReleaseRefusedError(
                f"{earlier} is written already: choose a higher version, or delete that one."
            )
        if earlier is not None:
            delete(earlier, by=by)
        previous_to(campaign, about)
        release = DataRelease.objects.create(
            campaign=campaign,
            name=about.name,
            version=about.version,
            about=dict(stated),
            options=options.as_json(),
            released_by=by,
        )
        release.further.set(further)
        _queue(release, CHECK_RELEASE, f"Check {release}", by)
    return release


def previous_to(campaign: Campaign, about: About) -> Previous | None:
    """The last release of this data set that was written; None if this is the first.

    Raises:
        ReleaseRefusedError: it has no lower version.
    """
    written = releases_of(campaign).filter(name=about.name, content__isnull=False)
    last = max(written, key=lambda each: version_numbers(each.version), default=None)
    if last is None or last.content is None:
        return None
    return previous_of(last.content["numbers"], last.content["history"], about, called=str(last))


def confirm(release: DataRelease, confirmed: Collection[Confirmation], *, by: User) -> Job:
    """Have a release written that was checked.

    Raises:
        ReleaseRefusedError: it was not checked, is being made or written already, something stands in its
            way, or something is not confirmed.
    """
    with transaction.atomic():
        locked = DataRelease.objects.select_for_update(no_key=True, of=("self",)).get(pk=release.pk)
        if locked.is_busy or locked.is_written or locked.checks is None:
            raise ReleaseRefusedError(
                f"{locked} is written already." if locked.is_written else f"{locked} is not checked. {BUSY}"
            )
        if refusals := locked.checks["refusals"]:
            raise ReleaseRefusedError("\n".join(refusals))
        if missing := [key for key in locked.checks["to_confirm"] if key not in confirmed]:
            raise ReleaseRefusedError(f"Confirm what has to be confirmed first: {listed(missing)}.")
        locked.confirmed = sorted(confirmed)
        locked.save(update_fields=["confirmed"])
        return _queue(locked, WRITE_RELEASE, f"Write {locked}", by)


def delete(release: DataRelease, *, by: User) -> None:
    """Delete a release with its zip. Copies that were downloaded remain.

    Raises:
        ReleaseRefusedError: a job is checking or writing it.
    """
    if release.is_busy:
        raise ReleaseRefusedError(f"{release} is being made. {BUSY}")
    if release.is_written:
        details = {"format": "data release", "data set": release.name, "version": release.version}
        record(user=by, action=AuditAction.DELETE, subject=release.campaign, details=details)
    # A deletion that is interrupted leaves one that was never written, not one with a damaged zip.
    DataRelease.objects.filter(pk=release.pk).update(content=None)
    delete_in_pieces(release.pieces.all())
    release.delete()


def _queue(release: DataRelease, kind: str, title: str, by: User) -> Job:
    release.job = queue(kind=kind, title=title, parameters={"release": str(release.uuid)}, owner=by)
    release.save(update_fields=["job"])
    return release.job
