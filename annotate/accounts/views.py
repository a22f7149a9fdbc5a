"""A user's own account: logging in, and setting the password."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.contrib.auth.views import LoginView, PasswordChangeView, PasswordResetConfirmView
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse_lazy

from annotate.accounts import administration
from annotate.accounts.forms import LoginForm, OwnPasswordForm
from annotate.models import User
from annotate.web.addresses import address_of
from annotate.web.interface_languages import speak_as_at


class WithWait:
    """A page whose form may be blocked for a while: it then answers 429."""

    def form_invalid(self, form: Any) -> HttpResponse:
        response: HttpResponse = super().form_invalid(form)  # type: ignore[misc]  # of the view beside this
        if form.blocked_seconds:
            response.status_code = 429
            response["Retry-After"] = str(form.blocked_seconds)
        return response


class Login(WithWait, LoginView):
    """The login page, in the language of the campaign whose annotators it sends back to their work."""

    template_name = "annotate/accounts/login.html"
    authentication_form = LoginForm

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        speak_as_at(self.get_redirect_url())
        return super().dispatch(request, *args, **kwargs)


class OwnAccount(WithWait, PasswordChangeView):
    """The user's own account, to change the password. This ends sessions in other browsers."""

    template_name = "annotate/accounts/own.html"
    form_class = OwnPasswordForm
    success_url = reverse_lazy("own-account")

    def get_form_kwargs(self) -> dict[str, object]:
        return {**super().get_form_kwargs(), "label_suffix": "", "address": address_of(self.request)}

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

    def get_form_kwargs(self) -> dict[str, object]:
        return {**super().get_form_kwargs(), "label_suffix": ""}

    def get_user(self, uidb64: str) -> User | None:
        user = super().get_user(uidb64)
        return user if user is not None and user.is_active else None

    def form_valid(self, form: "SetPasswordForm[User]") -> HttpResponse:
        response = super().form_valid(form)
        administration.note_password_change(form.user)
        messages.success(self.request, "Your password is set.")
        return response
