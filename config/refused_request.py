"""Answers 400 and says which limit a request exceeds, or that it arrived damaged."""

from http import HTTPStatus

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.shortcuts import render
from django.views.csrf import csrf_failure

from annotate.api.problems import CONTENT_TYPE, PREFIX, problem
from annotate.judging.ways_in import wants_json
from annotate.web.interface_languages import speak_as_at
from core.translations import gettext


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The response to a request that is refused before any view reads it."""
    status = HTTPStatus.BAD_REQUEST
    speak_as_at(request.path)
    words = _in_words(exception)
    if request.path.startswith(PREFIX):
        return JsonResponse(problem(status, words), status=status, content_type=CONTENT_TYPE)
    if wants_json(request):
        return JsonResponse({"fault": words}, status=status)
    return render(request, "400.html", {"words": words}, status=status)


def _in_words(exception: Exception) -> str:
    match exception:
        case TooManyFilesSent():
            most = settings.DATA_UPLOAD_MAX_NUMBER_FILES
            words = gettext(
                "At most %(most)s files can be sent at once. Nothing was changed. Choose fewer files."
            )
            return words % {"most": f"{most:,}"}
        case TooManyFieldsSent():
            most = settings.DATA_UPLOAD_MAX_NUMBER_FIELDS
            words = gettext(
                "A request can have at most %(most)s fields, and this one has more. Nothing was changed."
            )
            return words % {"most": f"{most:,}"}
        case RequestDataTooBig():
            most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
            words = gettext(
                "A form can hold at most %(most)s MB apart from files, and this one holds more. "
                "Nothing was changed."
            )
            return words % {"most": f"{most / 2**20:g}"}
        case MultiPartParserError():
            return gettext("The form arrived incomplete or damaged. Nothing was changed. Send it again.")
    return gettext("Part of it is invalid. Go back, reload the page and try again.")


def forged(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The response to a form without the token that protects it, in the language of its page."""
    speak_as_at(request.path)
    return csrf_failure(request, reason)
