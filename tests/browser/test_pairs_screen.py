"""Choosing the better of two outputs: one key, click or tap a pair, with the next pairs in the page."""

from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from annotate.campaigns.lifecycle import close
from annotate.design.protocols import Pairs
from annotate.judging.entering import add_annotator
from annotate.machines.answering import MachineAnswer, store_answers
from annotate.models import Annotator, Judgment, Revision, Role, User
from tests.annotate.machine_judges import machine_of
from tests.annotate.running import draft, running
from tests.annotate.samples import sentence, small_corpus
from tests.browser.conftest import NewVisitor
from tests.browser.working import at_work, go_back, on_screen, wait_for_another

NEXT_AT_ONCE = """key => {
    const source = () => document.querySelector(".source").textContent
    const before = source()
    document.activeElement.dispatchEvent(
        new KeyboardEvent("keydown", {key, code: `Digit${key}`, bubbles: true, cancelable: true}))
    return source() !== before
}"""
UNSENT = "Object.keys(localStorage).filter(name => name.startsWith('assay-outbox-')).length"


def judge(sentences: int = 4, batch_size: int = 24, **options: Any) -> Annotator:
    """Somebody who is asked about a pair of outputs for each sentence."""
    texts = [sentence(f"He go to {n} .", f"He goes to {n} .", f"He went to {n} .") for n in range(sentences)]
    campaign = running(
        corpus=small_corpus(sentences=texts),
        protocol=Pairs.name,
        outputs_per_screen=2,
        listed_sentences=list(range(sentences)),
        items=sentences,
        batch_size=batch_size,
        **options,
    )
    return add_annotator(campaign, name="ada")


def stored() -> list[tuple[int | None, ...]]:
    """The ranks of each current answer, as shown."""
    answers = Revision.objects.filter(is_current=True, judgment__by_machine=0).order_by("judgment")
    return [tuple(one.ratings.order_by("position").values_list("rank", flat=True)) for one in answers]


def wait_for(page: Page, condition: str) -> None:
    """Until a condition of the page is true; pages allow no `eval`, which Playwright's own waiting needs."""
    page.evaluate(
        f"new Promise((done) => (function look() {{ {condition} ? done() : setTimeout(look, 20) }})())"
    )


def wait_for_ahead(page: Page) -> None:
    """Until the page holds the screens that come next."""
    wait_for(page, "performance.getEntriesByType('resource').some((one) => one.name.includes('/ahead/'))")
    page.wait_for_load_state("networkidle")


def wait_until_stored(page: Page) -> None:
    wait_for(page, f"{UNSENT} === 0")


