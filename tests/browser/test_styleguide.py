"""Every component is accessible in both schemes and fits a phone."""

import pytest
from django.test import Client
from playwright.sync_api import expect

from annotate.web.styleguide import METRICS, MORE_METRICS
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


@pytest.mark.urls("tests.browser.styleguide_urls")
@pytest.mark.parametrize(("scheme", "device"), LOOKS)
def test_columns_without_room_are_chosen_by_keyboard(
    new_visitor: NewVisitor, transactional_db: None, scheme: str, device: str
) -> None:
    visitor = new_visitor(scheme=scheme, device=device)
    visitor.visit("/styleguide/")
    page = visitor.page
    table = page.get_by_role("table", name="Example: many columns")
    headings = table.get_by_role("columnheader")
    shown = headings.count()
    assert 4 <= shown < len(METRICS + MORE_METRICS) + 1
    expect(headings.nth(1)).to_contain_text("M2")
    last = page.get_by_role("checkbox", name=MORE_METRICS[-1])
    page.get_by_role("button", name=f"Columns: {shown - 1} of").focus()
    page.keyboard.press("Enter")
    last.focus()
    page.keyboard.press("Space")
    expect(headings).to_have_count(shown + 1)
    expect(headings.last).to_contain_text(MORE_METRICS[-1])
    expect(table.locator(".interval-in-words").first).to_be_hidden()
    visitor.check()
    page.keyboard.press("Space")
    expect(headings).to_have_count(shown)
    page.keyboard.press("Escape")
    expect(last).to_be_hidden()
    expect(page.get_by_role("button", name=f"Columns: {shown - 1} of")).to_be_visible()


@pytest.mark.urls("tests.browser.styleguide_urls")
def test_without_scripts_all_columns_are_shown(client: Client, transactional_db: None) -> None:
    text = client.get("/styleguide/").content.decode()
    section = text.partition('id="many"')[2].partition("</table>")[0]
    assert all(title in section for title in (*METRICS, *MORE_METRICS))
    assert " hidden" not in section.partition("<thead>")[2]
