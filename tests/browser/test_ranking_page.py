"""The ranking of systems with long names, on a desktop and a phone."""

import pytest
from playwright.sync_api import expect

from annotate.models import Role, User
from tests.analysis.scored_campaigns import edited_campaign
from tests.annotate.samples import ranking, sentence, small_campaign, small_corpus
from tests.annotate.scores.scoring import scored
from tests.browser.conftest import NewVisitor
from tests.browser.visits import LOOKS, looks

LONG = "gpt-4o-mini_few-shot_temperature-0.0_minimal-edits"


@pytest.mark.parametrize(("scheme", "device"), LOOKS)
def test_each_system_has_its_interval_in_its_row(
    new_visitor: NewVisitor, transactional_db: None, scheme: str, device: str
) -> None:
    corpus = small_corpus(sentences=[sentence("He go .", "He goes .", "He gone .", "He went .")])
    corpus.systems.filter(name="Alder").update(name=LONG)
    campaign = small_campaign(corpus, rankings=[ranking("anna", 0, f"{LONG} > Birch > INPUT > Cedar")] * 9)
    visitor = new_visitor(scheme=scheme, device=device)
    visitor.log_in(User.objects.create_user("rosa", role=Role.RESEARCHER))
    visitor.visit(f"/campaigns/{campaign.uuid}/ranking/")
    plot = visitor.page.locator(".standings .plot").first.bounding_box()
    score = visitor.page.locator(".standings tbody .score").first.bounding_box()
    assert plot is not None
    assert score is not None
    assert plot["width"] > (300 if device == "phone" else 380)
    assert (plot["y"] > score["y"] + score["height"] - 2) == (device == "phone"), "below, on a phone"
    lines = """rows => rows.map(row => [row.parentElement, row].map(part => parseFloat(
        getComputedStyle(part).borderTopWidth) * !getComputedStyle(part).borderTopColor.endsWith(", 0)")))"""
    drawn = visitor.page.locator(".standings tbody tr + tr").evaluate_all(lines)
    assert all(cluster >= 1 and not within for cluster, within in drawn), "lines separate clusters alone"
    visitor.picture("ranking-with-long-names")


@pytest.mark.parametrize(("scheme", "device"), looks("dark", "phone"))
def test_a_cell_of_the_ranking_leads_to_its_two_systems_and_others_can_be_chosen(
    new_visitor: NewVisitor, transactional_db: None, scheme: str, device: str
) -> None:
    campaign = edited_campaign()
    scored(campaign.corpus, "ld-source", "gleu")
    visitor = new_visitor(scheme=scheme, device=device)
    visitor.log_in(User.objects.create_user("rosa", role=Role.RESEARCHER))
    page = visitor.page
    visitor.visit(f"/campaigns/{campaign.uuid}/ranking/")
    page.locator(".heat").get_by_role("link").first.click()
    expect(page.get_by_text("Compare two systems", exact=False).first).to_be_visible()
    page.get_by_label("First system").select_option("Birch")
    page.get_by_label("Second system").select_option("INPUT")
    page.get_by_role("button", name="Compare").click()
    finding = page.get_by_role("heading", name="It is not settled whether INPUT or Birch is better")
    expect(finding).to_be_visible()
    expect(page.get_by_role("heading", name="Sentences on which people and metrics differ")).to_be_visible()
    page.get_by_text("Scores by metrics", exact=True).filter(visible=True).last.click()
    visitor.check()
    visitor.picture("two-systems")
