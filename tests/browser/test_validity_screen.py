"""Judging whether one correction is valid."""

import pytest
from playwright.sync_api import expect

from annotate.design.protocols import Validity
from annotate.judging.entering import add_annotator
from annotate.models import Annotator, Revision
from tests.annotate.running import running
from tests.annotate.samples import sentence, small_corpus
from tests.browser.conftest import NewVisitor
from tests.browser.working import at_work, wait_for_another

ENGLISH = [sentence("She go home .", "She goes home ."), sentence("It is fine .", "It are fine .")]
ARABIC = [sentence("ذهبوا الولد .", "ذهب الولد ."), sentence("هو ذهبت .", "هو ذهب .")]
PRACTICE = "```practice\nHe go .\nno | He goed .\n\nNot a word.\n```"


def judge(language: str = "en", guidelines: str = "", practice_needed: int = 0) -> Annotator:
    """Somebody who is asked about two outputs."""
    corpus = small_corpus(language=language, sentences=ARABIC if language == "ar" else ENGLISH)
    campaign = running(
        corpus=corpus,
        protocol=Validity.name,
        outputs_per_screen=1,
        listed_sentences=[0, 1],
        items=2,
        guidelines=guidelines,
        practice_needed=practice_needed,
    )
    return add_annotator(campaign, name="ada")


def stored() -> list[tuple[str | None, int]]:
    return [(one.verdict, one.ratings.count()) for one in Revision.objects.order_by("judgment")]


def test_by_keyboard(transactional_db: None, new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page = at_work(visitor, judge())
    source = page.inner_text(".source")
    page.keyboard.press("Enter")
    expect(page.locator("[data-fault]")).to_have_text("Still to say whether it is valid: correction 1.")
    page.keyboard.press("n")
    expect(page.get_by_role("radio", name="No", exact=True)).to_be_checked()
    visitor.check()
    visitor.picture("validity-screen")
    page.keyboard.press("Enter")
    wait_for_another(page, source)
    page.keyboard.press("c")
    page.keyboard.press("Enter")
    expect(page.locator("form[data-answer]")).to_have_count(0)
    assert stored() == [("no", 1), ("cannot-say", 1)]


@pytest.mark.parametrize("language", ["en", "ar"])
def test_by_touch_on_a_phone(transactional_db: None, new_visitor: NewVisitor, language: str) -> None:
    visitor = new_visitor(scheme="dark", device="phone")
    page = at_work(visitor, judge(language))
    source = page.inner_text(".source")
    direction = "node => getComputedStyle(node).direction"
    expected = "rtl" if language == "ar" else "ltr"
    assert page.locator(".corrections p").evaluate(direction) == expected
    page.locator("label", has_text="Yes").tap()
    visitor.check()
    visitor.picture(f"validity-{language}")
    page.get_by_role("button", name="Submit").tap()
    wait_for_another(page, source)
    assert stored() == [("yes", 1)]


def test_practice_by_mouse(transactional_db: None, new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page = at_work(visitor, judge(guidelines=PRACTICE, practice_needed=1))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Practice: Is this a valid correction?")
    page.locator("label", has_text="Yes").click()
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_text("Not a word.")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_text("We answered differently")
    visitor.check()
