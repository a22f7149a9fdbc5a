"""Parts of the screen that are specific to scores; the rest is in `screen/`."""

import pytest
from playwright.sync_api import Page, expect

from annotate.judging.entering import add_annotator
from annotate.judgments.queries import snapshot
from annotate.models import Annotator, Rating
from tests.annotate import protocols
from tests.browser.conftest import NewVisitor
from tests.browser.working import at_work, campaign_of_four, on_screen, rows, wait_for_another


@pytest.fixture
def annotator(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Annotator:
    monkeypatch.setattr(protocols, "current", protocols.SCALARS)
    return add_annotator(campaign_of_four(), name="ada")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def scores(page: Page) -> list[str]:
    """The numbers in the boxes, after making sure that no set slider says anything else."""
    boxes = [row.locator("input[type=number]").input_value() for row in rows(page)]
    sliders = [row.locator("input[type=range]") for row in rows(page)]
    for box, slider in zip(boxes, sliders, strict=True):
        assert slider.evaluate("slider => slider.classList.contains('unset')") == (box == "")
        assert box in ("", slider.input_value())
    return boxes


def test_by_keyboard_from_slider_to_slider(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    visitor.check()
    source = page.inner_text(".source")
    press(page, "End", "PageDown", "ArrowDown", "n")
    press(page, "Home", "PageUp", "ArrowRight", "ArrowUp", "M", "n")
    assert scores(page) == ["89", "12", "", ""]
    visitor.picture("scalar-screen")
    press(page, "4", "0", "PageUp", "ArrowUp", "m", "m", "n", "7", "End", "Home", "PageDown", "1", "0", "0")
    assert scores(page) == ["89", "12", "51", "100"]
    visitor.check()
    press(page, "Enter")
    wait_for_another(page, source)
    frame = snapshot(annotator.campaign)
    assert frame["score"].tolist() == [89, 12, 51, 100]
    assert frame["meaning_changed"].tolist() == [False, True, False, False]
    assert frame["rank"].isna().all()
    assert set(Rating.objects.values_list("touched", flat=True)) == {True}


def test_by_touch_on_a_phone(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor(scheme="dark", device="phone")
    page = at_work(visitor, annotator)
    visitor.check()
    source = page.inner_text(".source")
    for row, share in zip(rows(page), (0.02, 0.5, 0.75, 0.98), strict=True):
        slider = row.locator("input[type=range]")
        slider.scroll_into_view_if_needed()
        box = slider.bounding_box()
        assert box is not None
        page.touchscreen.tap(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
    rows(page)[2].get_by_label("Meaning changed").tap()
    visitor.picture("scalar-screen")
    lowest, middle, high, highest = map(int, scores(page))
    assert (lowest, highest) == (0, 100)
    assert abs(middle - 50) <= 1
    assert 70 <= high <= 80
    visitor.check()
    page.get_by_role("button", name="Submit").tap()
    wait_for_another(page, source)
    ratings = Rating.objects.order_by("position")
    assert list(ratings.values_list("score", flat=True)) == [lowest, middle, high, highest]
    assert list(ratings.values_list("meaning_changed", flat=True)) == [False, False, True, False]


def test_an_untouched_slider_is_no_score_and_is_named(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    source = page.inner_text(".source")
    slider = rows(page)[0].locator("input[type=range]")
    expect(slider).to_have_attribute("aria-valuetext", "not set")
    press(page, "8", "0", "n", "m", "Enter")
    expect(page.get_by_role("alert")).to_have_text("Still to score from 0 to 100: correction 2, 3, 4.")
    expect(slider).not_to_have_attribute("aria-valuetext", "not set")
    visitor.check()
    press(page, "1", "5", "0", "n", "3", "0", "n", "4", "0", "Enter")
    expect(page.get_by_role("alert")).to_have_text("Still to score from 0 to 100: correction 2.")
    assert not Rating.objects.exists()
    # A click on the middle, where the unset slider stands, is a touch.
    rows(page)[1].locator("input[type=number]").fill("")
    rows(page)[1].locator("input[type=range]").click()
    assert scores(page) == ["80", "50", "30", "40"]
    press(page, "Enter")
    wait_for_another(page, source)
    assert Rating.objects.count() == 4


def test_the_last_number_ends_with_n_as_the_others_do(new_visitor: NewVisitor, annotator: Annotator) -> None:
    page = at_work(new_visitor(), annotator)
    page.keyboard.type("10n20n30n90n")
    assert scores(page) == ["10", "20", "30", "90"]
    page.keyboard.type("75")
    assert scores(page) == ["10", "20", "30", "75"]


def test_the_draft_keeps_scores_and_what_was_unticked(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    press(page, "8", "0", "m", "n", "2", "m")
    expect(page.locator("[data-state]")).to_have_text("Saved")
    press(page, "m")
    page.reload()
    on_screen(visitor)
    assert scores(page) == ["80", "2", "", ""]
    ticked = [row.get_by_label("Meaning changed").is_checked() for row in rows(page)]
    assert ticked == [True, False, False, False]


def test_a_revision_tells_what_was_touched_again(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    source = page.inner_text(".source")
    page.keyboard.type("10mn20n30n40")
    press(page, "Enter")
    wait_for_another(page, source)
    page.get_by_role("link", name="My answers").click()
    page.get_by_role("link", name=source).click()
    on_screen(visitor)
    assert scores(page) == ["10", "20", "30", "40"]
    assert rows(page)[0].get_by_label("Meaning changed").is_checked()
    page.keyboard.type("n25n30")
    press(page, "Enter")
    wait_for_another(page, source)
    revised = Rating.objects.filter(revision__number=2).order_by("position")
    assert list(revised.values_list("score", "touched")) == [(10, False), (25, True), (30, True), (40, False)]
    assert revised[0].meaning_changed
