"""The steps of an import, for tests of the forms: upload, plan, confirmation."""

from typing import Any

from django.test import Client

from jobs.models import Job
from tests.annotate.uploading import sent

PARALLEL: dict[str, Any] = {
    "name": "letters",
    "language": "en",
    "absent": "auto",
}


def upload(client: Client, what: str, form: dict[str, Any]) -> Job:
    """The check of a form that is accepted."""
    response = client.post(f"/imports/{what}/", form)
    assert response.status_code == 302, response.context["form"].errors
    check = Job.objects.get(kind="check-upload")
    assert response["Location"] == f"/imports/{check.uuid}/"
    return check


def parallel(**changes: Any) -> dict[str, Any]:
    files = {
        "source": sent("source.txt"),
        "systems": [sent("INPUT"), sent("Alder"), sent("Birch")],
        "references": [sent("annotator.txt")],
        "m2": [sent("gold.m2")],
        "documents": sent("documents.txt"),
        "domains": sent("domains.txt"),
    }
    return {**PARALLEL, **files, **changes}


def plan_page(client: Client, check: Job) -> str:
    return client.get(f"/imports/{check.uuid}/").content.decode()


def confirm(client: Client, check: Job, **edited: str) -> str:
    """The address after the click; the table of systems is as proposed except for these edits."""
    response = client.post(f"/imports/{check.uuid}/confirm/", {**as_proposed(client, check), **edited})
    assert response.status_code == 302, [form.errors for form in response.context["table"].forms]
    return response["Location"]


def as_proposed(client: Client, check: Job) -> dict[str, str]:
    """The fields that a browser sends of the table of systems if nobody edits it."""
    table = client.get(f"/imports/{check.uuid}/").context["table"]
    return {field.html_name: field.initial for form in table.forms for field in form}
