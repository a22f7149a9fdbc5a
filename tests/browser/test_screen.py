"""An annotator at work: whatever happens, the database holds exactly the given answers."""

import re
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from playwright.sync_api import Route, expect

from annotate.design.protocols import Answer
from annotate.judging.entering import add_annotator, mint_personal_link, mint_shared_link
from annotate.judging.handout import Submission, submit
from annotate.judging.screen import SKIP_REASONS
from annotate.models import Annotator, Campaign, Design, Judgment, Output, Revision, System
from tests.annotate.protocols import RANKING, SCALARS, rated
from tests.annotate.running import NOON
from tests.annotate.samples import SYSTEMS, sentence
from tests.browser.conftest import NewVisitor
from tests.browser.working import (
    PLACES,
    answer_by_keys,
    at_work,
    campaign_of_four,
    change_grade,
    grade,
    grades,
    on_screen,
    rows,
    stored,
    wait_for_another,
)


@pytest.fixture
def campaign(transactional_db: None, protocol: str) -> Campaign:
    return campaign_of_four()


@pytest.fixture
def annotator(campaign: Campaign) -> Annotator:
    return add_annotator(campaign, name="ada")


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


def test_an_answer_given_without_a_network_arrives_when_it_is_back(
    new_visitor: NewVisitor, annotator: Annotator
) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    visitor.context.set_offline(True)
    source = answer_by_keys(page, "1234")
    expect(page.locator("[data-state]")).to_contain_text("Waiting for the network")
    assert stored() == {}
    visitor.context.set_offline(False)
    wait_for_another(page, source)
    assert stored() == {source: [1, 2, 3, 4]}
    visitor.forgive("ERR_INTERNET_DISCONNECTED")


def test_an_answer_that_another_tab_has_sent_is_not_waited_for(
    new_visitor: NewVisitor, annotator: Annotator
) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    showing = UUID(page.locator("[data-screen]").get_attribute("data-showing") or "")
    visitor.context.set_offline(True)
    source = answer_by_keys(page, "1234")
    expect(page.locator("[data-state]")).to_contain_text("Waiting for the network")
    [kept] = page.evaluate("Object.keys(localStorage).filter(name => name.startsWith('assay-outbox-'))")
    key = UUID(kept.removeprefix("assay-outbox-"))
    submit(annotator, showing, lambda outputs: Answer(tuple(rated([1, 2, 3, 4]))), Submission(key))
    page.evaluate("kept => localStorage.removeItem(kept)", kept)
    visitor.context.set_offline(False)
    wait_for_another(page, source)
    assert Revision.objects.get().submission_key == key
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
    source = answer_by_keys(page, "1234")
    wait_for_another(page, source)
    assert len(posted) == 2
    assert stored() == {source: [1, 2, 3, 4]}
    assert Revision.objects.count() == 1
    visitor.forgive("ERR_FAILED")


def test_answers_that_cannot_be_sent_by_whoever_is_here_hold_nobody_up(
    new_visitor: NewVisitor, annotator: Annotator
) -> None:
    """Somebody else left them at this browser, or they are for a campaign that is gone or was left."""
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    other = campaign_of_four("other")
    left = [f"/judge/{uuid}/{uuid4()}/" for uuid in (annotator.campaign.uuid, other.uuid, uuid4())]
    page.evaluate(
        """left => left.forEach((address, n) => localStorage.setItem(`assay-outbox-${n}`,
            JSON.stringify({address, fields: [["key", `${n}`]], since: n})))""",
        left,
    )
    page.reload()
    expect(on_screen(visitor).locator("[data-state]")).to_be_empty()
    source = answer_by_keys(page, "1234")
    wait_for_another(page, source)
    assert stored() == {source: [1, 2, 3, 4]}
    kept = page.evaluate("Object.keys(localStorage).filter(name => name.startsWith('assay-outbox-')).length")
    assert kept == len(left)


def test_an_answer_to_a_campaign_that_is_gone_says_so(new_visitor: NewVisitor, annotator: Annotator) -> None:
    page = at_work(new_visitor(), annotator)
    Campaign.objects.update(state="deleting")
    answer_by_keys(page, "1234")
    expect(page.locator("[data-state]")).to_contain_text("load the page again")


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
    page.keyboard.press("u")
    page.locator("[data-revision][data-ready]").wait_for()
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


def test_skipping_by_two_keys(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor(device="phone")
    page = at_work(visitor, annotator)
    source = page.inner_text(".source")
    page.keyboard.press("s")
    expect(page.get_by_role("button", name=SKIP_REASONS[0])).to_be_focused()
    visitor.check()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name=SKIP_REASONS[0])).to_be_hidden()
    page.keyboard.press("s")
    page.keyboard.press("2")
    wait_for_another(page, source)
    assert Judgment.objects.get().state == "skipped"
    assert Revision.objects.get().note == SKIP_REASONS[1]


