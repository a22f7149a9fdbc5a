"""Parts of the screen that are specific to rankings; the rest is in `screen/`."""

import pytest
from playwright.sync_api import expect

from annotate.judging.entering import add_annotator, mint_personal_link
from annotate.models import Annotator, Design, Revision
from tests.browser.conftest import NewVisitor
from tests.browser.working import (
    answer_by_keys,
    at_work,
    campaign_of_four,
    go_back,
    on_screen,
    rows,
    stored,
    wait_for_another,
)


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
    third = rows(page)[2].get_by_text("still to do")
    expect(third).to_be_visible()
    visitor.check()
    page.keyboard.press("3")
    expect(third).to_be_hidden()
    expect(page.get_by_role("alert")).to_be_visible()
    page.keyboard.press("4")
    expect(page.get_by_role("alert")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.locator(".status")).to_contain_text("1 of 4 in this batch")
    assert list(stored().values()) == [[1, 2, 3, 4]]


@pytest.fixture
def sure(annotator: Annotator) -> Annotator:
    """The annotator, whose campaign asks for confidence."""
    Design.objects.update(protocol_options={"confidence": "yes"})
    return annotator


def confidences() -> list[object]:
    """Those of all revisions, in order."""
    details = Revision.objects.order_by("pk").values_list("details", flat=True)
    return [each and each.get("confidence") for each in details]


def test_confidence_is_asked_after_the_last_rank(new_visitor: NewVisitor, sure: Annotator) -> None:
    visitor = new_visitor()
    page = at_work(visitor, sure)
    visitor.picture("confidence")
    source = page.inner_text(".source")
    answer_by_keys(page, "1234")
    expect(page.get_by_role("alert")).to_have_text("Say how sure you are of this ranking, from 1 to 5.")
    asked = page.get_by_role(
        "group", name="How sure are you of this ranking, from 1 (a guess) to 5 (certain)?"
    )
    expect(asked.locator(":focus")).to_have_value("1")
    visitor.check()
    page.keyboard.press("2")
    expect(page.get_by_role("alert")).to_be_hidden()
    page.keyboard.press("Enter")
    wait_for_another(page, source)
    assert (stored(), confidences()) == ({source: [1, 2, 3, 4]}, [2])
    go_back(page)
    expect(asked.get_by_role("radio", name="2")).to_be_checked()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "5"):
        page.keyboard.press(key)
    visitor.picture("confidence-revised")
    page.keyboard.press("Enter")
    expect(page.locator("[data-revision]")).to_have_count(0)
    assert confidences() == [2, 5]


def test_confidence_by_touch_stays_in_the_draft(new_visitor: NewVisitor, sure: Annotator) -> None:
    visitor = new_visitor(scheme="dark", device="phone")
    page = at_work(visitor, sure)
    source = page.inner_text(".source")
    for row, rank in zip(rows(page), "2143", strict=True):
        row.locator("label", has_text=rank).tap()
    page.locator("[data-part] label", has_text="5").tap()
    visitor.picture("confidence")
    visitor.check()
    expect(page.locator("[data-state]")).to_have_text("Saved")
    page.reload()
    on_screen(visitor)
    expect(page.locator("[name=confidence]:checked")).to_have_value("5")
    page.get_by_role("button", name="Submit").tap()
    wait_for_another(page, source)
    assert (stored(), confidences()) == ({source: [2, 1, 4, 3]}, [5])


def test_it_loads_less_than_60_kb_of_scripts_and_styles(
    new_visitor: NewVisitor, annotator: Annotator
) -> None:
    page = at_work(new_visitor(), annotator)
    loaded = page.evaluate(
        """performance.getEntriesByType("resource")
            .filter(resource => /[.](js|css)$/.test(resource.name))
            .map(resource => resource.decodedBodySize)"""
    )
    assert len(loaded) == 10
    assert 0 < sum(loaded) < 60_000


def test_the_guidelines_come_first_and_open_beside_the_sentences(
    new_visitor: NewVisitor, annotator: Annotator
) -> None:
    Design.objects.update(guidelines="Prefer what a careful native writer would write.")
    visitor = new_visitor()
    visitor.visit(f"/join/{mint_personal_link(annotator)}/")
    visitor.page.get_by_role("button", name="Start").click()
    expect(visitor.page.get_by_role("heading", name="Before you begin")).to_be_visible()
    visitor.check()
    visitor.picture("guidelines")
    visitor.page.get_by_role("button", name="Begin").click()
    page = on_screen(visitor)
    page.keyboard.press("g")
    panel = page.get_by_role("complementary", name="Guidelines").bounding_box()
    corrections = page.locator(".corrections").bounding_box()
    assert panel is not None
    assert corrections is not None
    assert corrections["x"] + corrections["width"] <= panel["x"]
