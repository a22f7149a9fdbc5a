"""Forms of accounts and of the audit log."""

from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import ngettext

from annotate.accounts import logins
from annotate.accounts.logins import LoginBlockedError
from annotate.models import AuditAction, Role, User
from annotate.web.addresses import address_of
from core.translations import gettext


class Guarded:
    """A form that checks a password, with a wait after too many failures."""

    blocked_seconds = 0
    """How long to wait after too many failed attempts."""

    @contextmanager
    def attempt(self, *, name: str, address: str) -> Iterator[None]:
        """Count the check of a password in the block, which fails if it raises a ValidationError.

        Raises:
            ValidationError: there were too many failures; nothing is checked.
        """
        try:
            attempt = logins.begin_attempt(name=name, address=address)
        except LoginBlockedError as error:
            self.blocked_seconds = ceil((error.until - timezone.now()).total_seconds())
            minutes = max(ceil(self.blocked_seconds / 60), 1)
            words = ngettext(
                "Too many failed attempts. Try again in %(minutes)s minute.",
                "Too many failed attempts. Try again in %(minutes)s minutes.",
                minutes,
            )
            raise ValidationError(words % {"minutes": minutes}) from error
        try:
            yield
        except ValidationError:
            logins.fail(attempt)
            raise
        logins.succeed(attempt)


class LoginForm(Guarded, AuthenticationForm):
    """Name and password."""

    def get_invalid_login_error(self) -> ValidationError:
        """What the page says."""
        words = gettext("This name and password do not match. Check both and try again.")
        return ValidationError(words, code="invalid_login")

    def clean(self) -> dict[str, object]:
        name = self.cleaned_data.get("username")
        if not name or not self.cleaned_data.get("password") or self.request is None:
            return self.cleaned_data
        with self.attempt(name=name, address=address_of(self.request)):
            return super().clean()


class OwnPasswordForm(Guarded, PasswordChangeForm):
    """A new password, for which the old one is needed: a found session does not allow guessing it."""

    def __init__(self, user: User, data: QueryDict | None = None, *, address: str, **of_view: Any) -> None:
        super().__init__(user, data, **of_view)
        self.address = address

    def clean_old_password(self) -> str:
        with self.attempt(name=self.user.username, address=self.address):
            return super().clean_old_password()


class AccountSearch(forms.Form):
    """Filter of the accounts."""

    name = forms.CharField(required=False, max_length=150)
    role = forms.ChoiceField(required=False, choices=[("", "all"), *Role.choices])


class RoleForm(forms.Form):
    """The role of an account."""

    role = forms.TypedChoiceField(choices=Role.choices, coerce=Role)


class NewAccountForm(RoleForm):
    """A new account."""

    name = forms.CharField(
        max_length=150,
        validators=[UnicodeUsernameValidator(message="Only letters, digits and @ . + - _ are allowed.")],
        help_text="Used to log in: letters, digits and @ . + - _",
    )
    field_order = ("name", "role")


class AuditFilter(forms.Form):
    """Filter of the audit log."""

    action = forms.ChoiceField(required=False, choices=[("", "all"), *AuditAction.choices])
    who = forms.CharField(required=False, max_length=150, label="By")
    about = forms.CharField(required=False, max_length=200)
