"""Forms of accounts and of the audit log."""

from math import ceil
from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.utils import timezone

from annotate.accounts import logins
from annotate.accounts.logins import LoginBlockedError
from annotate.design.wording import counted
from annotate.models import AuditAction, Role
from annotate.web.addresses import address_of


class LoginForm(AuthenticationForm):
    """Name and password, with a wait after too many failures."""

    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": "This name and password do not match. Check both and try again.",
    }
    blocked_seconds = 0
    """How long to wait after too many failed attempts."""

    def clean(self) -> dict[str, Any]:
        name = self.cleaned_data.get("username")
        if not name or not self.cleaned_data.get("password") or self.request is None:
            return self.cleaned_data
        try:
            attempt = logins.begin_attempt(name=name, address=address_of(self.request))
        except LoginBlockedError as error:
            self.blocked_seconds = ceil((error.until - timezone.now()).total_seconds())
            minutes = counted(max(ceil(self.blocked_seconds / 60), 1), "minute")
            raise ValidationError(f"Too many failed attempts. Try again in {minutes}.") from error
        try:
            cleaned = super().clean()
        except ValidationError:
            logins.fail(attempt)
            raise
        logins.succeed(attempt)
        return cleaned


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
