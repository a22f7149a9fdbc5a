"""The home page."""

from typing import cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotate.models import User, listed
from annotate.web.access import account


@account
def home(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    if not user.may_research:
        return render(request, "annotate/judging/own_work.html", {"campaigns": listed.campaigns_of(user)})
    return render(
        request,
        "annotate/campaigns/home.html",
        {"corpora": listed.corpora(), "campaigns": listed.campaigns()},
    )
