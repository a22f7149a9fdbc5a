"""API tokens of accounts. The audit log records who creates or revokes one."""

import secrets

from django.db import transaction
from django.utils import timezone

from annotate.database.audit_log import record
from annotate.models import ApiToken, AuditAction, User
from formats.digests import text_digest


def mint_token(user: User) -> str:
    """A new token for the account; an earlier one stops working. Only its digest is kept."""
    token = secrets.token_urlsafe(32)
    with transaction.atomic():
        ApiToken.objects.update_or_create(
            user=user, defaults={"digest": text_digest(token), "minted_at": timezone.now()}
        )
        record(user=user, action=AuditAction.MAKE_TOKEN, subject=user)
    return token


def revoke_token(user: User, *, by: User) -> None:
    """Revoke the account's token, if there is one."""
    with transaction.atomic():
        if ApiToken.objects.filter(user=user).delete()[0]:
            record(user=by, action=AuditAction.REVOKE_TOKEN, subject=user)


def user_of_token(token: str) -> User | None:
    """The account that the token belongs to, unless it is deactivated."""
    return User.objects.filter(api_token__digest=text_digest(token), is_active=True).first()
