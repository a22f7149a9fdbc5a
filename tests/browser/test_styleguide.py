"""Every component is accessible in both schemes and fits a phone."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewVisitor
from tests.browser.visits import LOOKS


@pytest.mark.urls("tests.browser.styleguide_urls")
@pytest.mark.parametrize(("scheme", "device"), LOOKS)
def test_all_components(new_visitor: NewVisitor, transactional_db: None, scheme: str, device: str) -> None:
    new_visitor(scheme=scheme, device=device).visit("/styleguide/")


@pytest.mark.urls("tests.browser.styleguide_urls")
@pytest.mark.parametrize(("scheme", "device"), LOOKS)
def test_a_word_opens_its_meaning_by_keyboard(
    new_visitor: NewVisitor, transactional_db: None, scheme: str, device: str
) -> None:
    visitor = new_visitor(scheme=scheme, device=device)
    visitor.visit("/styleguide/")
    page = visitor.page
    page.get_by_role("button", name="signature").focus()
    page.keyboard.press("Enter")
    meaning = page.get_by_text("Equal signatures mean equal numbers")
    expect(meaning).to_be_in_viewport(ratio=1)
    visitor.check()
    page.keyboard.press("Escape")
    expect(meaning).to_be_hidden()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Glossary").wait_for()
    visitor.check()
    visitor.picture("glossary")
