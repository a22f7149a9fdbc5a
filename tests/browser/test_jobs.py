"""An import from files to corpus, with a real worker and progress bars that update themselves."""

import pytest
from playwright.sync_api import Page, expect

from annotate.corpora.importing import SENTENCES_PER_PIECE
from annotate.models import Corpus, Role, System, User
from jobs.models import Job
from tests.browser.conftest import NewVisitor
from tests.browser.visits import Visitor, looks
from tests.jobs.imports import made_up_corpus
from tests.jobs.kinds import kind, queued
from tests.jobs.workers import worker

PATIENCE_MS = 120_000
SENTENCES = 2 * SENTENCES_PER_PIECE + 1


@pytest.fixture
def admin_visits(new_visitor: NewVisitor, transactional_db: None) -> Visitor:
    visitor = new_visitor()
    visitor.log_in(User.objects.create_user("ada", role=Role.ADMIN))
    return visitor


def drop(page: Page, selector: str, name: str, text: str) -> None:
    """Drag a file onto the field."""
    page.evaluate(
        """([selector, name, text]) => {
            const files = new DataTransfer();
            files.items.add(new File([text], name));
            const field = document.querySelector(selector);
            field.files = files.files;
            field.dispatchEvent(new Event("change", {bubbles: true}));
        }""",
        [selector, name, text],
    )


@pytest.mark.slow
def test_files_become_a_corpus(admin_visits: Visitor) -> None:
    page = admin_visits.page
    admin_visits.visit("/")
    page.get_by_role("link", name="Import a corpus").click()
    admin_visits.check()
    page.get_by_label("Name").fill("made-up")
    drop(page, "[name=jsonl]", "corpus.jsonl", made_up_corpus(SENTENCES))
    with worker():
        page.get_by_role("button", name="Check the files").click()
        expect(page.get_by_text(f"{SENTENCES} sentences, 12 systems")).to_be_visible(timeout=PATIENCE_MS)
        page.get_by_label("Identifier of system-3").fill("system-4")
        page.get_by_role("button", name="Import").click()
        expect(page.locator(".errorlist")).to_contain_text("have the same identifier, system-4")
        admin_visits.forgive("422")
        page.get_by_label("Identifier of system-3").fill("three")
        page.get_by_label("Label of system-3").fill("Système <3>")
        page.get_by_label("Role of system-3").select_option("control")
        admin_visits.check()
        page.get_by_role("button", name="Import").click()
        page.get_by_role("heading", name="made-up", exact=True).wait_for(timeout=PATIENCE_MS)
    admin_visits.check()
    assert Corpus.objects.get().sentences.count() == SENTENCES
    assert System.objects.filter(name="three", label="Système <3>", role="control").exists()


def test_a_form_that_is_wrong_says_so(admin_visits: Visitor) -> None:
    page = admin_visits.page
    admin_visits.visit("/imports/corpus/")
    for field, name in (("systems", "dev.ref0"), ("m2", "dev.ref1")):
        drop(page, f"[name={field}]", name, "One .\n")
    page.get_by_role("button", name="Check the files").click()
    expect(page.get_by_role("alert")).to_contain_text("Not checked yet")
    admin_visits.forgive("422")
    for kept in ("dev.ref0", "dev.ref1"):
        expect(page.get_by_label(kept, exact=True)).to_be_checked()
    expect(page.get_by_label("Repair M2 spans")).to_be_visible()
    admin_visits.check()


@pytest.mark.parametrize(("scheme", "device"), looks("light", "desktop"))
def test_the_pages_of_jobs(
    new_visitor: NewVisitor, transactional_db: None, monkeypatch: pytest.MonkeyPatch, scheme: str, device: str
) -> None:
    kind(monkeypatch, lambda job: None)
    visitor = new_visitor(scheme=scheme, device=device)
    visitor.log_in(User.objects.create_user("ada", role=Role.ADMIN))
    job = queued()
    for path in ("/jobs/", "/imports/corpus/", "/imports/judgments/", job.get_absolute_url()):
        visitor.visit(path)
    page = visitor.page
    Job.objects.update(
        state="running", claim=job.uuid, leased_until=job.created_at, step="Storing", done=30, total=90
    )
    expect(page.get_by_text("Storing: 30 of 90")).to_be_visible()
    visitor.check()
    visitor.picture("job-running")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Stopping")).to_be_visible()
    Job.objects.update(state="cancelled")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    visitor.check()
