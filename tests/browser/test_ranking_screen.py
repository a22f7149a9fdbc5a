"""What is the ranking's own on the screen; the rest is in `test_screen.py`."""

import pytest
from playwright.sync_api import expect

from annotate.models import Annotator
from annotate.services.entry import add_annotator
from tests.browser.conftest import NewVisitor
from tests.browser.working import answer_by_keys, at_work, campaign_of_four, rows, stored, wait_for_another


@pytest.fixture
def annotator(transactional_db: None) -> Annotator:
    return add_annotator(campaign_of_four(), name="ada")


def test_a_digit_ranks_and_goes_on_and_arrows_go_back(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    visitor.picture("screen")
    source = page.inner_text(".source")
    for key in ("1", "2", "ArrowUp", "3", "ArrowUp", "ArrowLeft", "ArrowDown", "4", "4", "Enter"):
        page.keyboard.press(key)
    wait_for_another(page, source)
    assert stored() == {source: [1, 2, 4, 4]}


def test_by_touch_on_a_phone(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor(scheme="dark", device="phone")
    page = at_work(visitor, annotator)
    visitor.picture("screen")
    source = page.inner_text(".source")
    for row, rank in zip(rows(page), "2143", strict=True):
        row.locator("label", has_text=rank).tap()
    visitor.check()
    page.get_by_role("button", name="Submit").tap()
    wait_for_another(page, source)
    assert stored() == {source: [2, 1, 4, 3]}


def test_submit_says_what_is_missing_and_goes_there(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    answer_by_keys(page, "12")
    expect(page.get_by_role("alert")).to_have_text("Still to rank from 1 to 4: correction 3, 4.")
    visitor.check()
    answer_by_keys(page, "34")
    expect(page.locator(".status")).to_contain_text("1 answered")
    assert list(stored().values()) == [[1, 2, 3, 4]]
