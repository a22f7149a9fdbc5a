"""The admin's pages about people: accounts with their roles, and the audit log."""

from collections.abc import Callable

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.accounts import administration, queries
from annotate.accounts.forms import AccountSearch, AuditFilter, NewAccountForm, RoleForm
from annotate.models import Role, User
from annotate.web.access import AccountRequest, admin
from annotate.web.filters import criteria
from annotate.web.paging import page_of
from annotate.web.refusals import FaultsAt, refusals_lead_to

ROWS_PER_PAGE = 50
CAMPAIGNS_SHOWN = 50


@admin
@require_safe
def list_accounts(request: AccountRequest) -> HttpResponse:
    form = AccountSearch(request.GET or None)
    accounts = queries.accounts(**criteria(form))
    context = {"form": form, "page": page_of(accounts, request.GET, size=ROWS_PER_PAGE, by="username")}
    return render(request, "annotate/accounts/list.html", context)


@admin
@require_http_methods(["GET", "HEAD", "POST"])
def new_account(request: AccountRequest) -> HttpResponse:
    """Create an account, and show the link that sets its password."""
    form = NewAccountForm(
        request.POST if request.method == "POST" else None,
        initial={"role": Role.ANNOTATOR},
        label_suffix="",
    )
    if form.is_valid():
        with FaultsAt(form, "name"):
            user = administration.create_account(by=request.user, **form.cleaned_data)
            return _show_link(request, user)
    return render(request, "annotate/accounts/new.html", {"form": form})


@admin
@require_safe
def show_account(request: AccountRequest, number: int) -> HttpResponse:
    user = get_object_or_404(User, pk=number)
    context = {
        "account": user,
        "is_own": user == request.user,
        "role_form": RoleForm(initial={"role": user.role}, label_suffix=""),
        "annotators": user.annotators.select_related("campaign").order_by("campaign__name")[:CAMPAIGNS_SHOWN],
    }
    return render(request, "annotate/accounts/account.html", context)


@admin
@require_POST
@refusals_lead_to("account", "number")
def set_role(request: AccountRequest, number: int) -> HttpResponse:
    user = get_object_or_404(User, pk=number)
    form = RoleForm(request.POST)
    if not form.is_valid():
        messages.error(request, "There is no such role.")
        return _to_account(user)
    role = form.cleaned_data["role"]
    return _change(
        request, user, f"{user} is now {role.label.lower()}.", administration.change_role, role=role
    )


@admin
@require_POST
@refusals_lead_to("account", "number")
def deactivate(request: AccountRequest, number: int) -> HttpResponse:
    user = get_object_or_404(User, pk=number)
    return _change(request, user, f"{user} can no longer log in.", administration.deactivate)


@admin
@require_POST
@refusals_lead_to("account", "number")
def reactivate(request: AccountRequest, number: int) -> HttpResponse:
    user = get_object_or_404(User, pk=number)
    return _change(request, user, f"{user} can log in again.", administration.reactivate)


@admin
@require_POST
@refusals_lead_to("account", "number")
def password_link(request: AccountRequest, number: int) -> HttpResponse:
    """Invalidate the account's password, and show a link that sets a new one."""
    user = get_object_or_404(User, pk=number)
    return _show_link(request, user)


@admin
@require_safe
def audit(request: AccountRequest) -> HttpResponse:
    form = AuditFilter(request.GET or None)
    entries = queries.audit_entries(**criteria(form))
    context = {"form": form, "page": page_of(entries, request.GET, size=ROWS_PER_PAGE, by="-pk")}
    return render(request, "annotate/accounts/audit.html", context)


def _change(
    request: AccountRequest, user: User, success: str, change: Callable[..., None], **how: object
) -> HttpResponse:
    change(user, by=request.user, **how)
    messages.success(request, success)
    return _to_account(user)


def _to_account(user: User) -> HttpResponse:
    return redirect("account", user.pk)


def _show_link(request: AccountRequest, user: User) -> HttpResponse:
    token = administration.make_password_link(user, by=request.user)
    path = reverse("set-password", args=[urlsafe_base64_encode(force_bytes(user.pk)), token])
    context = {
        "account": user,
        "link": request.build_absolute_uri(path),
        "hours": settings.PASSWORD_RESET_TIMEOUT // 3600,
    }
    response = render(request, "annotate/accounts/link.html", context)
    response["Cache-Control"] = "no-store"
    return response
