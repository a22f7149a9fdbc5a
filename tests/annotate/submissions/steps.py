"""The steps of a participant."""

from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from annotate.models import Corpus, SubmissionLink
from annotate.submissions.links import make_link, token_of
from tests.annotate.uploading import sent

ELM = "She goes home .\nI have 2 cats .\nIt is fine .\nHe loves tea <b> & cake .\n"
FIR = ELM.replace("loves", "adores")


def opened(corpus: Corpus, **changes: Any) -> SubmissionLink:
    """A link that is open for a week."""
    settings = {
        "task": "Shared task 2026",
        "ends_at": timezone.now() + timedelta(days=7),
        "accepts_by_itself": False,
        "by": None,
    }
    return make_link(corpus, **{**settings, **changes})


def address(link: SubmissionLink) -> str:
    """The address to send to participants."""
    return f"/submit/{token_of(link)}/"


def send(client: Client, link: SubmissionLink, name: str, content: str | bytes) -> Any:
    """The answer to a file."""
    return client.post(address(link), {"name": name, "file": sent("elm.txt", content)})


def submitted(client: Client, link: SubmissionLink, name: str = "Elm", content: str | bytes = ELM) -> str:
    """The private address after the check of a file that is fine."""
    response = send(client, link, name, content)
    assert response.status_code == 302, response.content.decode()
    assert response["Location"].startswith("/submitted/")
    return str(response["Location"])


def page(client: Client, where: str, status: int = 200) -> str:
    """A page that nobody keeps."""
    response = client.get(where)
    assert response.status_code == status
    assert "no-store" in response["Cache-Control"]
    return response.content.decode()
