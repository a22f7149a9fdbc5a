"""The answers about a campaign of each kind, on a desktop and a phone, and their report on paper."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from annotate.models import Campaign, Role, User
from tests.analysis.scored_campaigns import compute_answers, edited_campaign
from tests.annotate.references.answers import correcting_campaign, judging_campaign
from tests.annotate.running import running
from tests.annotate.samples import small_corpus
from tests.browser.conftest import NewVisitor
from tests.browser.visits import LOOKS, Visitor


def opened(new_visitor: NewVisitor, campaign: Campaign, scheme: str, device: str) -> Visitor:
    visitor = new_visitor(scheme=scheme, device=device)
    visitor.log_in(User.objects.create_user("rosa", role=Role.ADMIN))
    visitor.visit(f"/campaigns/{campaign.uuid}/answers/")
    return visitor


@pytest.mark.parametrize(("scheme", "device"), LOOKS)
@pytest.mark.parametrize(
    ("make", "questions"),
    [(edited_campaign, 4), (correcting_campaign, 3), (judging_campaign, 2)],
    ids=["rankings", "corrections", "validity"],
)
def test_each_question_has_its_answer(
    new_visitor: NewVisitor, transactional_db: None, make: object, questions: int, scheme: str, device: str
) -> None:
    assert callable(make)
    campaign = make() if make is edited_campaign else make(small_corpus(language="de"))
    compute_answers(campaign)
    visitor = opened(new_visitor, campaign, scheme, device)
    assert visitor.page.locator(".answers .finding").count() == questions
    assert visitor.page.locator(".absent").count() == 0
    visitor.picture(f"answers-{campaign}")


def test_without_judgments_the_page_says_so(new_visitor: NewVisitor, transactional_db: None) -> None:
    visitor = opened(new_visitor, running(items=2), "light", "desktop")
    assert visitor.page.get_by_text("The answers appear with the first ones.").is_visible()


def test_the_report_is_one_sheet(
    new_visitor: NewVisitor, transactional_db: None, browser: Browser, tmp_path: Path
) -> None:
    campaign = edited_campaign()
    compute_answers(campaign)
    visitor = opened(new_visitor, campaign, "light", "desktop")
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("link", name="HTML").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    sheet = browser.new_page()
    sheet.goto(file.as_uri())
    assert sheet.pdf(prefer_css_page_size=True).count(b"/Type /Page\n") == 1
    sheet.close()
