"""The page *API*: the token of the user's own account."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from annotate.accounts import tokens
from annotate.models import ApiToken
from annotate.web.access import AccountRequest, researcher


@researcher
@require_safe
def programs(request: AccountRequest) -> HttpResponse:
    return _page(request)


@researcher
@require_POST
@never_cache
def mint_token(request: AccountRequest) -> HttpResponse:
    """Create a new token, shown only this once."""
    return _page(request, tokens.mint_token(request.user))


@researcher
@require_POST
def revoke_token(request: AccountRequest) -> HttpResponse:
    user = request.user
    tokens.revoke_token(user, by=user)
    messages.success(request, "Your account's token has been revoked.")
    return redirect("programs")


def _page(request: AccountRequest, new_token: str = "") -> HttpResponse:
    token = ApiToken.objects.filter(user=request.user).first()
    return render(request, "annotate/programs/programs.html", {"token": token, "new_token": new_token})
