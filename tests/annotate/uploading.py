"""Uploads stored as by the pages, and the jobs that check them."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from annotate.models import User
from annotate.models.job_kinds import CHECK_UPLOAD
from annotate.web.uploads import keep_files
from jobs.models import Job
from jobs.queue import queue
from tests.annotate.commands.files import FILES


def sent(name: str, content: str | bytes | None = None) -> SimpleUploadedFile:
    """A file as a browser sends it; one of `FILES` unless the content is given."""
    content = FILES[name] if content is None else content
    return SimpleUploadedFile(name, content if isinstance(content, bytes) else content.encode())


def check_of_judgments(owner: User | None = None, name: str = "uploaded", **options: Any) -> Job:
    """The queued check of an upload of judgments."""
    upload = keep_files({"judgments": [sent("judgments.xml")]})
    return queue(
        kind=CHECK_UPLOAD,
        title=f"Check of judgments {name}",
        parameters={
            "upload": str(upload),
            "what": "judgments",
            "options": {"name": name, "corpus": None, "first_sentence": None, "synthetic": False, **options},
            "files": {"judgments": ["judgments.xml"]},
        },
        owner=owner,
    )
