"""The upload form explains errors and keeps valid entries."""

from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from annotate.models import Role, User
from jobs.models import Job
from jobs.worker import run_queued_jobs
from tests.annotate.imports.steps import PARALLEL, parallel, plan_page, upload
from tests.annotate.uploading import sent


def kept(response: Any) -> dict[str, dict[str, bool]]:
    """The files that a form offers to keep, by field, and whether it proposes to."""
    files_by_field = {
        name: field.widget.kept
        for name, field in response.context["form"].fields.items()
        if "file" in type(field).__name__.lower()
    }
    return {name: files for name, files in files_by_field.items() if files}


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"name": ""}, "name", "This field is required"),
        ({"language": "English!"}, "language", "“English!” is not one of the choices"),
        (
            {"source": ""},
            "source",
            "Give the source sentences, a JSON Lines file, a table of answers or essays",
        ),
        ({"jsonl": sent("corpus.jsonl")}, "jsonl", "leave the other files out"),
        (
            {"answers": sent("pilot.tsv", "x")},
            "answers",
            "A table of answers contains everything",
        ),
        (
            {"systems": [sent("A b", "x"), sent("A-b", "y")]},
            "systems",
            "“A b” and “A-b” have the same identifier",
        ),
        ({"systems": [sent("A", "x"), sent("A", "y")]}, "systems", "“A” is given twice"),
        ({"systems": [sent("A.txt", "x"), sent("A.tok", "y")]}, "systems", "Two files are called “A”"),
        ({"systems": [sent("ü" * 120, "x")]}, "systems", "longer than 200 bytes"),
        ({"source": sent("source.txt", "")}, "source", "The file is empty"),
    ],
)
def test_a_form_that_is_wrong_says_what_and_checks_nothing(
    admin: Client, changes: dict[str, Any], field: str, message: str
) -> None:
    response = admin.post("/imports/corpus/", parallel(**changes))
    assert response.status_code == 422
    assert message in " ".join(response.context["form"].errors[field])
    assert not Job.objects.exists()


def test_after_an_error_in_the_form_answers_and_accepted_files_stay(admin: Client) -> None:
    systems = [sent("INPUT"), sent("Alder"), sent("Birch", ""), sent("ü" * 120, "x")]
    response = admin.post("/imports/corpus/", parallel(language="!", lenient="on", systems=systems))
    page = response.content.decode()
    assert "“Birch”: The file is empty." in page
    assert 'value="letters"' in page
    assert kept(response) == {
        "source": {"source.txt": True},
        "systems": {"INPUT": True, "Alder": True},
        "references": {"annotator.txt": True},
        "m2": {"gold.m2": True},
        "documents": {"documents.txt": True},
        "domains": {"domains.txt": True},
    }
    again = {**PARALLEL, "earlier": response.context["earlier"], "systems": [sent("Birch")]}
    boxes = {f"{field}-kept": list(names) for field, names in kept(response).items()}
    check = upload(admin, "corpus", {**again, **boxes, "m2-kept": []})
    run_queued_jobs()
    assert "3 sentences, 3 systems, 6 distinct outputs, 3 references, 2 documents." in plan_page(admin, check)


def test_after_an_error_in_the_files_only_the_faulty_one_is_sent_again(
    admin: Client, waiting_room: Path
) -> None:
    faulty = parallel(systems=[sent("INPUT"), sent("Alder", "One .\n")], m2=[], language="en-GB")
    check = upload(admin, "corpus", faulty)
    run_queued_jobs()
    address = f"/imports/corpus/?correct={check.uuid}"
    assert address in plan_page(admin, check)
    response = admin.get(address)
    page = response.content.decode()
    assert "systems/Alder:2: 1 lines, but 3 in the source" in page
    assert 'value="en-GB"' in page
    assert kept(response)["systems"] == {"Alder": False, "INPUT": True}
    form = {**PARALLEL, "earlier": response.context["earlier"], "systems": [sent("Alder")]}
    boxes = {"source-kept": ["source.txt"], "systems-kept": ["INPUT", "Alder"]}
    Job.objects.all().delete()
    second = upload(admin, "corpus", {**form, **boxes})
    run_queued_jobs()
    assert "3 sentences, 2 systems" in plan_page(admin, second)


def test_files_that_somebody_else_has_sent_cannot_be_kept(admin: Client, client: Client) -> None:
    response = admin.post("/imports/corpus/", parallel(name=""))
    client.force_login(User.objects.create_user("eve", role=Role.ADMIN))
    form = {**PARALLEL, "earlier": response.context["earlier"], "source-kept": "source.txt"}
    for claimed in (form, {**form, "earlier": "forged"}, {**form, "source-kept": "../../settings.py"}):
        response = client.post("/imports/corpus/", claimed)
        assert "Give the source sentences" in str(response.context["form"].errors["source"])


def test_files_that_are_too_large_are_not_stored(
    admin: Client, waiting_room: Path, settings: LazySettings
) -> None:
    settings.UPLOAD_MAX_MB = 1
    response = admin.post("/imports/corpus/", parallel(source=sent("source.txt", "x" * 2**20)))
    assert "That is more than 1 MB at once." in response.content.decode()
    assert not response.wsgi_request.FILES
    assert list(waiting_room.iterdir()) == []
