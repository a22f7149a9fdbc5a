"""A researcher labels the edits of a corpus, and views sentences by what a system misses."""

import pytest
from playwright.sync_api import Page, expect

from annotate import tasks
from annotate.corpora import labelling
from annotate.models import Role, User
from jobs.worker import run_queued_jobs
from tests.annotate.labelled import ToyExtraction, ToyPipeline
from tests.annotate.samples import small_corpus
from tests.browser.conftest import NewVisitor
from tests.browser.visits import LOOKS


def shown(page: Page) -> list[str]:
    ids: list[str] = page.locator("article h3").evaluate_all("all => all.map(each => each.id)")
    return ids


@pytest.mark.parametrize(("scheme", "device"), LOOKS)
def test_sentences_are_filtered_by_edit_type(
    new_visitor: NewVisitor,
    transactional_db: None,
    monkeypatch: pytest.MonkeyPatch,
    scheme: str,
    device: str,
) -> None:
    monkeypatch.setattr(labelling, "Extraction", ToyExtraction)
    monkeypatch.setattr(tasks, "english_pipeline", ToyPipeline)
    corpus = small_corpus()
    visitor = new_visitor(scheme=scheme, device=device)
    visitor.log_in(User.objects.create_user("rita", role=Role.RESEARCHER))
    page = visitor.page
    visitor.visit(corpus.get_absolute_url())
    page.get_by_role("button", name="Label edits").click()
    page.get_by_role("heading", name="Edit types of corpus small").wait_for()
    run_queued_jobs()
    expect(page.get_by_text("14 edits of 11 outputs and 4 references.")).to_be_visible()

    visitor.visit(corpus.get_absolute_url())
    expect(page.locator("#sentence-0 ~ ul .edit-type").first).to_have_text(
        "R:VERB:SVA (changed subject-verb agreement)"
    )
    page.get_by_label("Edit type").select_option("R:NOUN:NUM")
    page.get_by_label("System").select_option("Birch")
    page.get_by_label("Edit is").select_option("missed")
    page.get_by_role("button", name="Show").click()
    expect(
        page.get_by_text("a reference makes an edit of type R:NOUN:NUM (changed noun number)")
    ).to_be_visible()
    assert shown(page) == ["sentence-1"]
    assert page.url.endswith("#sentences")
    expect(page.locator("details .edit-type.asked")).to_be_visible()  # in the reference, which is open
    visitor.check()
    visitor.picture("missed-edits")

    page.get_by_text("Edit types on this page").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("term").filter(has_text="R:NOUN:NUM")).to_be_visible()

    page.get_by_label("System").select_option("")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("Choose the system that misses the edit.")).to_be_visible()
    visitor.check()