def test_a_pause_between_batches_is_ended_by_a_key_but_not_by_those_of_the_last_answer(
    new_visitor: NewVisitor, transactional_db: None, protocol: str
) -> None:
    campaign = campaign_of_four("ten", places=PLACES, batch_size=5)
    visitor = new_visitor()
    page = at_work(visitor, add_annotator(campaign, name="ada"))
    page.clock.set_fixed_time(NOON)
    for answered in range(1, 6):
        source = answer_by_keys(page, "1234")
        if answered < 5:
            wait_for_another(page, source)
            page.clock.set_fixed_time(NOON + timedelta(seconds=answered))
    page.get_by_role("heading", name="This batch is done").wait_for()
    visitor.check()
    page.evaluate("sessionStorage.setItem('assay-strayed', Date.now())")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="This batch is done")).to_be_visible()
    page.clock.set_fixed_time(NOON + timedelta(seconds=10))
    page.keyboard.press("Enter")
    expect(page.locator(".progress")).to_contain_text("0 of 5 in this batch")
    source = answer_by_keys(on_screen(visitor), "4321")
    wait_for_another(page, source)
    assert len(stored()) == 6


def test_a_sentence_from_right_to_left(new_visitor: NewVisitor, transactional_db: None) -> None:
    """Texts take their own direction; the screen around them keeps English's."""
    places = ["مدرسة", "بيت", "سوق", "بحر"]
    texts = [
        sentence(f"هو ذهب الى {place} .", f"ذهب إلى {place} .", f"هو يذهب {place} .", f"ذهبوا {place} .")
        for place in places
    ]
    campaign = campaign_of_four("arabic", sentences=texts)
    visitor = new_visitor(device="phone")
    page = at_work(visitor, add_annotator(campaign, name="ada"))
    for text in page.locator(".source, [data-output] p").all():
        assert text.evaluate("text => getComputedStyle(text).direction") == "rtl"
    visitor.check()


def test_skipping_needs_a_reason_and_frees_the_item(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    source = page.inner_text(".source")
    page.get_by_text("Skip or report").click()
    page.get_by_role("button", name="Skip this one").click()
    expect(page.get_by_role("alert")).to_have_text("Choose a reason, or say in a few words why you skip it.")
    page.get_by_label("Another reason").fill("two sentences in one")
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
    expect(page.get_by_label("Guidelines")).to_be_visible()
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


def test_practice_by_keyboard_before_the_work(
    new_visitor: NewVisitor, annotator: Annotator, protocol: str
) -> None:
    good, bad = {RANKING: ("1", "2"), SCALARS: ("90", "30")}[protocol]
    lines = [
        "She go .",
        f"{good} | She goes .",
        f"{bad} | She going .",
        f"{bad} | She gone .",
        "",
        "See *why*.",
    ]
    Design.objects.update(guidelines="\n".join(["```practice", *lines, "```"]))
    visitor = new_visitor(device="phone", scheme="dark")
    visitor.visit(f"/join/{mint_personal_link(annotator)}/")
    page = visitor.page
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("[data-ready]")
    visitor.check()
    best, others = {RANKING: ("1", "3"), SCALARS: ("9", "3")}[protocol]
    texts = [row.locator("p").inner_text() for row in rows(page)]
    grade(page, "".join(best if "goes" in text else others for text in texts))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Same as ours")).to_be_visible()
    visitor.check()
    page.go_back()
    page.wait_for_selector("[data-ready]")
    page.go_forward()
    expect(page.get_by_role("heading", name="Same as ours")).to_be_visible()
    page.reload()
    page.get_by_role("button", name="Start judging").press("Enter")
    source = answer_by_keys(on_screen(visitor), "1234")
    wait_for_another(page, source)
    assert stored() == {source: [1, 2, 3, 4]}


def test_the_second_of_two_tabs_on_one_practice_item_is_told(
    new_visitor: NewVisitor, annotator: Annotator, protocol: str
) -> None:
    good, bad = {RANKING: ("1", "2"), SCALARS: ("90", "30")}[protocol]
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


def test_a_session_that_ends_is_renewed_in_place(new_visitor: NewVisitor, annotator: Annotator) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator)
    visitor.context.clear_cookies(name=f"annotator-{annotator.campaign.uuid}")
    source = answer_by_keys(page, "1234")
    page.get_by_label("Link or resume code").fill(f"{visitor.address}/join/{mint_personal_link(annotator)}/")
    visitor.check()
    page.get_by_role("button", name="Continue").click()
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
    visitor.picture("resume-code")
    visitor.page.reload()
    assert visitor.page.inner_text(".code") == code
    visitor.page.get_by_role("link", name="I have written it down: start").click()
    source = answer_by_keys(on_screen(visitor), "1234")
    wait_for_another(visitor.page, source)
    visitor.close_tab()
    visitor.visit(link)
    expect(visitor.page.locator("main")).to_contain_text("1 answered.")
    visitor.picture("welcome-back")
    visitor.page.get_by_role("link", name="Continue").click()
    assert on_screen(visitor).inner_text(".source") != source
    elsewhere = new_visitor(device="phone")
    elsewhere.visit(link)
    elsewhere.page.get_by_label("Resume code").fill("wrong")
    elsewhere.page.get_by_role("button", name="Continue").click()
    expect(elsewhere.page.get_by_role("alert")).to_contain_text("This code is not valid here")
    elsewhere.page.get_by_label("Resume code").fill(code)
    elsewhere.page.get_by_role("button", name="Continue").click()
    page = on_screen(elsewhere)
    assert page.inner_text(".source") == visitor.page.inner_text(".source")
    assert Annotator.objects.filter(campaign=campaign).count() == 1


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
