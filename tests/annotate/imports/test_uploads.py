"""An admin uploads the files of a corpus, looks at the plan, and confirms it."""

import json
from pathlib import Path
from uuid import uuid4

import pytest
from django.test import Client

from annotate.imports.plans import plan_upload
from annotate.models import Corpus, Reference, Role, System
from annotate.web import uploads
from annotate.web.uploads import files_in, folder_of, keep_files
from core.progress import NoProgress
from jobs.models import Job
from jobs.worker import run_queued_jobs
from tests.annotate.api.asking import ask, program
from tests.annotate.commands.files import ALDER, BIRCH, FILES
from tests.annotate.imports.steps import PARALLEL, confirm, parallel, plan_page, upload
from tests.annotate.samples import small_corpus
from tests.annotate.tables import contents
from tests.annotate.uploading import check_of_judgments, sent


def test_a_corpus_is_uploaded_looked_at_and_imported(admin: Client, waiting_room: Path) -> None:
    check = upload(admin, "corpus", parallel())
    assert "Waiting for a worker" in plan_page(admin, check)
    run_queued_jobs()
    assert contents().keys() & {Corpus} == set()
    page = plan_page(admin, check)
    assert "(en): 3 sentences, 3 systems, 6 distinct outputs, 6 references, 2 documents." in page
    address = confirm(admin, check)
    assert "Waiting for a worker" in admin.get(address).content.decode()
    run_queued_jobs()
    imported = admin.get(address, follow=True)
    assert imported.redirect_chain == [(Corpus.objects.get().get_absolute_url(), 302)]
    assert "(en): 3 sentences, 3 systems" in imported.content.decode()
    assert admin.get(address.partition("?")[0]).status_code == 200, "the job itself can be looked at"
    assert dict(System.objects.values_list("name", "role")) == {
        "INPUT": "source",
        "Alder": "system",
        "Birch": "system",
    }
    assert Reference.objects.filter(annotator="annotator").count() == 3
    assert list(waiting_room.iterdir()) == []


