"""Answers that were given before: looked at, changed, or left as they are."""

import re

from playwright.sync_api import expect

from annotate.models import Annotator, Revision
from tests.browser.conftest import NewVisitor
from tests.browser.working import (
    answer_by_keys,
    at_work,
    change_grade,
    go_back,
    grades,
    on_screen,
    rows,
    stored,
    wait_for_another,
)


def test_going_back_to_revise(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    source = answer_by_keys(page, "1234")
    wait_for_another(page, source)
    page.get_by_role("link", name="My answers").click()
    visitor.check()
    page.get_by_role("link", name=source).click()
    on_screen(visitor)
    assert grades(page) == ["1", "2", "3", "4"]
    change_grade(rows(page)[0], "4")
    page.keyboard.press("Enter")
    wait_for_another(page, source)
    assert stored() == {source: [4, 2, 3, 4]}
    assert Revision.objects.count() == 2
    page.go_back()
    expect(page.locator(".source")).to_have_text(source)
    assert grades(on_screen(visitor)) == ["4", "2", "3", "4"]


def test_back_leads_to_the_answers_given_before(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    work = page.url
    first = answer_by_keys(page, "1234")
    wait_for_another(page, first)
    second = answer_by_keys(page, "4321")
    wait_for_another(page, second)
    assert page.url == work
    third = page.inner_text(".source-in-context .source")
    for source, given in ((second, ["4", "3", "2", "1"]), (first, ["1", "2", "3", "4"])):
        page.go_back()
        expect(page.locator(".source")).to_have_text(source)
        assert grades(on_screen(visitor)) == given
    change_grade(rows(page)[0], "4")
    page.keyboard.press("Enter")
    expect(page.locator(".source")).to_have_text(third)
    assert page.url == work
    assert stored() == {first: [4, 2, 3, 4], second: [4, 3, 2, 1]}


def test_the_last_answer_by_a_key_changed_or_left_as_it_is(
    new_visitor: NewVisitor, annotator: Annotator
) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    first = answer_by_keys(page, "1234")
    wait_for_another(page, first)
    second = page.inner_text(".source")
    go_back(page)
    assert page.inner_text(".source") == first
    expect(page.locator(".before").first).to_have_text(re.compile("Before: (1|10)"))
    visitor.check()
    change_grade(rows(page)[0], "4")
    expect(page.locator("[data-state]")).to_have_text("Saved")
    page.keyboard.press("Escape")
    expect(page.locator(".source")).to_have_text(second)
    page.get_by_role("link", name="last answer").click()
    page.locator("[data-revision][data-ready]").wait_for()
    assert grades(page) == ["1", "2", "3", "4"], "cancelling has dropped the change"
    change_grade(rows(page)[0], "3")
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".source")).to_have_text(second)
    assert stored() == {first: [3, 2, 3, 4]}
