"""Rating outputs on several scales."""

from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from annotate.design.protocols import Scales
from annotate.judging.entering import add_annotator, mint_personal_link
from annotate.machines.answering import MachineAnswer, store_answers
from annotate.models import Annotator, Rating, Revision, Role, User
from tests.annotate.machine_judges import machine_of
from tests.annotate.running import draft, running
from tests.annotate.samples import sentence, small_corpus
from tests.browser.conftest import NewVisitor
from tests.browser.working import at_work, go_back, on_screen, wait_for_another

SENTENCES = [
    sentence("She go home .", "She goes home .", "She went home ."),
    sentence("It are fine .", "It is fine .", "They are fine ."),
]
HOSTILE = (
    "=Style<b>: 0 <i>bad</i> | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 \u0645\u0645 &quot;good\n"
    "Meaning: lost | kept"
)
LINES_OF_FIRST_LABEL = """() => {
    const range = document.createRange()
    range.selectNodeContents(document.querySelector(".points bdi"))
    return range.getClientRects().length
}"""


def judge(outputs: int = 2, **options: Any) -> Annotator:
    """Somebody who is asked about two sentences."""
    campaign = running(
        corpus=small_corpus(sentences=SENTENCES),
        protocol=Scales.name,
        outputs_per_screen=outputs,
        listed_sentences=[0, 1],
        items=2,
        **options,
    )
    return add_annotator(campaign, name="ada")


def stored() -> list[list[Any]]:
    """The points of each answer, as shown."""
    answers = Revision.objects.filter(is_current=True).order_by("judgment")
    return [
        list(one.ratings.order_by("position").values_list("rating_details", flat=True)) for one in answers
    ]


def gfm(grammaticality: int | None, fluency: int | None, meaning: int | None) -> dict[str, int | None]:
    return {"Grammaticality": grammaticality, "Fluency": fluency, "Meaning": meaning}


def legend_in_hand(page: Page) -> str:
    return str(page.evaluate("document.activeElement.closest('[data-part]').dataset.part"))


