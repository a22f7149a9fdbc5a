"""Metrics against people in the browser: from scores to the page, its figures and its files."""

import re
from urllib.parse import urljoin

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from analysis.analyses.metrics.disagreements import DISAGREEMENTS
from analysis.models import Publication
from annotate.models import Campaign, Role, User
from tests.analysis.publishing.published import published_result
from tests.analysis.scored_campaigns import compared_campaign, result_of
from tests.annotate.samples import small_corpus
from tests.browser.conftest import NewVisitor
from tests.browser.visits import Visitor, looks


@pytest.mark.slow
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
    drawn = page.get_by_role("table", name="Agreement of each metric with people, by systems")
    expect(drawn.locator("tbody tr")).to_have_count(3)
    page.get_by_text("All coefficients", exact=True).click()
    table = page.get_by_role("table", name="All coefficients, by systems")
    if device == "phone":  # Not all columns have room.
        fold = page.locator("details", has=table)
        fold.get_by_role("button", name="Columns:").click()
        fold.get_by_role("checkbox", name="Accuracy", exact=True).check()
        page.keyboard.press("Escape")
    sorts = table.get_by_role("button", name="Sort by Accuracy")
    sorts.focus()
    page.keyboard.press("Enter")
    expect(table.locator("th[aria-sort=descending]")).to_contain_text("Accuracy")
    interval = table.locator(".interval-in-words").nth(1)
    expect(interval).to_be_hidden()
    page.get_by_label("Intervals in numbers").first.check()
    expect(interval).to_be_visible()
    for figure in page.locator("figure img:visible").all():
        figure.scroll_into_view_if_needed()
        expect(figure).to_have_js_property("complete", True)
        assert figure.evaluate("image => image.naturalWidth") > 0
    page.get_by_text("How this is computed").click()
    visitor.check()
    visitor.picture("metrics-against-people")
    with page.expect_download() as download:
        page.get_by_role("link", name="LaTeX").first.click()
    assert download.value.suggested_filename == "metrics-people-systems.tex"
    page.get_by_role("link", name="Where they differ").click()
    expect(page.get_by_role("heading", name=re.compile("differently from people"))).to_be_visible()
    expect(page.get_by_role("heading", name="People prefer").first).to_be_visible()
    page.get_by_text("All outputs and judgments").first.click()
    expect(page.get_by_text(re.compile("^Judgments by annotator")).first).to_be_visible()
    visitor.check()
    visitor.picture("disagreements")
    page.get_by_role("link", name="Agreement", exact=True).click()
    page.get_by_role("link", name="Several campaigns").click()
    expect(page.get_by_role("heading", name=re.compile("highest Pearson"))).to_be_visible()
    visitor.check()
    visitor.picture("compared-metrics")
    page.go_back()
    page.get_by_text("Change settings").click()
    page.get_by_label("Human score").select_option("TrueSkill")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("Waiting for a worker")).to_be_visible()
    check_published(visitor, campaign)


CUT_TEXTS = """() => [...document.querySelectorAll("text")]
    .filter(text => text.textContent)
    .filter(text => {
        const { left, right } = text.getBoundingClientRect();
        return left < 0 || right > document.documentElement.width.baseVal.value;
    })
    .map(text => text.textContent)"""


def check_published(visitor: Visitor, campaign: Campaign) -> None:
    """The public page in every state, and the page of the admins."""
    results = [published_result(campaign, name) for name in ("ranking", "metrics-people", "stopping")]
    pictures = visitor.page.locator("picture > *")
    for result in results:
        visitor.visit(result.get_absolute_url())
        for summary in visitor.page.locator("details.rest > summary").all():
            summary.click()
        picture = visitor.page.locator("picture img").first
        picture.scroll_into_view_if_needed()
        shown = picture.evaluate("async image => (await image.decode(), image.currentSrc)")
        assert ("layout=narrow" in shown) == (visitor.device == "phone")
        for address in pictures.evaluate_all("all => all.map(each => each.srcset || each.src)"):
            visitor.page.goto(urljoin(visitor.address, address))
            assert visitor.page.evaluate(CUT_TEXTS) == [], address
    ranked, compared, _ = results
    Publication.objects.filter(pk=ranked.pk).update(retracted_at=timezone.now())
    Publication.objects.filter(pk=compared.pk).update(content=None)
    visitor.visit(ranked.get_absolute_url(), status=410)
    visitor.visit(compared.get_absolute_url(), status=202)
    visitor.log_in(User.objects.create_user("ada", role=Role.ADMIN))
    visitor.visit(f"/campaigns/{campaign.uuid}/published/?analysis=stopping")
    visitor.picture("published")
