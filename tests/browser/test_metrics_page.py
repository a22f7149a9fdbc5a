"""Metrics against people in the browser: from scores to the page, its figures and its files."""

import re

import pytest
from playwright.sync_api import expect

from analysis.analyses.disagreements import DISAGREEMENTS
from annotate.models import Role, User
from tests.analysis.scored_campaigns import compared_campaign, result_of
from tests.annotate.samples import small_corpus
from tests.browser.conftest import NewVisitor
from tests.browser.visits import looks


@pytest.mark.parametrize(("scheme", "device"), looks("dark", "phone"))
def test_a_researcher_sees_which_metric_to_trust(
    new_visitor: NewVisitor, transactional_db: None, scheme: str, device: str
) -> None:
    campaign = compared_campaign(small_corpus())
    result_of(DISAGREEMENTS, campaign)
    visitor = new_visitor(scheme=scheme, device=device)
    visitor.log_in(User.objects.create_user("rita", role=Role.RESEARCHER))
    page = visitor.page
    visitor.visit(f"/campaigns/{campaign.uuid}/ranking/")
    page.get_by_role("link", name="Metrics", exact=True).click()
    table = page.get_by_role("table", name="Agreement of each metric with people, by systems")
    expect(table.get_by_role("row")).to_have_count(4)
    for figure in page.locator("figure img:visible").all():
        figure.scroll_into_view_if_needed()
        expect(figure).to_have_js_property("complete", True)
        assert figure.evaluate("image => image.naturalWidth") > 0
    page.get_by_text("How this is computed").click()
    visitor.check()
    visitor.picture("metrics-against-people")
    with page.expect_download() as download:
        page.get_by_role("link", name="LaTeX").first.click()
    assert download.value.suggested_filename == "metrics-against-people-systems.tex"
    page.get_by_role("link", name="Disagreements").click()
    expect(page.get_by_text(re.compile("orders all outputs as people do in"))).to_be_visible()
    page.get_by_text(re.compile("^Judgments by annotator")).first.click()
    visitor.check()
    visitor.picture("disagreements")
    page.get_by_role("link", name="Several campaigns").click()
    expect(page.get_by_role("heading", name="Compare metrics")).to_be_visible()
    visitor.check()
    visitor.picture("compared-metrics")
    page.go_back()
    page.get_by_role("link", name="Agreement with people").click()
    page.get_by_text("Change settings").click()
    page.get_by_label("Human score").select_option("TrueSkill")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
