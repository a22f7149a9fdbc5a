"""From a link to the first screen: practice, and pseudonyms that can come back."""

from playwright.sync_api import expect

from annotate.judging.entering import mint_personal_link, mint_shared_link
from annotate.models import Annotator, Campaign, Design
from tests.annotate.protocols import RANKING, SCALARS
from tests.browser.conftest import NewVisitor
from tests.browser.working import answer_by_keys, grade, on_screen, rows, stored, wait_for_another


def test_practice_by_keyboard_before_the_work(
    new_visitor: NewVisitor, annotator: Annotator, rating_protocol: str
) -> None:
    good, bad = {RANKING: ("1", "2"), SCALARS: ("90", "30")}[rating_protocol]
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
    best, others = {RANKING: ("1", "3"), SCALARS: ("9", "3")}[rating_protocol]
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
