"""The layout of the sentences and of the parts around them."""

import re

from playwright.sync_api import Locator, expect

from annotate.judging.entering import add_annotator
from annotate.models import Annotator
from tests.annotate.samples import sentence
from tests.browser.conftest import NewVisitor
from tests.browser.working import at_work, campaign_of_four, grade, rows

LONG = "He go to the school every morning and come back in the evening with his friends . " * 4


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


def ends(part: Locator) -> tuple[float, float]:
    """Where it begins and ends in the window, as shares of its height."""
    box = part.bounding_box()
    assert box is not None
    height = part.page.evaluate("innerHeight")
    return box["y"] / height, (box["y"] + box["height"]) / height


def test_saving_moves_no_button_of_a_phone(new_visitor: NewVisitor, annotator: Annotator) -> None:
    page = at_work(new_visitor(device="phone"), annotator)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    message, submit = (page.locator(name) for name in ("[data-state]", "[data-submit]"))
    expect(message).to_be_empty()
    before = submit.bounding_box()
    rows(page)[3].locator("input").last.click()
    expect(message).to_have_text("Saved")
    assert submit.bounding_box() == before


def test_source_and_messages_stay_in_view_on_a_phone(new_visitor: NewVisitor, transactional_db: None) -> None:
    texts = [sentence(LONG, *(f"{LONG} {end}" for end in ".!?;")) for _ in range(4)]
    visitor = new_visitor(scheme="dark", device="phone")
    page = at_work(visitor, add_annotator(campaign_of_four("long", sentences=texts), name="ada"))
    source, message, submit = (page.locator(name) for name in (".source", "[data-state]", "[data-submit]"))
    page.evaluate("scrollBy(0, 900)")
    assert 0 <= ends(source)[0] < ends(source)[1] <= 0.34
    submit.tap()
    fault = page.get_by_role("alert")
    expect(fault).to_have_text(re.compile("correction 1"))
    assert ends(source)[1] < ends(fault)[0] < ends(fault)[1] <= ends(submit)[0] < ends(submit)[1] <= 1
    visitor.check()
    # What is in hand is not behind the source or the buttons.
    assert ends(page.locator(":focus"))[0] >= ends(source)[1]
    page.get_by_text("Skip or report").tap()
    assert ends(page.get_by_role("button", name="Skip this one"))[1] <= 1
    page.keyboard.press("Escape")
    grade(page, "1234")
    visitor.context.set_offline(True)
    page.evaluate("scrollTo(0, 300)")
    submit.tap()
    expect(message).to_contain_text("Waiting for the network")
    assert 0.5 < ends(message)[0] < ends(message)[1] <= ends(submit)[0]
    visitor.context.set_offline(False)
    expect(page.locator("[data-screen]")).not_to_contain_text("Waiting for the network")
    visitor.forgive("ERR_INTERNET_DISCONNECTED")