def test_by_keyboard_only(transactional_db: None, new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page = at_work(visitor, judge())
    page.keyboard.press("Enter")
    expect(page.locator("[data-fault]")).to_have_text("Say which correction is better.")
    visitor.check()
    visitor.picture("pairs-screen")
    wait_for_ahead(page)
    sources = []
    for key in "120":
        sources.append(page.inner_text(".source"))
        page.keyboard.press(key)
        wait_for_another(page, sources[-1])
    wait_until_stored(page)
    assert stored() == [(1, 2), (2, 1), (1, 1)]
    here = page.inner_text(".source")
    go_back(page)
    expect(page.locator(".source")).to_have_text(sources[-1])
    expect(page.locator("input:checked")).to_have_value("0")
    expect(page.get_by_text("Change your answer. It stays as it is until you choose.")).to_be_visible()
    visitor.check()
    page.keyboard.press("Escape")
    expect(page.locator(".source")).to_have_text(here)
    go_back(page)
    page.keyboard.press("ArrowRight")
    expect(page.locator("input:checked")).to_have_value("2")
    expect(page.locator(".source")).to_have_text(sources[-1])
    page.keyboard.press("Enter")
    expect(page.locator(".source")).to_have_text(here)
    wait_until_stored(page)
    assert stored() == [(1, 2), (2, 1), (2, 1)]
    page.keyboard.press("s")
    page.keyboard.press("1")
    wait_until_stored(page)
    assert Judgment.objects.filter(state="skipped").count() == 1


def test_by_mouse_only(transactional_db: None, new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page = at_work(visitor, judge(protocol_options={"strength": "yes"}))
    source = page.inner_text(".source")
    page.locator("label", has_text="2 slightly better").click()
    wait_for_another(page, source)
    second = page.inner_text(".source")
    page.locator("label", has_text="Equally good").dblclick()
    wait_for_another(page, second)
    page.locator("[data-last]").click()
    expect(page.locator(".source")).to_have_text(second)
    third = page.locator(".source")
    page.locator("label", has_text="1 clearly better").click()
    expect(third).not_to_have_text(second)
    visitor.check()
    visitor.picture("pairs-strength")
    wait_until_stored(page)
    assert stored() == [(2, 1), (1, 2)]
    details = Revision.objects.filter(is_current=True).order_by("judgment").values_list("details", flat=True)
    assert list(details) == [{"strength": "slightly"}, {"strength": "clearly"}]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_by_touch_on_a_phone(transactional_db: None, new_visitor: NewVisitor, scheme: str) -> None:
    visitor = new_visitor(scheme=scheme, device="phone")
    page = at_work(visitor, judge(protocol_options={"strength": "yes"}))
    visitor.check()
    visitor.picture(f"pairs-phone-{scheme}")
    source = page.inner_text(".source")
    page.locator("label", has_text="1 slightly better").tap()
    wait_for_another(page, source)
    page.locator("[data-last]").tap()
    expect(page.locator(".source")).to_have_text(source)
    page.locator("label", has_text="Equally good").tap()
    wait_for_another(page, source)
    wait_until_stored(page)
    assert stored() == [(1, 1)]


def test_the_next_pair_is_there_before_the_key_is_released(
    transactional_db: None, new_visitor: NewVisitor
) -> None:
    page = at_work(new_visitor(), judge())
    wait_for_ahead(page)
    assert page.evaluate(NEXT_AT_ONCE, "1"), "nothing was waited for"
    assert page.evaluate(NEXT_AT_ONCE, "2")
    wait_until_stored(page)
    assert stored() == [(1, 2), (2, 1)]


def test_twenty_answers_without_a_network_are_all_stored_once(
    transactional_db: None, new_visitor: NewVisitor
) -> None:
    visitor = new_visitor()
    page = at_work(visitor, judge(24))
    wait_for_ahead(page)
    visitor.context.set_offline(True)
    for number in range(20):
        source = page.inner_text(".source")
        page.keyboard.press("120"[number % 3])
        wait_for_another(page, source)
    source = page.inner_text(".source")
    go_back(page)
    expect(page.locator("input:checked")).to_have_value("2")
    page.keyboard.press("1")
    expect(page.locator(".source")).to_have_text(source)
    assert stored() == []
    assert page.evaluate(UNSENT) == 21, "the last one twice, as a change"
    visitor.context.set_offline(False)
    wait_until_stored(page)
    expected = [((1, 2), (2, 1), (1, 1))[number % 3] for number in range(19)]
    assert stored() == [*expected, (1, 2)]
    assert Judgment.objects.count() == 20
    assert Revision.objects.count() == 21
    page.keyboard.press("2")
    wait_for_another(page, source)
    wait_until_stored(page)
    assert stored()[-1] == (2, 1)
    visitor.forgive("ERR_INTERNET_DISCONNECTED")


def test_the_next_batch_has_its_screens_in_the_page_too(
    transactional_db: None, new_visitor: NewVisitor
) -> None:
    page = at_work(new_visitor(), judge(10, batch_size=5))
    wait_for_ahead(page)
    for _ in range(5):
        source = page.inner_text(".source")
        page.keyboard.press("1")
        expect(page.locator(".source", has_text=source)).to_have_count(0)
    with page.expect_response("**/ahead/**") as coming:
        page.locator("[data-next]").click()
    assert len(coming.value.json()["ahead"]) == 5


def test_another_tab_does_not_ask_again_and_says_that_its_answer_came_too_late(
    transactional_db: None, new_visitor: NewVisitor
) -> None:
    visitor = new_visitor()
    page = at_work(visitor, judge(6))
    wait_for_ahead(page)
    other = visitor.context.new_page()
    other.goto(page.url)
    other.locator("[data-ready]").wait_for()
    wait_for_ahead(other)
    source = other.inner_text(".source")
    for _ in range(3):
        page.keyboard.press("1")
    wait_until_stored(page)
    third = page.inner_text(".source")
    other.keyboard.press("2")
    wait_until_stored(other)
    expect(other.locator("[data-state]")).to_contain_text(
        "An earlier answer from this browser was not stored"
    )
    assert other.inner_text(".source") == third != source
    assert stored() == [(1, 2)] * 3
    visitor.forgive("422")


def test_a_page_that_is_loaded_again_without_its_answers_sent_sends_them(
    transactional_db: None, new_visitor: NewVisitor
) -> None:
    visitor = new_visitor()
    page = at_work(visitor, judge(6))
    wait_for_ahead(page)
    page.route(
        "**/judge/**", lambda route: route.abort() if route.request.method == "POST" else route.continue_()
    )
    for key in "120":
        source = page.inner_text(".source")
        page.keyboard.press(key)
        wait_for_another(page, source)
    page.unroute("**/judge/**")
    page.reload()
    wait_until_stored(page)
    on_screen(visitor)
    assert stored() == [(1, 2), (2, 1), (1, 1)]
    visitor.forgive("ERR_FAILED")


def test_a_campaign_that_was_closed_shows_no_more(transactional_db: None, new_visitor: NewVisitor) -> None:
    annotator = judge()
    page = at_work(new_visitor(), annotator)
    wait_for_ahead(page)
    close(annotator.campaign)
    page.keyboard.press("1")
    wait_until_stored(page)
    page.wait_for_load_state("networkidle")
    page.keyboard.press("1")
    page.get_by_role("heading").first.wait_for()
    wait_until_stored(page)
    assert set(Judgment.objects.values_list("state", flat=True)) == {"surplus"}


def test_a_machines_answer_comes_between_two_pairs(transactional_db: None, new_visitor: NewVisitor) -> None:
    annotator = judge(opinion_of="gpt")
    items = annotator.campaign.items.all()
    answers = [MachineAnswer(item.number, uuid4(), {"better": "2"}) for item in items]
    store_answers(machine_of(annotator.campaign), answers)
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    source = page.inner_text(".source")
    page.keyboard.press("1")
    page.get_by_role("heading", name="A program’s answer").wait_for()
    expect(page.locator(".source")).to_have_text(source)
    expect(page.get_by_role("link", name="Continue")).to_be_focused()
    visitor.check()
    visitor.picture("pairs-opinion")
    page.keyboard.press("Enter")
    wait_for_another(page, source)
    assert stored() == [(1, 2)]


def test_admins_try_it_on_a_draft(transactional_db: None, new_visitor: NewVisitor) -> None:
    texts = [sentence(f"He go to {n} .", f"He goes to {n} .", f"He went to {n} .") for n in range(3)]
    campaign = draft(
        corpus=small_corpus(sentences=texts),
        protocol=Pairs.name,
        outputs_per_screen=2,
        listed_sentences=[0, 1, 2],
        items=3,
        guidelines=Pairs.guidelines,
    )
    visitor = new_visitor()
    visitor.log_in(User.objects.create_user("ada", role=Role.ADMIN))
    visitor.visit(f"{campaign.get_absolute_url()}try/1/")
    page = on_screen(visitor)
    page.keyboard.press("1")
    page.wait_for_url("**/try/2/")
    visitor.check()
    assert not Judgment.objects.exists()
