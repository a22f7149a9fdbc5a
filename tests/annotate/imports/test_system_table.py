"""Naming the systems of an uploaded corpus, and setting their roles, in a table."""

import pytest
from django.test import Client

from annotate.models import System
from jobs.models import Job
from jobs.worker import run_queued_jobs
from tests.annotate.commands.files import ALDER, FILES
from tests.annotate.imports.steps import as_proposed, confirm, parallel, plan_page, upload
from tests.annotate.uploading import sent


def test_systems_are_named_in_a_table_beside_samples(admin: Client) -> None:
    systems = [sent("Größe (v2).txt", ALDER), sent("Birch"), sent("INPUT")]
    check = upload(admin, "corpus", parallel(systems=systems))
    run_queued_jobs()
    page = plan_page(admin, check)
    assert "INPUT</bdi> is identical to the source: the role <em>source</em> is proposed." in page
    assert "She <ins" in page
    assert as_proposed(admin, check) == {
        "system-1-label": "Größe (v2)",
        "system-1-name": "Groe-v2",
        "system-1-role": "system",
        "system-1-family": "",
        "system-2-label": "Birch",
        "system-2-name": "Birch",
        "system-2-role": "system",
        "system-2-family": "",
        "system-3-label": "INPUT",
        "system-3-name": "INPUT",
        "system-3-role": "source",
        "system-3-family": "",
    }
    rows = [form.row for form in admin.get(f"/imports/{check.uuid}/").context["table"].forms]
    assert [(row["lines"], round(row["unchanged"], 2)) for row in rows] == [(3, 0.33), (3, 0.33), (3, 1.0)]
    confirm(
        admin,
        check,
        **{
            "system-2-label": "Birch <b>",
            "system-2-role": "control",
            "system-2-name": "B",
            "system-1-family": " GPT ",
        },
    )
    run_queued_jobs()
    assert set(System.objects.values_list("name", "label", "role", "family")) == {
        ("Groe-v2", "Größe (v2)", "system", "GPT"),
        ("B", "Birch <b>", "control", ""),
        ("INPUT", "", "source", ""),
    }
    assert System.objects.get(name="B").outputs.count() == 3


@pytest.mark.any_database
@pytest.mark.parametrize(
    ("edited", "message"),
    [
        ({"system-2-name": "Alder"}, "“Alder” and “Birch” have the same identifier, Alder."),
        ({"system-2-name": "ALDER"}, "The identifiers Alder and ALDER differ only in case"),
        ({"system-2-name": "com1"}, "The identifier com1 is reserved by Windows"),
        ({"system-2-label": "alder"}, "“Alder” (Alder) is displayed with the same name."),
        (
            {"system-2-name": "two words"},
            "Only letters, digits and . _ + - are allowed, for example two-words.",
        ),
        ({"system-2-name": "", "system-2-label": "Ünver 2"}, "It needs an identifier, such as Unver-2."),
        ({"system-2-label": "\u202eabc"}, "which changes the writing direction"),
        ({"system-2-label": "x" * 201}, "At most 200 characters"),
        ({"system-2-family": "\u202eabc"}, "which changes the writing direction"),
        ({"system-2-family": "x" * 101}, "At most 100 characters"),
        ({"system-1-role": "source"}, "It changes the source, so it cannot be the source."),
        ({"system-1-role": "boss"}, "is not one of the choices"),
    ],
)
def test_names_that_do_not_fit_are_marked_and_nothing_is_imported(
    admin: Client, edited: dict[str, str], message: str
) -> None:
    check = upload(admin, "corpus", parallel(systems=[sent("Alder"), sent("Birch"), sent("INPUT")]))
    run_queued_jobs()
    form = {**as_proposed(admin, check), **edited}
    response = admin.post(f"/imports/{check.uuid}/confirm/", form)
    assert response.status_code == 422
    [errors] = [form.errors for form in response.context["table"].forms if form.errors]
    assert message in str(list(errors.values()))
    assert not Job.objects.filter(kind="import-upload").exists()


def test_only_one_copy_of_the_source_is_proposed_to_be_it(admin: Client) -> None:
    systems = [sent("Alder"), sent("INPUT"), sent("copy", FILES["INPUT"])]
    check = upload(admin, "corpus", parallel(systems=systems))
    run_queued_jobs()
    assert "copy</bdi> is identical to the source, and so is another system." in plan_page(admin, check)
    form = as_proposed(admin, check)
    assert (form["system-2-role"], form["system-3-role"]) == ("source", "system")
    response = admin.post(f"/imports/{check.uuid}/confirm/", {**form, "system-3-role": "source"})
    assert "INPUT is already the source" in response.content.decode()
