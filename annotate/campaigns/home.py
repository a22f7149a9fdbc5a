"""The home page: running campaigns, corpora, jobs and notices."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotate.campaigns.site_overview import search, site_overview
from annotate.models import listed
from annotate.web.access import AccountRequest, account
from annotate.web.interface_languages import speak

MOST_SEARCHED_CHARS = 200


@account
@require_safe
def home(request: AccountRequest) -> HttpResponse:
    user = request.user
    if not user.may_research:
        campaigns = list(listed.campaigns_of(user).select_related("design"))
        if len({campaign.design.interface_language for campaign in campaigns}) == 1:
            speak(campaigns[0])
        return render(request, "annotate/judging/own_work.html", {"campaigns": campaigns})
    words = request.GET.get("search", "").strip()[:MOST_SEARCHED_CHARS]
    if words:
        return render(request, "annotate/campaigns/search.html", {"searched": words, **search(words)})
    return render(request, "annotate/campaigns/home.html", {"overview": site_overview(user)})
