"""An admin uploads files, looks at the plan, and confirms it."""

from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from annotate.imports import uploads
from annotate.imports.uploads import folder_of
from annotate.models import Campaign, Corpus, Reference, Role, System, User
from jobs.models import Job
from jobs.worker import run_queued_jobs
from tests.annotate.commands.files import ALDER, BIRCH, FILES
from tests.annotate.designs import running_campaign
from tests.annotate.samples import small_campaign, small_corpus
from tests.annotate.tables import contents
from tests.annotate.uploading import check_of_judgments, sent

PARALLEL: dict[str, Any] = {
    "name": "letters",
    "language": "en",
    "absent": "auto",
}

FROM_ONE = """\
<appraise-results><error-correction-ranking-result>
<ranking-item src-id="1" user="anna">
  <translation rank="1" system="Alder Birch"/><translation rank="2" system="INPUT"/>
</ranking-item>
<ranking-item src-id="2" user="anna">
  <translation rank="1" system="Alder"/><translation rank="2" system="INPUT"/>
</ranking-item>
</error-correction-ranking-result></appraise-results>
"""
"""Rankings of the first two sentences, counted from 1."""


@pytest.fixture(autouse=True)
def waiting_room(settings: LazySettings, tmp_path: Path) -> Path:
    """Where uploads wait."""
    settings.UPLOADS_DIR = tmp_path
    return tmp_path


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
    """Where the click leads, the table of systems as it is proposed but for what was edited."""
    response = client.post(f"/imports/{check.uuid}/confirm/", {**as_proposed(client, check), **edited})
    assert response.status_code == 302, [form.errors for form in response.context["table"].forms]
    return response["Location"]


def as_proposed(client: Client, check: Job) -> dict[str, str]:
    """What a browser sends of the table of systems if nobody edits it."""
    table = client.get(f"/imports/{check.uuid}/").context["table"]
    return {field.html_name: field.initial for form in table.forms for field in form}


def test_a_corpus_is_uploaded_looked_at_and_imported(admin: Client, waiting_room: Path) -> None:
    check = upload(admin, "corpus", parallel())
    assert "Waiting for a worker" in plan_page(admin, check)
    run_queued_jobs()
    assert contents().keys() & {Corpus} == set()
    page = plan_page(admin, check)
    assert "(en): 3 sentences, 3 systems, 6 distinct outputs, 6 references, 2 documents." in page
    address = confirm(admin, check)
    run_queued_jobs()
    assert Corpus.objects.get().get_absolute_url() in admin.get(address).content.decode()
    assert dict(System.objects.values_list("name", "role")) == {
        "INPUT": "source",
        "Alder": "system",
        "Birch": "system",
    }
    assert Reference.objects.filter(annotator="annotator").count() == 3
    assert list(waiting_room.iterdir()) == []


def test_systems_are_named_in_a_table_beside_what_they_did(admin: Client) -> None:
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
        "system-2-label": "Birch",
        "system-2-name": "Birch",
        "system-2-role": "system",
        "system-3-label": "INPUT",
        "system-3-name": "INPUT",
        "system-3-role": "source",
    }
    rows = [form.row for form in admin.get(f"/imports/{check.uuid}/").context["table"].forms]
    assert [(row["lines"], round(row["unchanged"], 2)) for row in rows] == [(3, 0.33), (3, 0.33), (3, 1.0)]
    confirm(admin, check, **{"system-2-label": "Birch <b>", "system-2-role": "control", "system-2-name": "B"})
    run_queued_jobs()
    assert set(System.objects.values_list("name", "label", "role")) == {
        ("Groe-v2", "Größe (v2)", "system"),
        ("B", "Birch <b>", "control"),
        ("INPUT", "", "source"),
    }
    assert System.objects.get(name="B").outputs.count() == 3


