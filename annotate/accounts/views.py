"""A user's own account: logging in, and setting the password."""

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm, SetPasswordForm
from django.contrib.auth.views import LoginView, PasswordChangeView, PasswordResetConfirmView
from django.http import HttpResponse
from django.urls import reverse_lazy

from annotate.accounts import administration
from annotate.accounts.forms import LoginForm
from annotate.models import User


class Login(LoginView):
    """The login page; 429 while logins are blocked."""

    template_name = "annotate/accounts/login.html"
    authentication_form = LoginForm

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_invalid(form)
        if seconds := cast(LoginForm, form).blocked_seconds:
            response.status_code = 429
            response["Retry-After"] = str(seconds)
        return response


class OwnAccount(PasswordChangeView):
    """The user's own account, to change the password. This ends sessions in other browsers."""

    template_name = "annotate/accounts/own.html"
    success_url = reverse_lazy("own-account")

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "label_suffix": ""}

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        response = super().form_valid(form)
        administration.note_password_change(form.user)
        messages.success(self.request, "Your password is changed. Other browsers are logged out.")
        return response


class SetPassword(PasswordResetConfirmView):
    """The page of a password link made by an admin: sets the password once, and logs in."""

    template_name = "annotate/accounts/set_password.html"
    success_url = reverse_lazy("home")
    post_reset_login = True

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "label_suffix": ""}

    def get_user(self, uidb64: str) -> User | None:
        user = super().get_user(uidb64)
        return user if user is not None and user.is_active else None

    def form_valid(self, form: "SetPasswordForm[User]") -> HttpResponse:
        response = super().form_valid(form)
        administration.note_password_change(form.user)
        messages.success(self.request, "Your password is set.")
        return response
