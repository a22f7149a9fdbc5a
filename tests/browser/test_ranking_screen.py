"""An annotator at work: whatever happens on the way, the database holds exactly what was given."""

import re
from uuid import UUID

import pytest
from playwright.sync_api import Page, expect

from annotate.models import Annotator, Campaign, Design, Judgment, JudgmentState, Output, Revision
from annotate.services.campaigns import create_campaign, launch
from annotate.services.entry import add_annotator, mint_personal_link, mint_shared_link
from tests.annotate.samples import SYSTEMS, sentence, small_corpus
from tests.browser.conftest import NewVisitor
from tests.browser.visits import Visitor

SENTENCES = [
    sentence(f"He go to {place} .", f"He goes to {place} .", f"He went to {place} .", f"He go in {place} .")
    for place in ("school", "town", "work", "sea")
]


@pytest.fixture
def campaign(transactional_db: None) -> Campaign:
    """Four items with four outputs each, in one batch."""
    corpus = small_corpus(sentences=SENTENCES)
    design = Design(items=4, annotators_per_item=1, repeat_percent=0, sampling="uniform", batch_size=20)
    design.guidelines = "Prefer what a careful native writer would write."
    campaign = create_campaign(
        name="pilot",
        corpus=corpus,
        protocol="relative-ranking",
        systems=list(corpus.systems.all()),
        design=design,
    )
    launch(campaign, progress=lambda stored: None)
    return campaign


@pytest.fixture
def annotator(campaign: Campaign) -> Annotator:
    return add_annotator(campaign, name="ada")


def at_work(visitor: Visitor, annotator: Annotator) -> Page:
    """The visitor's window on the first screen, having followed a personal link."""
    visitor.visit(f"/join/{mint_personal_link(annotator)}/")
    visitor.page.get_by_role("button", name="Start").click()
    return on_screen(visitor)


def on_screen(visitor: Visitor) -> Page:
    visitor.page.locator("[data-ready]").wait_for()
    return visitor.page


def ranks(page: Page) -> list[str]:
    """The ranks of the shown corrections as they stand, "" where there is none."""
    return [
        (row.locator("input:checked").get_attribute("value") or "")
        if row.locator("input:checked").count()
        else ""
        for row in page.locator("[data-output]").all()
    ]


def rank_by_keys(page: Page, digits: str) -> str:
    """Rank and submit; the source of the screen that was answered."""
    source = page.inner_text(".source")
    for digit in digits:
        page.keyboard.press(digit)
    page.keyboard.press("Enter")
    return source


def wait_for_another(page: Page, source: str, *, patience_ms: int = 10_000) -> None:
    expect(page.locator(".source")).not_to_have_text(source, timeout=patience_ms)
    page.locator("[data-ready]").wait_for()


def stored() -> dict[str, list[int | None]]:
    """The current ranks in the order shown, by source."""
    current = Revision.objects.filter(is_current=True, judgment__state=JudgmentState.COMPLETE)
    return {
        str(revision.judgment.item.sentence.text): list(
            revision.ratings.order_by("position").values_list("rank", flat=True)
        )
        for revision in current
    }