def test_by_keyboard_only(transactional_db: None, new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page = at_work(visitor, judge())
    source = page.inner_text(".source")
    expect(page.locator(".corrections input:checked")).to_have_count(0)
    page.keyboard.type("43")
    assert legend_in_hand(page) == "Meaning"
    page.keyboard.press("Enter")
    missing = "Still to rate: correction 1 (Meaning), 2 (Grammaticality, Fluency, Meaning)."
    expect(page.locator("[data-fault]")).to_have_text(missing)
    expect(page.locator("[data-part].missing")).to_have_count(4)
    page.keyboard.type("5c")
    assert legend_in_hand(page) == "Grammaticality"
    page.keyboard.type("214")
    expect(page.locator("[data-fault]")).to_be_hidden()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("p")
    page.keyboard.type("1")
    visitor.check()
    visitor.picture("scales-screen")
    page.keyboard.press("Enter")
    wait_for_another(page, source)
    assert stored() == [[gfm(4, 3, None), gfm(1, 2, 4)]], "a key beyond the scale sets nothing"
    go_back(page)
    expect(page.get_by_text("Before: Fluency 3, Grammaticality 4, Meaning ?")).to_be_visible()
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    wait_for_another(page, source)
    assert stored() == [[gfm(2, 3, None), gfm(1, 2, 4)]]


def test_by_mouse_only(transactional_db: None, new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page = at_work(visitor, judge(outputs=1, protocol_options={"scales": HOSTILE, "cannot_say": "no"}))
    source = page.inner_text(".source")
    expect(page.get_by_text("Cannot say")).to_have_count(0)
    page.get_by_role("button", name="Submit").click()
    expect(page.locator("[data-fault]")).to_have_text("Still to rate: correction 1 (=Style<b>, Meaning).")
    page.locator(".points label", has_text="10").click()
    page.locator(".points label", has_text="lost").click()
    visitor.check()
    page.get_by_role("button", name="Submit").click()
    wait_for_another(page, source)
    assert stored() == [[{"=Style<b>": 10, "Meaning": 1}]]
    assert Rating.objects.get().score == 50
    page.keyboard.press("-")
    expect(page.locator("input:checked")).to_have_value("10")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_by_touch_on_a_phone(transactional_db: None, new_visitor: NewVisitor, scheme: str) -> None:
    visitor = new_visitor(scheme=scheme, device="phone")
    page = at_work(visitor, judge(outputs=1))
    source = page.inner_text(".source")
    assert page.evaluate(LINES_OF_FIRST_LABEL) == 1, "the word is broken"
    for place, label in enumerate(("3 a few errors", "4 natural", "Cannot say c")):
        page.locator("[data-part]").nth(place).locator("label", has_text=label).tap()
    visitor.check()
    visitor.picture(f"scales-phone-{scheme}")
    page.get_by_role("button", name="Submit").tap()
    wait_for_another(page, source)
    assert stored() == [[gfm(3, 4, None)]]


def test_the_sentence_can_be_hidden(transactional_db: None, new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page = at_work(visitor, judge(outputs=1, protocol_options={"shows_source": "no"}))
    expect(page.locator(".source")).to_be_hidden()
    page.keyboard.type("444")
    visitor.check()
    form = page.locator("form[data-answer]")
    answered = form.get_attribute("action") or ""
    page.keyboard.press("Enter")
    expect(form).not_to_have_attribute("action", answered)
    page.locator("[data-ready]").wait_for()
    assert stored() == [[gfm(4, 4, 4)]]


def test_a_machines_points_stand_below_the_correction(
    transactional_db: None, new_visitor: NewVisitor
) -> None:
    annotator = judge(opinion_of="gpt")
    points = dict.fromkeys(("scale-grammaticality-0", "scale-fluency-0", "scale-meaning-0"), "3")
    points |= {name.replace("-0", "-1"): point for name, point in points.items()}
    items = annotator.campaign.items.all()
    store_answers(
        machine_of(annotator.campaign), [MachineAnswer(item.number, uuid4(), points) for item in items]
    )
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    page.keyboard.type("444444")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="A program’s answer").wait_for()
    visitor.check()
    correction = page.locator(".corrections p").first.bounding_box()
    answers = page.locator(".before").first.bounding_box()
    assert correction is not None
    assert answers is not None
    assert answers["y"] >= correction["y"] + correction["height"], "beside it, they leave it no room"


def test_a_draft_fits_a_phone_with_its_practice_items(
    transactional_db: None, new_visitor: NewVisitor
) -> None:
    campaign = draft(
        corpus=small_corpus(sentences=SENTENCES),
        protocol=Scales.name,
        outputs_per_screen=2,
        listed_sentences=[0, 1],
        items=2,
        guidelines=Scales.guidelines,
    )
    visitor = new_visitor(device="phone")
    visitor.log_in(User.objects.create_user("ada", role=Role.ADMIN))
    visitor.visit(f"{campaign.get_absolute_url()}manage/")
    assert visitor.page.locator(".example table").count()
    visitor.check()


def test_the_comparison_of_a_practice_item_fits_a_phone(
    transactional_db: None, new_visitor: NewVisitor
) -> None:
    """Points on all scales take many words, and stand below the correction."""
    visitor = new_visitor(device="phone")
    visitor.visit(f"/join/{mint_personal_link(judge(outputs=1, guidelines=Scales.guidelines))}/")
    page = visitor.page
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="Begin").click()
    on_screen(visitor).keyboard.type("441")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="We answered differently").wait_for()
    visitor.check()
    visitor.picture("scales-compared")
    text, points = (page.locator(f".compared tbody td:nth-child({n})").bounding_box() for n in (1, 2))
    assert text is not None
    assert points is not None
    assert text["width"] > 300
    assert points["y"] >= text["y"] + text["height"]
