"""Answers 400 and says which limit a request exceeds, or that it arrived damaged."""

from http import HTTPStatus

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.shortcuts import render

from annotate.api.problems import CONTENT_TYPE, PREFIX, problem
from annotate.judging.ways_in import wants_json

NOTHING_WAS_CHANGED = "Nothing was changed."


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The response to a request that is refused before any view reads it."""
    status = HTTPStatus.BAD_REQUEST
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
            return f"At most {most:,} files can be sent at once. {NOTHING_WAS_CHANGED} Choose fewer files."
        case TooManyFieldsSent():
            most = settings.DATA_UPLOAD_MAX_NUMBER_FIELDS
            return f"A request can have at most {most:,} fields, and this one has more. {NOTHING_WAS_CHANGED}"
        case RequestDataTooBig():
            most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
            return (
                f"A form can hold at most {most / 2**20:g} MB apart from files, and this one holds more. "
                f"{NOTHING_WAS_CHANGED}"
            )
        case MultiPartParserError():
            return f"The form arrived incomplete or damaged. {NOTHING_WAS_CHANGED} Send it again."
    return "Part of it is invalid. Go back, reload the page and try again."
