"""Bodies of requests as JSON."""

from io import BytesIO
from typing import Any

from django.conf import settings
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class BoundedJSONParser(JSONParser):
    """Reads JSON that is as long as a form may be at most, and not nested too deeply."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body = stream.read(most + 1)
        if len(body) > most:
            raise ParseError(f"The body is too long: it may have at most {most / 2**20:g} MB.")
        try:
            return super().parse(BytesIO(body), media_type, parser_context)
        except RecursionError as error:
            raise ParseError("The JSON is nested too deeply.") from error