@pytest.mark.parametrize("fields", [("source", "systems", "references", "m2"), ("jsonl",)])
def test_reading_a_corpus_can_be_stopped_between_files_and_sentences(
    db: None, fields: tuple[str, ...]
) -> None:
    class Counting(NoProgress):
        reports = 0

        def advance(self, parts: int) -> None:
            self.reports += 1

    rows = [{"source": text, "outputs": {"Alder": text}} for text in ALDER.splitlines()]
    files = {
        "source": [sent("source.txt")],
        "systems": [sent("Alder"), sent("Birch")],
        "references": [sent("annotator.txt")],
        "m2": [sent("gold.m2")],
        "jsonl": [sent("corpus.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))],
    }
    kept = {field: files[field] for field in fields}
    folder, counting = keep_files(kept), Counting()
    options = {**PARALLEL, "lenient": False}
    asked = {"upload": str(folder), "what": "corpus", "options": options, "files": files_in(folder)}
    plan = plan_upload(asked, uuid=uuid4(), owner=None, progress=counting)
    read = plan.parts if fields == ("jsonl",) else sum(map(len, kept.values()))
    assert counting.reports == read + plan.parts


@pytest.mark.parametrize(("chosen", "stored"), [({}, "tokens"), ({"tokenisation": "running"}, "running")])
def test_tokenisation_is_detected_and_can_be_changed(
    admin: Client, chosen: dict[str, str], stored: str
) -> None:
    check = upload(admin, "corpus", parallel())
    run_queued_jobs()
    page = plan_page(admin, check)
    assert '<option value="tokens" selected>' in page
    confirm(admin, check, **chosen)
    run_queued_jobs()
    assert Corpus.objects.get().tokenisation == stored


def test_json_lines(admin: Client) -> None:
    check = upload(admin, "corpus", {**PARALLEL, "jsonl": sent("corpus.jsonl")})
    run_queued_jobs()
    confirm(admin, check)
    run_queued_jobs()
    assert Corpus.objects.get().sentences.count() == 3


def test_essays_are_uploaded_together(admin: Client) -> None:
    essays = "### essay_id = 1\nJá mám pes .\n\nDobrý den .\n"
    files = [
        sent("cs-own-orig-dev.md", essays),
        sent("cs-own-ref1-dev.md", essays.replace("pes", "psa")),
        sent("cs-own-hypo1-dev.md", essays),
    ]
    check = upload(admin, "corpus", {**PARALLEL, "essays": files})
    run_queued_jobs()
    assert "1 essay, 1 system, 1 distinct output, 1 reference, 1 document." in plan_page(admin, check)
    confirm(admin, check)
    run_queued_jobs()
    assert Corpus.objects.get().sentences.get().text == "Já mám pes . ¶ ¶ Dobrý den ."


def test_essays_without_originals_are_refused(admin: Client) -> None:
    essays = [sent("cs-own-ref1-dev.md", "### essay_id = 1\nDobrý den .\n")]
    check = upload(admin, "corpus", {**PARALLEL, "essays": essays})
    run_queued_jobs()
    assert "no originals" in plan_page(admin, check)


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


def test_a_faulty_file_is_named_as_its_sender_does(admin: Client, waiting_room: Path) -> None:
    check = upload(admin, "corpus", parallel(systems=[sent("INPUT", "One .\n")]))
    run_queued_jobs()
    page = plan_page(admin, check)
    assert "systems/INPUT:2: 1 lines, but 3 in the source source/source.txt: line 2 is missing" in page
    assert str(waiting_room) not in page
    assert "Nothing was stored" in page
    assert "nothing to confirm" in admin.post(f"/imports/{check.uuid}/confirm/", follow=True).content.decode()


def test_outputs_that_are_all_empty_are_warned_of(admin: Client) -> None:
    check = upload(admin, "corpus", parallel(systems=[sent("INPUT"), sent("Alder", "\n\n\n")]))
    run_queued_jobs()
    warning = "System Alder: all outputs are empty (3 sentences)."
    assert warning in plan_page(admin, check)
    assert ask(program(Role.ADMIN), f"jobs/{check.uuid}/")["warnings"] == [warning]


def test_a_warning_names_the_file_as_its_sender_does(admin: Client, waiting_room: Path) -> None:
    m2 = sent("gold.m2", FILES["gold.m2"].replace("A 3 4", "A 3 9"))
    check = upload(admin, "corpus", parallel(m2=[m2], lenient="on"))
    run_queued_jobs()
    page = plan_page(admin, check)
    assert "m2/gold.m2:6: the span 3 9 is outside the sentence of 5 tokens; clipped to 3 5" in page
    assert str(waiting_room) not in page
    confirm(admin, check)
    run_queued_jobs()
    [warning] = (Job.objects.get(kind="import-upload").result or {})["warnings"]
    assert warning.startswith("m2/gold.m2:6: ")


def test_warnings_stand_above_the_imported_corpus(admin: Client) -> None:
    check = upload(admin, "corpus", parallel(systems=[sent("INPUT"), sent("Alder", "\n\n\n")]))
    run_queued_jobs()
    address = confirm(admin, check)
    run_queued_jobs()
    page = admin.get(address, follow=True).content.decode()
    assert "System Alder: all outputs are empty (3 sentences)." in page


def test_a_researcher_imports_a_corpus(researcher: Client) -> None:
    assert "/imports/corpus/" in researcher.get("/").content.decode()
    check = upload(researcher, "corpus", parallel())
    run_queued_jobs()
    address = confirm(researcher, check)
    run_queued_jobs()
    assert researcher.get(address)["Location"] == Corpus.objects.get().get_absolute_url()


def test_a_name_that_is_taken_is_told(admin: Client) -> None:
    small_corpus("letters")
    check = upload(admin, "corpus", parallel())
    run_queued_jobs()
    assert "A corpus named &#x27;letters&#x27; already exists" in plan_page(admin, check)


def test_a_repeated_import_changes_nothing(admin: Client) -> None:
    for _ in range(2):
        Job.objects.all().delete()
        check = upload(admin, "corpus", parallel())
        run_queued_jobs()
        page = plan_page(admin, check)
        confirm(admin, check)
        run_queued_jobs()
    assert "Already imported" in page
    assert Corpus.objects.count() == 1


def test_a_second_click_imports_nothing_twice(admin: Client) -> None:
    check = upload(admin, "corpus", parallel())
    run_queued_jobs()
    assert confirm(admin, check) == confirm(admin, check)
    run_queued_jobs()
    assert confirm(admin, check).partition("?")[0] in plan_page(admin, check)
    assert Job.objects.filter(kind="import-upload").count() == 1


def test_an_upload_that_nobody_confirms_is_deleted_by_a_later_one(
    admin: Client, waiting_room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = upload(admin, "corpus", parallel())
    run_queued_jobs()
    monkeypatch.setattr(uploads, "KEPT_FOR", -uploads.KEPT_FOR)
    newer = check_of_judgments()
    assert [path.name for path in waiting_room.iterdir()] == [newer.parameters["upload"]]
    assert "The files have been deleted" in plan_page(admin, check)
    address = confirm(admin, check)
    run_queued_jobs()
    assert "The uploaded files have been deleted" in admin.get(address).content.decode()


def test_a_cancelled_import_leaves_neither_rows_nor_files(admin: Client, waiting_room: Path) -> None:
    check = upload(admin, "corpus", parallel())
    run_queued_jobs()
    before = contents()
    job, _, _ = confirm(admin, check).partition("?")
    admin.post(f"{job}cancel/")
    run_queued_jobs()
    assert contents() == before
    assert list(waiting_room.iterdir()) == []


def test_files_lie_where_only_the_program_chooses() -> None:
    with pytest.raises(ValueError, match="badly formed"):
        folder_of("../../etc")
