"""The language of annotators' pages, which the campaign decides. All other pages are English."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.utils import translation

from annotate.models import Campaign
from annotate.web.link_tokens import digest_of
from core.languages import ENGLISH, script_of

LETTERS = {
    "Latn": "css/letters/extended-latin.css",
    "Grek": "css/letters/greek.css",
    "Cyrl": "css/letters/cyrillic.css",
    "Arab": "css/letters/arabic.css",
}
"""Styles with the letters of a script; other scripts have the fonts of the reader's system."""
IN_TOKENS = frozenset(
    [
        "ca",
        "da",
        "de",
        "en",
        "es",
        "eu",
        "fi",
        "fr",
        "ga",
        "gl",
        "is",
        "it",
        "nb",
        "nl",
        "nn",
        "no",
        "pt",
        "sv",
    ]
)
"""Languages in Latin script with no letters beyond those of tokens.css."""


def speak(campaign: Campaign, chosen: str = "") -> None:
    """From here on, the response to this request is in the language of the campaign, or the one chosen."""
    tag = chosen if chosen in settings.INTERFACE_LANGUAGES else campaign.design.interface_language
    translation.activate(_django_name(tag))


def speak_as_at(path: str) -> None:
    """From here on, the response is in the language of the campaign that has annotators' pages at this path.

    It stays as it is if they have none there.
    """
    try:
        match = resolve(path)
    except Resolver404:
        return
    words = match.kwargs
    if match.url_name == "link":
        criteria = {"links__token_digest": digest_of(words["token"])}
    elif match.url_name in ("crowd", "crowd-frame"):
        criteria = {"crowd__entrance": words["entrance"]}
    elif match.url_name == "come-back" or getattr(match.func, "rule", "") == "entered":
        criteria = {"uuid": words["uuid"]}
    else:
        return
    campaign = Campaign.objects.select_related("design").filter(design__isnull=False, **criteria).first()
    if campaign is not None:
        speak(campaign)


def languages_to_choose() -> list[dict[str, object]]:
    """The languages of annotators' pages, by their own names, and which one the page is in."""
    now = translation.get_language()
    return [
        {"tag": tag, "name": name, "is_current": _django_name(tag) == now}
        for tag, name in settings.INTERFACE_LANGUAGES.items()
    ]


def in_language_of(campaign: Campaign) -> translation.override:
    """A block in which templates are rendered in the language of the campaign."""
    return in_language(campaign.design.interface_language)


def in_language(tag: str) -> translation.override:
    """A block in which texts are in the language with this tag."""
    return translation.override(_django_name(tag))


def usual_language(corpus_language: str) -> str:
    """The tag of the language of a new campaign: the corpus', where there is a translation; else English."""
    main = corpus_language.partition("-")[0].lower()
    return main if main in settings.INTERFACE_LANGUAGES else ENGLISH


def letter_styles(*tags: str) -> list[str]:
    """The styles that pages with texts in these languages need beside tokens.css."""
    needed = (LETTERS.get(script_of(tag)) for tag in tags if tag.partition("-")[0] not in IN_TOKENS)
    return sorted({*filter(None, needed)})


def english_first(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """Middleware: each request begins in English, and the response names the language that it is in."""

    def respond(request: HttpRequest) -> HttpResponse:
        with translation.override(settings.LANGUAGE_CODE):
            response = get_response(request)
            if response.headers.get("Content-Type", "").startswith("text/html"):
                response.headers.setdefault("Content-Language", translation.get_language() or "")
            return response

    return respond


def _django_name(tag: str) -> str:
    return settings.LANGUAGE_CODE if tag == ENGLISH else tag