@pytest.mark.parametrize(
    ("edited", "message"),
    [
        ({"system-2-name": "Alder"}, "“Alder” and “Birch” have the same identifier, Alder."),
        ({"system-2-label": "alder"}, "“Alder” (Alder) is called the same."),
        ({"system-2-name": "two words"}, "Only letters, digits and . _ + - are allowed; two-words would do."),
        ({"system-2-name": "", "system-2-label": "Ünver 2"}, "It needs an identifier, such as Unver-2."),
        ({"system-2-label": "\u202eabc"}, "none that change the direction of writing"),
        ({"system-2-label": "x" * 201}, "At most 200 characters"),
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
    assert "INPUT is the source already" in response.content.decode()


def test_json_lines(admin: Client) -> None:
    check = upload(admin, "corpus", {**PARALLEL, "jsonl": sent("corpus.jsonl")})
    run_queued_jobs()
    confirm(admin, check)
    run_queued_jobs()
    assert Corpus.objects.get().sentences.count() == 3


def test_files_with_several_dots_keep_their_whole_name(admin: Client) -> None:
    files = {
        "systems": [sent("GPT-4.0", "She goes home .\nTwo cats .\nFine .\n"), sent("GPT-4.1.txt", ALDER)],
        "references": [sent("dev.ref0", ALDER), sent("dev.ref1", BIRCH)],
    }
    check = upload(admin, "corpus", {**parallel(m2=[]), **files})
    run_queued_jobs()
    confirm(admin, check)
    run_queued_jobs()
    assert set(System.objects.values_list("name", flat=True)) == {"GPT-4.0", "GPT-4.1"}
    assert set(Reference.objects.values_list("annotator", flat=True)) == {"dev.ref0", "dev.ref1"}


def test_judgments_with_their_corpus(admin: Client) -> None:
    upload(admin, "corpus", parallel())
    run_queued_jobs()
    confirm(admin, Job.objects.get())
    run_queued_jobs()
    corpus = Corpus.objects.get()
    Job.objects.all().delete()
    form = {"name": "judged", "judgments": sent("judgments.xml"), "corpus": corpus.uuid, "synthetic": "on"}
    check = upload(admin, "judgments", form)
    run_queued_jobs()
    assert "3 rankings checked: all agree with the texts of corpus" in plan_page(admin, check)
    confirm(admin, check)
    run_queued_jobs()
    campaign = Campaign.objects.get()
    assert (campaign.corpus, campaign.synthetic, campaign.state) == (corpus, True, "imported")


def test_a_faulty_file_is_named_as_its_sender_does(admin: Client, waiting_room: Path) -> None:
    check = upload(admin, "corpus", parallel(systems=[sent("INPUT", "One .\n")]))
    run_queued_jobs()
    page = plan_page(admin, check)
    assert "systems/INPUT:2: 1 lines, but 3 in the source source/source.txt: line 2 is missing" in page
    assert str(waiting_room) not in page
    assert "Nothing was stored" in page
    assert "nothing to confirm" in admin.post(f"/imports/{check.uuid}/confirm/", follow=True).content.decode()


def test_warnings_are_shown(admin: Client) -> None:
    m2 = sent("gold.m2", FILES["gold.m2"].replace("A 3 4", "A 3 9"))
    check = upload(admin, "corpus", parallel(m2=[m2], lenient="on"))
    run_queued_jobs()
    assert "the span 3 9 leaves the sentence of 5 tokens; clipped to 3 5" in plan_page(admin, check)


def test_a_name_that_is_taken_is_told(admin: Client) -> None:
    small_corpus("letters")
    check = upload(admin, "corpus", parallel())
    run_queued_jobs()
    assert "A corpus named &#x27;letters&#x27; exists" in plan_page(admin, check)


def test_what_is_there_already_needs_no_import(admin: Client) -> None:
    for _ in range(2):
        Job.objects.all().delete()
        check = upload(admin, "corpus", parallel())
        run_queued_jobs()
        page = plan_page(admin, check)
        confirm(admin, check)
        run_queued_jobs()
    assert "It is there already" in page
    assert Corpus.objects.count() == 1


def test_a_second_click_imports_nothing_twice(admin: Client) -> None:
    check = upload(admin, "corpus", parallel())
    run_queued_jobs()
    assert confirm(admin, check) == confirm(admin, check)
    run_queued_jobs()
    assert confirm(admin, check) in plan_page(admin, check)
    assert Job.objects.filter(kind="import-upload").count() == 1


def test_an_upload_that_nobody_confirms_is_deleted_by_a_later_one(
    admin: Client, waiting_room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = upload(admin, "corpus", parallel())
    run_queued_jobs()
    monkeypatch.setattr(uploads, "KEPT_FOR", -uploads.KEPT_FOR)
    newer = check_of_judgments()
    assert [path.name for path in waiting_room.iterdir()] == [newer.parameters["upload"]]
    assert "The files are not there any more" in plan_page(admin, check)
    address = confirm(admin, check)
    run_queued_jobs()
    assert "The uploaded files are not there any more" in admin.get(address).content.decode()


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        ({"name": ""}, "name", "This field is required"),
        ({"language": "English!"}, "language", "A language tag is like en or de-AT"),
        ({"source": ""}, "source", "Give either the source sentences or a JSON Lines file"),
        ({"jsonl": sent("corpus.jsonl")}, "jsonl", "leave the other files out"),
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
        assert "Give either the source sentences" in str(response.context["form"].errors["source"])


def kept(response: Any) -> dict[str, dict[str, bool]]:
    """The files that a form offers to keep, by field, and whether it proposes to."""
    files_by_field = {
        name: field.widget.kept
        for name, field in response.context["form"].fields.items()
        if "file" in type(field).__name__.lower()
    }
    return {name: files for name, files in files_by_field.items() if files}


def test_a_researcher_imports_judgments_of_a_corpus_and_deletes_them(researcher: Client) -> None:
    corpus = small_corpus()
    form = {"name": "judged", "first_sentence": 1}
    response = researcher.post("/imports/judgments/", {**form, "judgments": sent("judgments.xml", FROM_ONE)})
    assert "This field is required" in str(response.context["form"].errors["corpus"])
    again = {"earlier": response.context["earlier"], "judgments-kept": "judgments.xml"}
    check = upload(researcher, "judgments", {**form, **again, "corpus": corpus.uuid})
    run_queued_jobs()
    confirm(researcher, check)
    run_queued_jobs()
    campaign = Campaign.objects.get()
    assert campaign.imported_by == User.objects.get(role=Role.RESEARCHER)
    page = researcher.get(campaign.get_absolute_url()).content.decode()
    assert f"/campaigns/{campaign.uuid}/delete/" in page
    researcher.post(f"/campaigns/{campaign.uuid}/delete/", {"name": "judged"})
    run_queued_jobs()
    assert not Campaign.objects.exists()
    assert Corpus.objects.exists()


def test_judgments_are_seen_by_researchers_and_deleted_by_their_owner_or_an_admin(
    admin: Client, researcher: Client
) -> None:
    campaign = small_campaign(small_corpus())
    campaign.imported_by = User.objects.create_user("colleague", role=Role.RESEARCHER)
    campaign.save()
    address = f"/campaigns/{campaign.uuid}/delete/"
    page = researcher.get(campaign.get_absolute_url())
    assert page.status_code == 200
    assert address not in page.content.decode()
    assert researcher.get(address).status_code == 403
    assert researcher.post(address, {"name": "judged"}).status_code == 403
    assert admin.get(address).status_code == 200
    running = running_campaign(campaign.corpus, "open")
    running.imported_by = User.objects.get(role=Role.RESEARCHER, username="the-researcher")
    running.save()
    assert researcher.get(f"/campaigns/{running.uuid}/delete/").status_code == 403


def test_an_upload_is_seen_by_whoever_sent_it_and_by_admins(admin: Client, researcher: Client) -> None:
    check = check_of_judgments(owner=User.objects.create_user("colleague", role=Role.RESEARCHER))
    run_queued_jobs()
    for address in (f"/imports/{check.uuid}/", f"/imports/judgments/?correct={check.uuid}"):
        assert researcher.get(address).status_code == 404
        assert admin.get(address).status_code == 200
    assert researcher.post(f"/imports/{check.uuid}/confirm/").status_code == 404
    assert researcher.get("/imports/corpus/").status_code == 403


def test_another_number_of_the_first_sentence_is_proposed_by_a_button(admin: Client) -> None:
    corpus = small_corpus()
    form = {"name": "judged", "judgments": sent("judgments.xml", FROM_ONE), "corpus": corpus.uuid}
    check = upload(admin, "judgments", form)
    run_queued_jobs()
    page = plan_page(admin, check)
    assert "As the file counts its sentences, it does not fit the corpus: line 2: " in page
    assert "2 rankings checked: all agree with the texts" in page
    assert "<button>Import, counting from 1</button>" in page
    assert "--" not in page.partition("<main")[2]
    confirm(admin, check)
    run_queued_jobs()
    assert set(Campaign.objects.get().items.values_list("sentence__position", flat=True)) == {0, 1}


def test_a_file_that_fits_by_no_number_is_refused(admin: Client) -> None:
    form = {"name": "judged", "judgments": sent("j.xml", FROM_ONE.replace('src-id="1"', 'src-id="9"'))}
    check = upload(admin, "judgments", {**form, "corpus": small_corpus().uuid})
    run_queued_jobs()
    page = plan_page(admin, check)
    assert "sentence 9 is not in the corpus of 4 sentences; does the file count" in page
    assert "--first-sentence" not in page


def test_the_import_of_judgments_names_all_formats_that_it_reads(admin: Client) -> None:
    page = admin.get("/imports/judgments/").content.decode()
    assert "Appraise XML, WMT CSV, or an export of Assay (CSV, JSON Lines or Parquet)" in page


def test_a_number_of_the_first_sentence_needs_a_corpus(admin: Client) -> None:
    form = {"name": "judged", "judgments": sent("judgments.xml"), "first_sentence": "1"}
    response = admin.post("/imports/judgments/", form)
    assert "choose that, too" in str(response.context["form"].errors["first_sentence"])


def test_what_is_too_large_is_not_stored(admin: Client, waiting_room: Path, settings: LazySettings) -> None:
    settings.UPLOAD_MAX_MB = 1
    response = admin.post("/imports/corpus/", parallel(source=sent("source.txt", "x" * 2**20)))
    assert "That is more than 1 MB at once." in response.content.decode()
    assert not response.wsgi_request.FILES
    assert list(waiting_room.iterdir()) == []


def test_a_cancelled_import_leaves_neither_rows_nor_files(admin: Client, waiting_room: Path) -> None:
    check = upload(admin, "corpus", parallel())
    run_queued_jobs()
    before = contents()
    admin.post(f"{confirm(admin, check)}cancel/")
    run_queued_jobs()
    assert contents() == before
    assert list(waiting_room.iterdir()) == []


def test_files_lie_where_only_the_program_chooses() -> None:
    with pytest.raises(ValueError, match="badly formed"):
        folder_of("../../etc")
