"""Buttons of the corpus page that withdraw systems and take withdrawals back."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from annotate.corpora.withdrawal import take_back, withdraw
from annotate.web.access import AccountRequest, admin, corpus_or_404
from annotate.web.refusals import refusals_lead_to


@admin
@require_POST
@refusals_lead_to("corpus", "uuid")
def withdraw_system(request: AccountRequest, uuid: UUID) -> HttpResponse:
    corpus, name = corpus_or_404(uuid), request.POST.get("system", "")
    withdraw(corpus, name, by=request.user)
    messages.success(request, f"System {name} is withdrawn. It can be taken back under “Withdraw a system”.")
    return redirect(corpus)


@admin
@require_POST
@refusals_lead_to("corpus", "uuid")
def take_system_back(request: AccountRequest, uuid: UUID) -> HttpResponse:
    corpus, name = corpus_or_404(uuid), request.POST.get("system", "")
    take_back(corpus, name, by=request.user)
    messages.success(request, f"System {name} is shown again.")
    return redirect(corpus)
