"""The layout of the sentences and of the parts around them."""

from playwright.sync_api import expect

from annotate.judging.entering import add_annotator
from annotate.models import Annotator
from tests.annotate.samples import sentence
from tests.browser.conftest import NewVisitor
from tests.browser.working import at_work, campaign_of_four


def test_a_sentence_from_right_to_left(new_visitor: NewVisitor, transactional_db: None) -> None:
    """Texts take their own direction; the screen around them keeps English's."""
    places = ["مدرسة", "بيت", "سوق", "بحر"]
    texts = [
        sentence(f"هو ذهب الى {place} .", f"ذهب إلى {place} .", f"هو يذهب {place} .", f"ذهبوا {place} .")
        for place in places
    ]
    campaign = campaign_of_four("arabic", sentences=texts)
    visitor = new_visitor(device="phone")
    page = at_work(visitor, add_annotator(campaign, name="ada"))
    for text in page.locator(".source, [data-output] p").all():
        assert text.evaluate("text => getComputedStyle(text).direction") == "rtl"
    visitor.check()


def test_panels_and_the_toggle_of_edits(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    page.keyboard.press("g")
    expect(page.get_by_label("Guidelines")).to_be_visible()
    visitor.check()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="Keys")).to_be_visible()
    visitor.check()
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    expect(page.get_by_role("button", name="Edits")).to_have_attribute("aria-pressed", "false")
    page.reload()
    expect(page.get_by_role("button", name="Edits")).to_have_attribute("aria-pressed", "false")
