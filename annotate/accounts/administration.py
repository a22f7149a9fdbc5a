"""Accounts: admins create and deactivate them, set their roles, and make links to set a password.

Admins cannot change their own role or deactivate their own account, so at least one active admin remains.
"""

from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.tokens import default_token_generator
from django.db import transaction

from annotate.accounts.tokens import revoke_token
from annotate.database.audit_log import record
from annotate.database.storing_once import stored_once
from annotate.models import AuditAction, Role, User
from jobs.refusals import RefusedError


class AccountError(RefusedError):
    """The account's state does not allow the action; the message says why."""


def create_account(*, name: str, role: Role, by: User | None) -> User:
    """Create an account, which nobody can log in to until a password is set.

    Raises:
        ValidationError: the name is malformed or taken.
    """
    user = User(username=User.normalize_username(name), role=role)
    user.set_unusable_password()
    user.full_clean()
    with stored_once(user):
        user.save(force_insert=True)
        record(user=by, action=AuditAction.CREATE_ACCOUNT, subject=user, details={"role": role})
    return user


def create_admin(*, name: str, password: str) -> User:
    """Create an admin who can log in at once; for the command that creates the first one.

    Raises:
        ValidationError: the name is malformed or taken, or the password is weak.
    """
    validate_password(password, User(username=name))
    with transaction.atomic():
        user = create_account(name=name, role=Role.ADMIN, by=None)
        user.set_password(password)
        user.save(update_fields=["password"])
    return user


def change_role(user: User, *, role: Role, by: User) -> None:
    """Give the account another role.

    Raises:
        AccountError: `by` acts on their own account, or is no longer an admin.
    """
    with transaction.atomic():
        locked = _locked(user, by=by)
        before, locked.role = locked.role, role
        locked.save(update_fields=["role"])
        record(
            user=by, action=AuditAction.CHANGE_ROLE, subject=user, details={"from": before, "to": str(role)}
        )


def deactivate(user: User, *, by: User) -> None:
    """Deactivate the account: logins, sessions and the API token are refused. Its past actions are kept.

    Raises:
        AccountError: `by` acts on their own account, or is no longer an admin.
    """
    _set_active(user, False, AuditAction.DEACTIVATE, by)


def reactivate(user: User, *, by: User) -> None:
    """Let the account log in again. Its sessions and API token work again, unless a password link ended them.

    Raises:
        AccountError: `by` is no longer an admin.
    """
    _set_active(user, True, AuditAction.REACTIVATE, by)


def make_password_link(user: User, *, by: User) -> str:
    """The token of a link that sets the password once, within `PASSWORD_RESET_TIMEOUT`.

    This invalidates the old password at once, all sessions, the API token and earlier links. The link's token
    is not stored: it is a digest of values that setting the password changes.

    Raises:
        AccountError: it is `by`'s own account, a deactivated one, or `by` is no longer an admin.
    """
    with transaction.atomic():
        locked = _locked(user, by=by)
        if not locked.is_active:
            raise AccountError(f"{user} is deactivated. Reactivate it first.")
        locked.set_unusable_password()
        locked.save(update_fields=["password"])
        revoke_token(locked, by=by)
        record(user=by, action=AuditAction.PASSWORD_LINK, subject=user)
    return default_token_generator.make_token(locked)


def note_password_change(user: User) -> None:
    """Record in the audit log that a user has set their own password."""
    record(user=user, action=AuditAction.CHANGE_PASSWORD, subject=user)


def _set_active(user: User, is_active: bool, action: AuditAction, by: User) -> None:
    with transaction.atomic():
        locked = _locked(user, by=by)
        locked.is_active = is_active
        locked.save(update_fields=["is_active"])
        record(user=by, action=action, subject=user)


def _locked(user: User, *, by: User) -> User:
    """The current account, locked with `by`'s until the transaction ends."""
    if user == by:
        raise AccountError(
            "This is your own account: another admin has to do this, so that at least one remains."
        )
    # In a fixed order, so that two admins who act on each other wait instead of deadlocking.
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=[user.pk, by.pk]).order_by("pk")
    accounts = {row.pk: row for row in rows}
    if not (accounts[by.pk].is_admin and accounts[by.pk].is_active):
        raise AccountError("You are no longer an admin.")
    return accounts[user.pk]
