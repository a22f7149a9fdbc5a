"""Logging of failed requests."""

import logging


class RefusalsInOneLine(logging.Filter):
    """Requests that were refused on purpose (400 to 499) are logged without a traceback.

    Tracebacks are for internal errors; theirs would only lead through Django to the line that refuses.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if 400 <= getattr(record, "status_code", 0) < 500:
            record.exc_info = record.exc_text = None
        return True
