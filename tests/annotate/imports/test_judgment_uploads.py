"""Uploads of judgments: with their corpus, by researchers, counted from 0 or 1."""

from pathlib import Path
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client

from annotate.imports.plans import plan_upload
from annotate.models import Campaign, Corpus, Production, Role, User
from annotate.web.uploads import files_in, keep_files
from core import progress
from jobs.models import Job
from jobs.worker import run_queued_jobs
from tests.annotate.designs import running_campaign
from tests.annotate.imports.steps import confirm, parallel, plan_page, upload
from tests.annotate.samples import small_campaign, small_corpus
from tests.annotate.scores.scoring import Told
from tests.annotate.uploading import check_of_judgments, sent
from tests.formats.spans.test_collected_spans import batches, row

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


def test_reading_an_export_tells_each_step_and_how_far_it_is(
    db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "MANY", 1)
    corpus = small_corpus()
    campaign, file, told = small_campaign(corpus), tmp_path / "judgments.csv", Told()
    call_command("export_judgments", campaign.name, "--format", "csv", "--output", str(file))
    kept = {"judgments": [SimpleUploadedFile(file.name, file.read_bytes())]}
    options = {"name": "again", "corpus": str(corpus.uuid), "first_sentence": None, "synthetic": False}
    upload = keep_files(kept)
    asked = {"upload": str(upload), "what": "judgments", "options": options, "files": files_in(upload)}
    plan = plan_upload(asked, uuid=uuid4(), owner=None, progress=told)
    assert told.steps == [
        "Reading the rows",
        "Checking the judgments",
        "Reading the texts of the corpus",
        "Comparing the judgments with the corpus",
        "Comparing the judgments with what is stored",
    ]
    rows = file.read_text().count("\n") - 1
    produced = Production.objects.filter(sentence__corpus=corpus).count()
    assert told.done == rows + produced + 3 * plan.parts


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


def test_an_upload_is_visible_to_its_owner_and_admins(admin: Client, researcher: Client) -> None:
    check = check_of_judgments(owner=User.objects.create_user("colleague", role=Role.RESEARCHER))
    run_queued_jobs()
    for address in (f"/imports/{check.uuid}/", f"/imports/judgments/?correct={check.uuid}"):
        assert researcher.get(address).status_code == 404
        assert admin.get(address).status_code == 200
    assert researcher.post(f"/imports/{check.uuid}/confirm/").status_code == 404


def test_another_number_of_the_first_sentence_is_proposed_by_a_button(admin: Client) -> None:
    corpus = small_corpus()
    form = {"name": "judged", "judgments": sent("judgments.xml", FROM_ONE), "corpus": corpus.uuid}
    check = upload(admin, "judgments", form)
    run_queued_jobs()
    page = plan_page(admin, check)
    assert "With the sentence numbers of the file, it does not fit the corpus: line 2: " in page
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
    assert "or an export from Assay (CSV, JSON Lines or Parquet)" in page


def test_a_number_of_the_first_sentence_needs_a_corpus(admin: Client) -> None:
    form = {"name": "judged", "judgments": sent("judgments.xml"), "first_sentence": "1"}
    response = admin.post("/imports/judgments/", form)
    assert "choose one, too" in str(response.context["form"].errors["first_sentence"])


def test_error_spans_of_appraise_with_their_batches(admin: Client) -> None:
    texts = batches((21, "doc#Alder", 1, "Alder", "It is ."))
    form = {"name": "spans", "judgments": sent("esa.csv", row(21)), "batches": sent("batches.json", texts)}
    check = upload(admin, "judgments", form)
    run_queued_jobs()
    page = plan_page(admin, check)
    assert "1 judgment (1 complete) by 1 judge of 1 system" in page
    assert "Corpus &#x27;spans&#x27;" in page
    confirm(admin, check)
    run_queued_jobs()
    campaign = Campaign.objects.get()
    assert (campaign.protocol, campaign.state, campaign.corpus.name) == ("error-spans", "imported", "spans")


def test_error_spans_of_appraise_without_texts_are_refused(admin: Client) -> None:
    check = upload(admin, "judgments", {"name": "spans", "judgments": sent("esa.csv", row(21))})
    run_queued_jobs()
    assert "esa.csv: these answers have no texts" in plan_page(admin, check)
