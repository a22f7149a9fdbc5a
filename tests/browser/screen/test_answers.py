"""Answers of annotators are stored once, as entered, and reveal nothing about the systems."""

import re
from datetime import timedelta
from uuid import UUID

from playwright.sync_api import Route, expect

from annotate.judging.entering import add_annotator, mint_personal_link
from annotate.models import Annotator, Judgment, Output, Revision, System
from tests.annotate.running import NOON
from tests.annotate.samples import SYSTEMS
from tests.browser.conftest import NewVisitor
from tests.browser.working import answer_by_keys, at_work, grade, grades, rows, stored, wait_for_another


def test_a_whole_batch_by_keyboard(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    visitor.check()
    answers = {}
    for digits in ("1234", "4321", "1122", "1111"):
        source = answer_by_keys(page, digits)
        answers[source] = [int(digit) for digit in digits]
        if len(answers) < 4:
            wait_for_another(page, source)
    page.get_by_role("heading", name="All done").wait_for()
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "none"
    visitor.check()
    assert stored() == answers
    assert not Judgment.objects.exclude(state="complete").exists()
    assert Revision.objects.filter(active_ms__gt=0, started_at__isnull=False).count() == 4


def test_a_reload_in_the_middle_keeps_what_was_entered(new_visitor: NewVisitor, annotator: Annotator) -> None:
    page = at_work(new_visitor(), annotator)
    source = page.inner_text(".source")
    grade(page, "31")
    expect(page.locator("[data-state]")).to_have_text("Saved")
    page.reload()
    assert page.inner_text(".source") == source
    assert grades(page) == ["3", "1", "", ""]
    answer_by_keys(page, "22")
    wait_for_another(page, source)
    assert stored() == {source: [3, 1, 2, 2]}


def test_another_browser_goes_on_with_the_draft(new_visitor: NewVisitor, annotator: Annotator) -> None:
    page = at_work(new_visitor(), annotator)
    grade(page, "2")
    expect(page.locator("[data-state]")).to_have_text("Saved")
    other = at_work(new_visitor(device="phone"), annotator)
    assert grades(other) == ["2", "", "", ""]


def test_a_double_click_is_one_answer(new_visitor: NewVisitor, annotator: Annotator) -> None:
    page = at_work(new_visitor(), annotator)
    source = page.inner_text(".source")
    grade(page, "1234")
    page.get_by_role("button", name="Submit").dblclick()
    wait_for_another(page, source)
    assert stored() == {source: [1, 2, 3, 4]}
    assert Revision.objects.count() == 1


def test_the_second_half_of_a_double_click_says_nothing_of_the_next_screen(
    new_visitor: NewVisitor, annotator: Annotator
) -> None:
    page = at_work(new_visitor(), annotator)
    page.get_by_role("button", name="Submit").hover()
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    expect(page.get_by_role("alert")).to_be_hidden()
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("alert")).to_be_visible()


def test_keys_typed_while_the_next_screen_loads_land_on_no_correction(
    new_visitor: NewVisitor, annotator: Annotator
) -> None:
    page = at_work(new_visitor(), annotator)
    page.clock.set_fixed_time(NOON)
    address = page.locator("[data-answer]").get_attribute("action")
    held: list[Route] = []
    page.route(f"**{address}", lambda route: held.append(route))
    with page.expect_request(f"**{address}"):
        source = answer_by_keys(page, "1234")
    page.clock.set_fixed_time(NOON + timedelta(milliseconds=300))
    grade(page, "43")
    assert grades(page) == ["1", "2", "3", "4"]
    [route] = held
    route.continue_()
    wait_for_another(page, source)
    page.clock.set_fixed_time(NOON + timedelta(milliseconds=600))
    grade(page, "21")
    page.keyboard.press("Enter")
    assert grades(page) == ["", "", "", ""]
    expect(page.locator("[data-state]")).to_have_text(re.compile("were ignored"))
    # Once the annotator has stopped to read, keys count again.
    page.clock.set_fixed_time(NOON + timedelta(milliseconds=1500))
    grade(page, "21")
    assert grades(page) == ["2", "1", "", ""]
    assert stored() == {source: [1, 2, 3, 4]}


def test_nothing_tells_systems_apart(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor()
    System.objects.filter(name=SYSTEMS[0]).update(label="The best one")
    seen = []
    visitor.page.on("response", lambda response: seen.append((response.url, response.headers)))
    page = at_work(visitor, annotator)
    page_text = page.content() + str(seen)
    assert not [name for name in (*SYSTEMS, "The best one") if name in page_text]
    outputs = Output.objects.filter(sentence__corpus=annotator.campaign.corpus)
    assert not [digest for digest in outputs.values_list("digest", flat=True) if digest in page_text]
    marked = [row.evaluate("row => row.outerHTML") for row in rows(page)]
    bare = {re.sub(r"<p .*</p>|[0-9]+", "", html, flags=re.DOTALL) for html in marked}
    assert len(bare) == 1, "but for text and position all outputs look the same"


def test_uuids_of_others_lead_nowhere(new_visitor: NewVisitor, annotator: Annotator) -> None:
    first = new_visitor()
    page = at_work(first, annotator)
    showing = UUID(page.locator("[data-screen]").get_attribute("data-showing") or "")
    other = new_visitor()
    other.visit(f"/join/{mint_personal_link(add_annotator(annotator.campaign, name='bob'))}/")
    other.page.get_by_role("button", name="Start").click()
    other.page.get_by_role("heading", name="Nothing for you right now").wait_for()
    other.visit(f"/judge/{annotator.campaign.uuid}/{showing}/", status=404)
