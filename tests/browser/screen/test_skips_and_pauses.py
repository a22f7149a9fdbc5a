"""Sentences that are skipped, and the pause between two batches."""

from datetime import timedelta

from playwright.sync_api import expect

from annotate.judging.entering import add_annotator
from annotate.judging.screen import SKIP_REASONS
from annotate.models import Annotator, Judgment, Revision
from tests.annotate.running import NOON
from tests.browser.conftest import NewVisitor
from tests.browser.working import (
    PLACES,
    answer_by_keys,
    at_work,
    campaign_of_four,
    on_screen,
    stored,
    wait_for_another,
)


def test_skipping_by_two_keys(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor(device="phone")
    page = at_work(visitor, annotator)
    source = page.inner_text(".source")
    page.keyboard.press("s")
    expect(page.get_by_role("button", name=SKIP_REASONS[0])).to_be_focused()
    visitor.check()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name=SKIP_REASONS[0])).to_be_hidden()
    page.keyboard.press("s")
    page.keyboard.press("2")
    wait_for_another(page, source)
    assert Judgment.objects.get().state == "skipped"
    assert Revision.objects.get().note == SKIP_REASONS[1]


def test_skipping_needs_a_reason_and_frees_the_item(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    source = page.inner_text(".source")
    page.get_by_text("Skip or report").click()
    page.get_by_role("button", name="Skip this one").click()
    expect(page.get_by_role("alert")).to_have_text("Choose a reason, or say in a few words why you skip it.")
    page.get_by_label("Another reason").fill("two sentences in one")
    visitor.check()
    page.get_by_role("button", name="Skip this one").click()
    wait_for_another(page, source)
    [skipped] = Judgment.objects.all()
    assert skipped.state == "skipped"
    assert skipped.revisions.get().note == "two sentences in one"


def test_a_pause_between_batches_is_ended_by_a_key_but_not_by_those_of_the_last_answer(
    new_visitor: NewVisitor, transactional_db: None, rating_protocol: str
) -> None:
    campaign = campaign_of_four("ten", places=PLACES, batch_size=5)
    visitor = new_visitor()
    page = at_work(visitor, add_annotator(campaign, name="ada"))
    page.clock.set_fixed_time(NOON)
    for answered in range(1, 6):
        source = answer_by_keys(page, "1234")
        if answered < 5:
            wait_for_another(page, source)
            page.clock.set_fixed_time(NOON + timedelta(seconds=answered))
    page.get_by_role("heading", name="This batch is done").wait_for()
    visitor.check()
    page.evaluate("sessionStorage.setItem('assay-strayed', Date.now())")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="This batch is done")).to_be_visible()
    page.clock.set_fixed_time(NOON + timedelta(seconds=10))
    page.keyboard.press("Enter")
    expect(page.locator(".progress")).to_contain_text("0 of 5 in this batch")
    source = answer_by_keys(on_screen(visitor), "4321")
    wait_for_another(page, source)
    assert len(stored()) == 6
