"""A campaign in German from the link to the thank-you, and room for texts of twice the length."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django import Settings

from annotate.design.protocols import PROTOCOLS
from annotate.judging.entering import add_annotator, mint_personal_link, mint_shared_link
from tests.annotate import protocols
from tests.annotate.designs import running_campaign
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
    page.locator("[data-submit]").click()
    expect(page.locator("[data-fault]")).to_contain_text("⟦")
    visitor.check()
    assert page.evaluate(CUT_OFF) == []
    page.locator("[data-skip] summary").click()
    assert page.evaluate(CUT_OFF) == []
    visitor.check()
    visitor.picture(f"translated-{asked_by}")
