"""Living leaderboards: fixed addresses that show the newest of several published rankings."""

import re

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from analysis.models import Leaderboard, LeaderboardVersion, Publication
from annotate.database.audit_log import record
from annotate.models import AuditAction, Campaign, User
from jobs.refusals import RefusedError

SHORTEST, LONGEST = 3, 60
"""Characters of the name in an address."""

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_SLUG_IN_WORDS = (
    f"Use {SHORTEST} to {LONGEST} lower-case letters a to z and digits, with single hyphens between them."
)

TAKEN = "Another leaderboard has the address “{slug}”. Choose another one."
RETIRED = "The leaderboard “{slug}” is retired. Reopen it before you publish to it."
ELSEWHERE = "The leaderboard “{slug}” is of another campaign, which this one does not follow."
MIXED = (
    "Version {number} of the leaderboard shows systems {then}. With both, anyone could tell which number is "
    "which system: publish the same way, or retract the other versions first."
)
NAMED = "The address of the leaderboard names the system {system}. Show names, or use another leaderboard."
NOT_SHOWN = "Version {number} cannot be shown: it is {why}."


def validate_slug(slug: str) -> None:
    """Raise `ValidationError` for a name that is no part of a readable address."""
    if not SHORTEST <= len(slug) <= LONGEST or not _SLUG.fullmatch(slug):
        raise ValidationError(_SLUG_IN_WORDS)


def make_leaderboard(campaign: Campaign, slug: str, *, by: User) -> Leaderboard:
    """Create a leaderboard; strangers see nothing at its address until a version is published.

    Raises:
        RefusedError: the address is taken.
        ValidationError: it is not readable.
    """
    validate_slug(slug)
    try:
        with transaction.atomic():
            leaderboard = Leaderboard.objects.create(campaign=campaign, slug=slug, created_by=by)
            _record(by, AuditAction.MAKE_LEADERBOARD, leaderboard)
    except IntegrityError as error:
        raise RefusedError(TAKEN.format(slug=slug)) from error
    return leaderboard


def leaderboards_of(campaign: Campaign) -> QuerySet[Leaderboard]:
    """Those of the campaign and of the campaigns that it follows: its rankings may be their versions."""
    return Leaderboard.objects.filter(campaign__in=[campaign, *campaign.followed])


def add_version(leaderboard: Leaderboard, publication: Publication) -> LeaderboardVersion:
    """Make a result the next version; it becomes current when it is computed.

    The leaderboard is locked until the caller's transaction ends, so of two results that are published at
    once each gets a number of its own.

    Raises:
        RefusedError: the leaderboard is retired or of another campaign, or names of systems would be
            published next to their numbers.
    """
    locked = Leaderboard.objects.select_for_update(no_key=True).get(pk=leaderboard.pk)
    campaign = publication.campaign
    if locked.retired_at:
        raise RefusedError(RETIRED.format(slug=locked.slug))
    if locked.campaign_id not in [each.pk for each in (campaign, *campaign.followed)]:
        raise RefusedError(ELSEWHERE.format(slug=locked.slug))
    _refuse_names_beside_numbers(locked, publication)
    locked.last_number += 1
    locked.save(update_fields=["last_number"])
    return LeaderboardVersion.objects.create(
        leaderboard=locked, publication=publication, number=locked.last_number
    )


def check_return(version: LeaderboardVersion) -> None:
    """Check that a retracted version may return; its leaderboard is locked until the transaction ends.

    Raises:
        RefusedError: names of systems would be published next to their numbers.
    """
    locked = Leaderboard.objects.select_for_update(no_key=True).get(pk=version.leaderboard_id)
    _refuse_names_beside_numbers(locked, version.publication)


def _refuse_names_beside_numbers(leaderboard: Leaderboard, publication: Publication) -> None:
    versions = leaderboard.versions.select_related("publication").defer("publication__content")
    for each in versions.filter(publication__retracted_at=None):
        if each.publication.with_names != publication.with_names:
            then = "by name" if each.publication.with_names else "as numbers"
            raise RefusedError(MIXED.format(number=each.number, then=then))


def standing_versions(leaderboard: Leaderboard) -> QuerySet[LeaderboardVersion]:
    """The versions that may be current, the newest first, without their contents."""
    versions = leaderboard.versions.filter(
        publication__content__isnull=False, publication__retracted_at=None, is_set_aside=False
    )
    return versions.select_related("publication").defer("publication__content").order_by("-number")


def current_version(leaderboard: Leaderboard) -> LeaderboardVersion | None:
    """The version that the page shows; None if none stands."""
    return standing_versions(leaderboard).first()


def show_version(leaderboard: Leaderboard, number: int, *, by: User) -> None:
    """Make a version current: newer ones are set aside, and this one is not any more.

    Versions that are still being computed are not set aside: they were published to become current.

    Raises:
        RefusedError: the version is retracted or not computed.
    """
    with transaction.atomic():
        locked = Leaderboard.objects.select_for_update(no_key=True).get(pk=leaderboard.pk)
        versions = locked.versions.select_related("publication").defer("publication__content")
        version = versions.get(number=number)
        if version.publication.retracted_at:
            raise RefusedError(NOT_SHOWN.format(number=number, why="retracted"))
        computed = locked.versions.filter(publication__content__isnull=False)
        if not computed.filter(pk=version.pk).exists():
            raise RefusedError(NOT_SHOWN.format(number=number, why="not computed"))
        computed.filter(number__gt=number).update(is_set_aside=True)
        computed.filter(number=number).update(is_set_aside=False)
        _record(by, AuditAction.SHOW_VERSION, locked, version=number)


def retire(leaderboard: Leaderboard, *, by: User) -> None:
    """Take the address out of use. Versions stay at their permanent addresses, and the name stays taken."""
    with transaction.atomic():
        if Leaderboard.objects.filter(pk=leaderboard.pk, retired_at=None).update(retired_at=timezone.now()):
            _record(by, AuditAction.RETIRE_LEADERBOARD, leaderboard)


def reopen(leaderboard: Leaderboard, *, by: User) -> None:
    """Show a retired leaderboard again, at the same address."""
    with transaction.atomic():
        retired = Leaderboard.objects.filter(pk=leaderboard.pk, retired_at__isnull=False)
        if retired.update(retired_at=None):
            _record(by, AuditAction.REOPEN_LEADERBOARD, leaderboard)


def _record(by: User, action: AuditAction, leaderboard: Leaderboard, **details: object) -> None:
    stated = {"address": leaderboard.get_absolute_url(), **details}
    record(user=by, action=action, subject=leaderboard.campaign, details=stated)
