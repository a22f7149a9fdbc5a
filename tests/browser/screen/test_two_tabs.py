"""One screen, or one practice item, open in two tabs."""

import re

from playwright.sync_api import expect

from annotate.judging.entering import mint_personal_link
from annotate.models import Annotator, Design, Judgment
from tests.annotate.protocols import RANKING, SCALARS
from tests.browser.conftest import NewVisitor
from tests.browser.working import answer_by_keys, at_work, grade, stored, wait_for_another


def test_the_second_of_two_tabs_on_one_screen_is_told_and_replaces_nothing_unasked(
    new_visitor: NewVisitor, annotator: Annotator
) -> None:
    visitor = new_visitor()
    first = at_work(visitor, annotator)
    second = visitor.context.new_page()
    second.goto(first.url)
    source = answer_by_keys(first, "1234")
    wait_for_another(first, source)
    expect(second.get_by_role("alert")).to_have_text(re.compile("in another tab"))
    answer_by_keys(second, "4321")
    expect(second.get_by_role("alert")).to_contain_text("that answer is kept")
    assert stored() == {source: [1, 2, 3, 4]}
    visitor.check()
    second.keyboard.press("Enter")
    wait_for_another(second, source)
    assert stored() == {source: [4, 3, 2, 1]}
    assert Judgment.objects.count() == 1


def test_the_second_of_two_tabs_on_one_practice_item_is_told(
    new_visitor: NewVisitor, annotator: Annotator, rating_protocol: str
) -> None:
    good, bad = {RANKING: ("1", "2"), SCALARS: ("90", "30")}[rating_protocol]
    practice = f"```practice\nShe go .\n{good} | She goes .\n{bad} | She going .\n```"
    Design.objects.update(guidelines=practice)
    visitor = new_visitor()
    visitor.visit(f"/join/{mint_personal_link(annotator)}/")
    first = visitor.page
    first.get_by_role("button", name="Start").click()
    first.wait_for_selector("[data-ready]")
    second = visitor.context.new_page()
    second.goto(first.url)
    second.wait_for_selector("[data-ready]")
    grade(first, "12")
    expect(second.locator("[data-state]")).to_have_text("This item is open in another tab as well")
    first.keyboard.press("Enter")
    first.get_by_role("button", name="Start judging").wait_for()
    expect(second.get_by_role("alert")).to_contain_text("answered this practice item in another tab")
