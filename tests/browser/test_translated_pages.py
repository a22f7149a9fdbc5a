"""Campaigns in German and Arabic from the link to the thank-you, and room for texts of twice the length."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from annotate.design.protocols import PROTOCOLS
from annotate.judging.entering import add_annotator, mint_personal_link, mint_shared_link
from tests.annotate import protocols
from tests.annotate.designs import running_campaign
from tests.annotate.judging.test_cost_of_every_page import practice
from tests.annotate.languages import WRITTEN, corpus_of
from tests.annotate.protocols import filled_in
from tests.annotate.pseudo import LANGUAGE, marked_locale
from tests.annotate.samples import small_corpus
from tests.browser.conftest import NewVisitor

CUT_OFF = """() => [...document.querySelectorAll("main *, aside *")].filter(element => {
    const isClipped = each => getComputedStyle(each).clipPath !== "none";
    const isForEars = [element, element.parentElement].some(isClipped);
    if (!element.checkVisibility() || isForEars || element.matches("textarea, input, .source")) return false;
    const { overflowX, overflowY } = getComputedStyle(element);
    const hides = [overflowX, overflowY].some(value => ["hidden", "clip"].includes(value));
    const isWide = element.scrollWidth > element.clientWidth + 1;
    const isHigh = element.scrollHeight > element.clientHeight + 1;
    const { right, left } = element.getBoundingClientRect();
    const bursts = isWide && element.matches("button, a.button, label > span");
    return bursts || (hides && (isWide || isHigh)) || right > innerWidth + 1 || left < -1;
}).map(element => element.outerHTML.slice(0, 160))"""
OVERLAPPING = """() => {
    const names = ".home, .status > .tools > *, .actions > button, .actions > details > summary";
    const shown = [...document.querySelectorAll(names)].filter(element => element.checkVisibility());
    const boxes = shown.map(element => element.getBoundingClientRect());
    const meet = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
        && one.top < other.bottom - 1 && other.top < one.bottom - 1;
    return shown.filter((_, place) => boxes.slice(0, place).some(box => meet(box, boxes[place])))
        .map(element => element.outerHTML.slice(0, 160));
}"""


FILL_IN = """(form, fields) => {
    for (const name in fields) if (form.elements[name]) form.elements[name].value = fields[name];
    for (const element of form.elements) element.dispatchEvent(new Event("input", { bubbles: true }));
}"""


def test_a_campaign_in_german(transactional_db: None, new_visitor: NewVisitor) -> None:
    campaign = running_campaign(
        small_corpus(language="de"),
        interface_language="de",
        sampling="listed",
        listed_sentences=[0, 1],
        items=2,
        shared_percent=0,
        repeat_percent=0,
        guidelines="Ordnen Sie die Korrekturen.",
    )
    visitor = new_visitor()
    page = visitor.page
    visitor.visit(f"/join/{mint_shared_link(campaign)}/")
    visitor.picture("german-link")
    page.get_by_role("button", name="Starten").click()
    expect(page.get_by_role("heading")).to_have_text("Ihr Rückkehrcode")
    page.get_by_role("button", name="Kopieren").click()
    expect(page.locator(".copy [role=status]")).to_have_text(re.compile("Kopiert|Ihr Browser erlaubt"))
    visitor.check()
    page.get_by_role("link", name="Ich habe ihn notiert").click()
    expect(page.get_by_role("heading")).to_have_text("Bevor Sie beginnen")
    visitor.check()
    page.get_by_role("button", name="Beginnen").click()
    page.locator("[data-ready]").wait_for()
    page.keyboard.press("Enter")
    expect(page.locator("[data-fault]")).to_contain_text("Korrektur 1")
    page.keyboard.press("s")
    page.get_by_role("button", name="Überspringen", exact=True).click()
    expect(page.locator("[data-fault]")).to_have_text(re.compile("^Wählen Sie einen Grund"))
    page.keyboard.press("Escape")
    source = page.inner_text(".source")
    answer(page)
    expect(page.locator(".source-in-context .source")).not_to_have_text(source)
    page.locator("[data-ready]").wait_for()
    visitor.check()
    visitor.picture("german-screen")
    answer(page)
    expect(page.get_by_role("heading")).to_have_text("Alles erledigt")
    expect(page.locator("main")).to_contain_text("Sie haben 2 Seiten beantwortet.")
    visitor.check()
    visitor.picture("german-end")
    page.get_by_role("link", name="Ihre letzten Antworten").click()
    expect(page.get_by_role("heading")).to_have_text("Ihre letzten Antworten")
    visitor.check()


def answer(page: Page) -> None:
    """Rank all corrections first, and submit."""
    for _ in page.locator("[data-output]").all():
        page.keyboard.press("1")
    page.keyboard.press("Enter")


@pytest.mark.parametrize("asked_by", PROTOCOLS)
def test_texts_of_twice_the_length_fit_a_phone(
    transactional_db: None,
    new_visitor: NewVisitor,
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    asked_by: str,
) -> None:
    settings.LOCALE_PATHS = [marked_locale(tmp_path)]
    monkeypatch.setattr(protocols, "current", asked_by)
    campaign = running_campaign(
        small_corpus(), items=2, batch_size=2, interface_language=LANGUAGE, repeat_percent=0
    )
    visitor = new_visitor(scheme="dark", device="phone")
    page = visitor.page
    visitor.visit(f"/join/{mint_personal_link(add_annotator(campaign, name='ada'))}/")
    assert page.evaluate(CUT_OFF) == []
    page.get_by_role("button", name="⟦Start").click()
    page.locator("[data-ready]").wait_for()
    assert page.evaluate(OVERLAPPING) == []
    page.locator("[data-submit]").click()
    expect(page.locator("[data-fault]")).to_contain_text("⟦")
    visitor.check()
    assert page.evaluate(CUT_OFF) == []
    page.locator("[data-skip] summary").click()
    assert page.evaluate(CUT_OFF) == []
    visitor.check()
    visitor.picture(f"translated-{asked_by}")
    page.set_viewport_size({"width": 1440, "height": 900})
    assert page.evaluate(CUT_OFF) == []
    visitor.check()


@pytest.mark.parametrize("language", ["ar", pytest.param("de", marks=pytest.mark.deep)])
@pytest.mark.parametrize("asked_by", PROTOCOLS)
def test_pages_by_each_protocol(
    transactional_db: None,
    new_visitor: NewVisitor,
    monkeypatch: pytest.MonkeyPatch,
    asked_by: str,
    language: str,
) -> None:
    monkeypatch.setattr(protocols, "current", asked_by)
    campaign = running_campaign(
        corpus_of(language) if language in WRITTEN else small_corpus(language=language),
        interface_language=language,
        items=1,
        repeat_percent=0,
        guidelines=practice(asked_by),
    )
    visitor = new_visitor(scheme="dark", device="phone")
    page = visitor.page

    def look(name: str) -> None:
        """The page as it stands: on a phone in the dark, and wide in the light."""
        for scheme, width, height in (("light", 1440, 900), ("dark", 390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # one of the two
            assert page.evaluate(CUT_OFF) == [], name
            page.evaluate("scrollTo(0, 0)")
            assert page.evaluate(OVERLAPPING) == [], name
            visitor.check()
            visitor.picture(f"{language}-{asked_by}-{name}-{width}")

    def answer() -> None:
        """Fill in the screen, and submit it."""
        page.locator("[data-ready]").wait_for()
        fields = filled_in(range(1, max(1, page.locator("[data-output]").count()) + 1))
        page.locator("form[data-answer]").evaluate(FILL_IN, fields)
        page.locator("[data-submit]").click()

    visitor.visit(f"/join/{mint_shared_link(campaign)}/")
    look("link")
    page.locator("main form button").first.click()
    look("code")
    page.locator("main a.button").click()
    look("guidelines")
    page.locator("main form button").click()
    if "practice" in campaign.design.guidelines:
        page.locator("[data-ready]").wait_for()
        look("practice")
        answer()
        page.locator(".reading table, .reading .source").first.wait_for()
        look("compared")
        page.locator("main form button").click()
    page.locator("[data-ready]").wait_for()
    look("screen")
    page.keyboard.press("Escape")
    page.locator("[data-open=guidelines]").click()
    look("panel")
    page.keyboard.press("Escape")
    page.locator("[data-skip] summary").click()
    look("skip")
    page.locator("[data-skip] summary").click()
    answer()
    page.locator("main > section.narrow").wait_for()
    look("end")


def test_arrow_keys_go_to_their_side_and_letters_are_keys_on_any_keyboard(
    transactional_db: None, new_visitor: NewVisitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocols, "current", "pairs")
    campaign = running_campaign(corpus_of("ar"), interface_language="ar", items=1, repeat_percent=0)
    visitor = new_visitor()
    page = visitor.page
    visitor.visit(f"/join/{mint_personal_link(add_annotator(campaign, name='ada'))}/")
    page.locator("main form button").first.click()
    page.locator("[data-ready]").wait_for()
    checked = page.locator(".pair input:checked")
    page.locator(".pair input").first.focus()
    for key, value in (
        ("ArrowLeft", "0"),
        ("ArrowLeft", "2"),
        ("ArrowRight", "0"),
    ):
        page.keyboard.press(key)
        expect(checked).to_have_value(value)
    page.evaluate(
        """document.activeElement.dispatchEvent(
            new KeyboardEvent("keydown", { key: "س", code: "KeyS", bubbles: true }))"""
    )
    expect(page.locator("[data-skip]")).to_have_attribute("open", "")
    visitor.check()


def test_a_language_is_chosen_without_scripts(
    transactional_db: None, browser: Browser, live_server: LiveServer
) -> None:
    campaign = running_campaign(small_corpus(), items=1, repeat_percent=0)
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(f"{live_server.url}/join/{mint_personal_link(add_annotator(campaign, name='ada'))}/")
    page.locator("main form button").first.click()
    page.locator(".languages button", has_text="العربية").click()
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    expect(page.locator("[data-submit]")).to_contain_text("إرسال")
    page.context.close()
