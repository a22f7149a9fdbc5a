"""Scores of a corpus: from choosing metrics to the sorted table, and an upload with a wrong line."""

import pytest
from playwright.sync_api import expect

from annotate.models import Role, ScoreSet, User
from tests.annotate.scores.scoring import edited_corpus, scored
from tests.browser.conftest import NewVisitor
from tests.browser.visits import Visitor, looks
from tests.jobs.workers import worker

PATIENCE_MS = 120_000


@pytest.fixture
def researcher_visits(new_visitor: NewVisitor, transactional_db: None) -> Visitor:
    visitor = new_visitor()
    visitor.log_in(User.objects.create_user("rita", role=Role.RESEARCHER))
    return visitor


@pytest.mark.slow
def test_a_corpus_is_scored_from_its_page(researcher_visits: Visitor) -> None:
    corpus, page = edited_corpus(), researcher_visits.page
    researcher_visits.visit(corpus.get_absolute_url())
    page.get_by_role("link", name="Scores", exact=True).click()
    expect(page.get_by_text("No scores yet")).to_be_visible()
    page.get_by_label("Exact match", exact=True).check()
    page.get_by_label("M2 (MaxMatch)", exact=True).check()
    page.get_by_text("Parameters of M2").click()
    page.get_by_label("Beta", exact=True).locator("visible=true").fill("1")
    with worker():
        page.get_by_role("button", name="Score by the chosen metrics").click()
        expect(page.get_by_text("18 scores of outputs computed")).to_be_visible(timeout=PATIENCE_MS)
    researcher_visits.check()
    table = page.get_by_role("table", name="Score of each system by metric")
    expect(table.get_by_role("rowheader").first).to_have_text("Alder")
    heading = table.get_by_role("link", name="M2 (MaxMatch) (beta=1)")
    page.evaluate("window.stays = true")
    heading.click()
    expect(page.locator("th[aria-sort=descending]")).to_contain_text("M2")
    expect(table.get_by_role("rowheader").first).to_have_text("Alder")
    heading.click()
    expect(page.locator("th[aria-sort=ascending]")).to_contain_text("M2")
    assert page.evaluate("window.stays")  # The page was not loaded anew.
    expect(table.get_by_role("rowheader").last).to_have_text("Alder")
    page.get_by_text("Scores by metric, with their signatures").click()
    page.get_by_role("table").last.get_by_role("link", name="Exact match").click()
    page.get_by_label("Order").select_option("lowest first")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("table", name="Scores of outputs").locator("td.number").first).to_have_text(
        "0.0000"
    )
    researcher_visits.check()


def test_an_upload_with_a_wrong_line_names_it(researcher_visits: Visitor) -> None:
    corpus, page = edited_corpus(), researcher_visits.page
    researcher_visits.visit(f"/corpora/{corpus.uuid}/scores/upload/")
    page.get_by_label("CSV file").set_input_files(
        {"name": "mine.csv", "mimeType": "text/csv", "buffer": b"metric,system,score\nLM,Adler,1\n"}
    )
    page.get_by_role("button", name="Upload").click()
    expect(page.locator(".errorlist")).to_contain_text("mine.csv:2: the corpus has no system 'Adler'")
    researcher_visits.forgive("422")
    researcher_visits.check()
    assert not ScoreSet.objects.exists()


@pytest.mark.parametrize(("scheme", "device"), looks("light", "desktop"))
def test_the_pages(new_visitor: NewVisitor, transactional_db: None, scheme: str, device: str) -> None:
    visitor = new_visitor(scheme=scheme, device=device)
    visitor.log_in(User.objects.create_user("ada", role=Role.ADMIN))
    corpus = edited_corpus()
    scored(corpus, "exact-match", "gleu", "m2", "imeasure")
    address = ScoreSet.objects.order_by("pk")[2].get_absolute_url()
    for path in (f"/corpora/{corpus.uuid}/scores/", address, f"{address}delete/", corpus.get_absolute_url()):
        visitor.visit(path)