def test_a_whole_batch_by_keyboard(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    visitor.check()
    visitor.picture("screen")
    answers = {}
    for digits in ("1234", "4321", "1122", "1111"):
        source = rank_by_keys(page, digits)
        answers[source] = [int(digit) for digit in digits]
        if len(answers) < 4:
            wait_for_another(page, source)
    page.get_by_role("heading", name="All done").wait_for()
    visitor.check()
    assert stored() == answers
    assert not Judgment.objects.exclude(state="complete").exists()
    assert Revision.objects.filter(active_ms__gt=0, started_at__isnull=False).count() == 4


def test_by_touch_on_a_phone(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor(scheme="dark", device="phone")
    page = at_work(visitor, annotator)
    visitor.picture("screen")
    source = page.inner_text(".source")
    for row, rank in zip(page.locator("[data-output]").all(), "2143", strict=True):
        row.locator("label", has_text=rank).tap()
    visitor.check()
    page.get_by_role("button", name="Submit").tap()
    wait_for_another(page, source)
    assert stored() == {source: [2, 1, 4, 3]}


def test_submit_says_what_is_missing_and_goes_there(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    rank_by_keys(page, "12")
    expect(page.get_by_role("alert")).to_have_text("Still to rank from 1 to 4: correction 3, 4.")
    visitor.check()
    rank_by_keys(page, "34")
    expect(page.locator(".status")).to_contain_text("1 answered")
    assert list(stored().values()) == [[1, 2, 3, 4]]


def test_a_reload_in_the_middle_keeps_what_was_entered(new_visitor: NewVisitor, annotator: Annotator) -> None:
    page = at_work(new_visitor(), annotator)
    source = page.inner_text(".source")
    page.keyboard.press("3")
    page.keyboard.press("1")
    expect(page.locator("[data-state]")).to_have_text("Saved")
    page.reload()
    assert page.inner_text(".source") == source
    assert ranks(page) == ["3", "1", "", ""]
    rank_by_keys(page, "22")
    wait_for_another(page, source)
    assert stored() == {source: [3, 1, 2, 2]}


def test_another_browser_goes_on_with_the_draft(new_visitor: NewVisitor, annotator: Annotator) -> None:
    page = at_work(new_visitor(), annotator)
    page.keyboard.press("2")
    expect(page.locator("[data-state]")).to_have_text("Saved")
    other = at_work(new_visitor(device="phone"), annotator)
    assert ranks(other) == ["2", "", "", ""]


def test_an_answer_given_without_a_network_arrives_when_it_is_back(
    new_visitor: NewVisitor, annotator: Annotator
) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    visitor.context.set_offline(True)
    source = rank_by_keys(page, "1234")
    expect(page.locator("[data-state]")).to_contain_text("Waiting for the network")
    assert stored() == {}
    visitor.context.set_offline(False)
    wait_for_another(page, source)
    assert stored() == {source: [1, 2, 3, 4]}
    visitor.forgive("ERR_INTERNET_DISCONNECTED")


def test_an_answer_whose_confirmation_was_lost_is_stored_once(
    new_visitor: NewVisitor, annotator: Annotator
) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    posted = []

    def lose_the_first_reply(route: object) -> None:
        posted.append(route)
        if len(posted) == 1:
            route.fetch()  # type: ignore[attr-defined]
            route.abort()  # type: ignore[attr-defined]
        else:
            route.continue_()  # type: ignore[attr-defined]

    address = page.locator("[data-answer]").get_attribute("action")
    page.route(f"**{address}", lose_the_first_reply)
    source = rank_by_keys(page, "1234")
    wait_for_another(page, source)
    assert len(posted) == 2
    assert stored() == {source: [1, 2, 3, 4]}
    assert Revision.objects.count() == 1
    visitor.forgive("ERR_FAILED")


def test_a_double_click_is_one_answer(new_visitor: NewVisitor, annotator: Annotator) -> None:
    page = at_work(new_visitor(), annotator)
    source = page.inner_text(".source")
    for digit in "1234":
        page.keyboard.press(digit)
    page.get_by_role("button", name="Submit").dblclick()
    wait_for_another(page, source)
    assert stored() == {source: [1, 2, 3, 4]}
    assert Revision.objects.count() == 1


def test_two_tabs_on_one_screen_are_one_judgment_with_a_revision(
    new_visitor: NewVisitor, annotator: Annotator
) -> None:
    visitor = new_visitor()
    first = at_work(visitor, annotator)
    second = visitor.context.new_page()
    second.goto(first.url)
    source = rank_by_keys(first, "1234")
    wait_for_another(first, source)
    rank_by_keys(second, "4321")
    wait_for_another(second, source)
    assert stored() == {source: [4, 3, 2, 1]}
    assert Judgment.objects.count() == 1


def test_going_back_to_revise(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    source = rank_by_keys(page, "1234")
    wait_for_another(page, source)
    page.get_by_role("link", name="Your last answers").click()
    visitor.check()
    page.get_by_role("link", name=source).click()
    on_screen(visitor)
    assert ranks(page) == ["1", "2", "3", "4"]
    page.locator("[data-output]").first.locator("label", has_text="4").click()
    page.keyboard.press("Enter")
    wait_for_another(page, source)
    assert stored() == {source: [4, 2, 3, 4]}
    assert Revision.objects.count() == 2


def test_skipping_needs_a_reason_and_frees_the_item(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    source = page.inner_text(".source")
    page.get_by_text("Skip or report a problem").click()
    page.get_by_role("button", name="Skip this one").click()
    expect(page.get_by_role("alert")).to_have_text("Say in a few words why you skip it.")
    page.get_by_label("What is wrong with it?").fill("two sentences in one")
    visitor.check()
    page.get_by_role("button", name="Skip this one").click()
    wait_for_another(page, source)
    [skipped] = Judgment.objects.all()
    assert skipped.state == "skipped"
    assert skipped.revisions.get().note == "two sentences in one"


def test_panels_and_the_toggle_of_edits(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    page.keyboard.press("g")
    expect(page.get_by_text("Prefer what a careful native writer")).to_be_visible()
    visitor.check()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="Keys")).to_be_visible()
    visitor.check()
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    expect(page.get_by_role("button", name="Edits")).to_have_attribute("aria-pressed", "false")
    page.reload()
    expect(page.get_by_role("button", name="Edits")).to_have_attribute("aria-pressed", "false")


def test_a_session_that_ends_is_renewed_in_place(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    visitor.context.clear_cookies(name="sessionid")
    source = rank_by_keys(page, "1234")
    page.get_by_label("Link or resume code").fill(f"{visitor.address}/join/{mint_personal_link(annotator)}/")
    visitor.check()
    page.get_by_role("button", name="Go on").click()
    wait_for_another(page, source)
    assert stored() == {source: [1, 2, 3, 4]}


def test_a_shared_link_makes_a_pseudonym_that_can_come_back(
    new_visitor: NewVisitor, campaign: Campaign
) -> None:
    link = f"/join/{mint_shared_link(campaign)}/"
    visitor = new_visitor()
    visitor.visit(link)
    visitor.page.get_by_role("button", name="Start").click()
    code = visitor.page.inner_text(".code")
    visitor.check()
    visitor.page.get_by_role("link", name="I have it, start").click()
    source = rank_by_keys(on_screen(visitor), "1234")
    wait_for_another(visitor.page, source)
    elsewhere = new_visitor(device="phone")
    elsewhere.visit(link)
    elsewhere.page.get_by_label("Resume code").fill("wrong")
    elsewhere.page.get_by_role("button", name="Go on").click()
    expect(elsewhere.page.get_by_role("alert")).to_contain_text("Nobody here has this code")
    elsewhere.page.get_by_label("Resume code").fill(code)
    elsewhere.page.get_by_role("button", name="Go on").click()
    page = on_screen(elsewhere)
    assert page.inner_text(".source") == visitor.page.inner_text(".source")
    assert Annotator.objects.filter(campaign=campaign).count() == 1


def test_nothing_tells_systems_apart(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor()
    seen = []
    visitor.page.on("response", lambda response: seen.append((response.url, response.headers)))
    page = at_work(visitor, annotator)
    page_text = page.content() + str(seen)
    assert not [name for name in SYSTEMS if name in page_text]
    outputs = Output.objects.filter(sentence__corpus=annotator.campaign.corpus)
    assert not [digest for digest in outputs.values_list("digest", flat=True) if digest in page_text]
    marked = [row.evaluate("row => row.outerHTML") for row in page.locator("[data-output]").all()]
    bare = {re.sub(r"<p .*</p>|[0-9]+", "", html, flags=re.DOTALL) for html in marked}
    assert len(bare) == 1, "but for text and position all outputs look the same"


def test_uuids_of_others_lead_nowhere(new_visitor: NewVisitor, annotator: Annotator) -> None:
    first = new_visitor()
    page = at_work(first, annotator)
    showing = UUID(page.locator("[data-work]").get_attribute("data-showing") or "")
    other = new_visitor()
    other.visit(f"/join/{mint_personal_link(add_annotator(annotator.campaign, name='bob'))}/")
    other.page.get_by_role("button", name="Start").click()
    other.page.get_by_role("heading", name="All done").wait_for()
    other.visit(f"/judge/{annotator.campaign.uuid}/{showing}/", status=404)
