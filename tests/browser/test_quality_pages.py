"""Making controls, excluding and readmitting annotators, and practice that counts."""

import pytest
from playwright.sync_api import expect

from annotate.judging.entering import add_annotator, mint_personal_link
from annotate.judging.orders import order_for
from annotate.models import Role, User
from jobs.worker import run_queued_jobs
from tests.annotate.checked import checked_campaign, judged_by
from tests.annotate.designs import running_campaign
from tests.annotate.judging.test_qualification import GUIDELINES
from tests.annotate.samples import small_corpus
from tests.browser.conftest import NewVisitor
from tests.browser.visits import Visitor, looks


def admin_at(new_visitor: NewVisitor, scheme: str, device: str) -> Visitor:
    visitor = new_visitor(scheme=scheme, device=device)
    visitor.log_in(User.objects.create_user("ada", role=Role.ADMIN))
    return visitor


@pytest.mark.parametrize(("scheme", "device"), looks("dark", "phone"))
def test_controls_are_made_by_a_button(
    new_visitor: NewVisitor, transactional_db: None, scheme: str, device: str
) -> None:
    corpus = small_corpus()
    visitor = admin_at(new_visitor, scheme, device)
    page = visitor.page
    visitor.visit(corpus.get_absolute_url())
    visitor.picture("corpus-without-controls")
    page.get_by_label("One reference per sentence").check()
    page.get_by_role("button", name="Make controls").click()
    page.get_by_text("Waiting for a worker").wait_for()
    run_queued_jobs()
    page.get_by_role("link", name="Show the result").click()
    page.get_by_role("heading", name="Errors in the controls").wait_for()
    visitor.check()
    visitor.picture("corpus-with-controls")


@pytest.mark.parametrize(("scheme", "device"), looks("light", "desktop"))
def test_an_annotator_is_excluded_and_readmitted_by_keyboard(
    new_visitor: NewVisitor, transactional_db: None, scheme: str, device: str
) -> None:
    campaign = checked_campaign()
    for name, control in (("anna", 10), ("ben", 20), ("carl", 80)):
        judged_by(campaign, name, control=control)
    visitor = admin_at(new_visitor, scheme, device)
    page = visitor.page
    visitor.visit(f"/campaigns/{campaign.uuid}/manage/")
    page.get_by_role("link", name="Quality").click()
    page.get_by_text("Change settings").click()
    page.get_by_label("Fewest screens").fill("4")
    page.get_by_role("button", name="Show").click()
    signs = page.get_by_role("table", name="Annotators by signs of careless work")
    row = signs.get_by_role("row").filter(has_text="carl")
    expect(row).to_contain_text("control below source on 0 % of 4 screens")
    expect(row).to_contain_text("flagged")
    visitor.check()
    row.locator("summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("Put the errors above the source.")
    visitor.check()
    visitor.picture("quality")
    page.keyboard.press("Enter")
    expect(row).to_contain_text("Put the errors above the source.")
    expect(page.get_by_label("Fewest screens")).to_have_value("4")
    visitor.check()
    visitor.picture("quality-with-an-exclusion")
    visitor.visit(f"/campaigns/{campaign.uuid}/ranking/")
    visitor.visit(f"/campaigns/{campaign.uuid}/export/")
    expect(page.get_by_label("Include excluded annotators")).to_be_visible()
    visitor.visit(f"/campaigns/{campaign.uuid}/quality/")
    page.get_by_role("button", name="Readmit carl").click()
    expect(row.locator("summary")).to_be_visible()


@pytest.mark.parametrize(("scheme", "device"), looks("light", "phone"))
def test_practice_that_counts(
    new_visitor: NewVisitor, transactional_db: None, scheme: str, device: str
) -> None:
    campaign = running_campaign(small_corpus(), guidelines=GUIDELINES, practice_needed=2, practice_tries=1)
    ada = add_annotator(campaign, name="ada")
    visitor = new_visitor(scheme=scheme, device=device)
    page = visitor.page
    visitor.visit(f"/join/{mint_personal_link(ada)}/")
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Begin").click()
    page.get_by_text("agree with us on 2 to begin").wait_for()
    visitor.check()
    for number in (1, 2):
        page.wait_for_selector("[data-ready]")
        ours_is_first = order_for(ada, "practice", number, 2) == [0, 1]
        page.keyboard.type("21" if ours_is_first else "12")
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="We answered differently").wait_for()
        visitor.check()
        if number == 1:
            page.get_by_role("link", name="Next").click()
            page.get_by_text("Practice 2 of 2").wait_for()
    page.get_by_role("button", name="See the result").click()
    page.get_by_role("heading", name="Thank you for trying").wait_for()
    visitor.check()
    visitor.picture("practice-not-passed")
    host = admin_at(new_visitor, scheme, device)
    host.visit(f"/campaigns/{campaign.uuid}/manage/")
    host.page.get_by_role("button", name="Let ada start").click()
    host.page.get_by_text("ada can begin judging.").wait_for()
    host.check()
