"""The home page."""

from django.http import HttpResponse
from django.shortcuts import render

from annotate.models import listed
from annotate.web.access import AccountRequest, account


@account
def home(request: AccountRequest) -> HttpResponse:
    user = request.user
    if not user.may_research:
        return render(request, "annotate/judging/own_work.html", {"campaigns": listed.campaigns_of(user)})
    return render(
        request,
        "annotate/campaigns/home.html",
        {"corpora": listed.corpora(), "campaigns": listed.campaigns()},
    )
