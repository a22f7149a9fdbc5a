"""Rate limit for logins: too many failures block further attempts for a while.

Attempts are database rows, because all worker processes share the database. Each is stored before its
password is checked, so that simultaneous attempts are counted too.

Failures are limited for a name from an address, and, with a limit ten times as high, for a name from any
address and for an address with any name. So a stranger cannot easily lock out a user elsewhere, nor a class
that shares an address. Names are counted whether or not the account exists, so that the response does not
reveal it.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from annotate.models import AuditAction, AuditEntry, LoginAttempt, User

WIDER = 10


class LoginBlockedError(Exception):
    """Too many attempts have failed.

    Attributes:
        until: when there may be another one.
    """

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until


@dataclass(frozen=True, slots=True)
class Attempt:
    """A login attempt in progress.

    Attributes:
        row: counts as failed until the attempt succeeds.
        name: as it was typed.
        is_last: whether the next one is blocked if this one fails.
    """

    row: LoginAttempt
    name: str
    is_last: bool


def begin_attempt(*, name: str, address: str, now: datetime | None = None) -> Attempt:
    """Record the attempt, before the password is checked.

    Raises:
        LoginBlockedError: too many have failed.
    """
    now = now or timezone.now()
    window = timedelta(minutes=settings.LOGIN_BLOCK_MINUTES)
    LoginAttempt.objects.filter(at__lt=now - window).delete()
    row = LoginAttempt.objects.create(at=now, name_digest=_digest(name), address=address)
    failures = [(_failures_before(row, scope, limit), limit) for scope, limit in _scopes(row)]
    blocks = [times[-1] + window for times, limit in failures if len(times) == limit]
    if blocks:
        row.delete()
        raise LoginBlockedError(max(blocks))
    return Attempt(row, name, is_last=any(len(times) == limit - 1 for times, limit in failures))


def succeed(attempt: Attempt) -> None:
    """Forget the attempt, and the failures of this name from this address."""
    row = attempt.row
    LoginAttempt.objects.filter(name_digest=row.name_digest, address=row.address).delete()


def fail(attempt: Attempt) -> None:
    """Count the attempt as failed; if it was the last one allowed, the audit log records the block."""
    if attempt.is_last:
        account = User.objects.filter(username=attempt.name).first()
        AuditEntry.objects.create(
            action=AuditAction.BLOCK_LOGINS,
            kind="address",
            name=attempt.row.address,
            details={"account": account.username if account else "unknown"},
        )


def forget(name: str) -> None:
    """Forget the attempts of this name."""
    LoginAttempt.objects.filter(name_digest=_digest(name)).delete()


def _scopes(row: LoginAttempt) -> list[tuple[Q, int]]:
    of_name, from_address = Q(name_digest=row.name_digest), Q(address=row.address)
    few = settings.LOGIN_FAILURES
    return [(of_name & from_address, few), (of_name, WIDER * few), (from_address, WIDER * few)]


def _failures_before(row: LoginAttempt, scope: Q, limit: int) -> list[datetime]:
    """Times of the newest other attempts, at most this many."""
    others = LoginAttempt.objects.filter(scope).exclude(pk=row.pk)
    return list(others.order_by("-at").values_list("at", flat=True)[:limit])


def _digest(name: str) -> str:
    return salted_hmac("annotate.logins", name, algorithm="sha256").hexdigest()
