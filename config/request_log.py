"""What of a request's failure goes into the log."""

import logging


class RefusalsInOneLine(logging.Filter):
    """Requests that were refused on purpose (400 to 499) are logged without a traceback.

    It would lead through Django to the line that refuses; tracebacks are for faults of the program.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if 400 <= getattr(record, "status_code", 0) < 500:
            record.exc_info = record.exc_text = None
        return True
