"""Writing corrections in the browser: the rest of the screen is in the tests of rankings."""

import random
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from annotate.design.protocols import Correction
from annotate.design.protocols.correction import one_line
from annotate.design.protocols.correction_warnings import is_tokenised_otherwise, share_changed
from annotate.judging.entering import add_annotator
from annotate.models import Annotator, Revision
from tests.annotate.running import running
from tests.annotate.samples import sentence, small_corpus
from tests.browser.conftest import NewVisitor
from tests.browser.working import at_work, campaign_of_four, go_back, on_screen, wait_for_another

FIRST, SECOND = "He go to school yesterday .", "They was at home ."
ARABIC = "ذهبوا الولد الى المدرسة ."


def writer(*sources: str, language: str = "en", tokenisation: str = "", **options: str) -> Annotator:
    """Somebody who is to correct these sentences in this order."""
    sentences = [sentence(source) for source in sources]
    corpus = small_corpus(language=language, sentences=sentences, tokenisation=tokenisation)
    campaign = running(
        corpus=corpus,
        protocol=Correction.name,
        outputs_per_screen=0,
        listed_sentences=list(range(len(sources))),
        items=len(sources),
        batch_size=len(sources),
        protocol_options=options,
    )
    return add_annotator(campaign, name="ada")


def box(page: Page, version: int = 0) -> Locator:
    return page.locator(f"[name=version-{version}]")


def chosen(page: Page) -> str | None:
    ticked = page.locator("[name=verdict]:checked")
    return ticked.get_attribute("value") if ticked.count() else None


def choose(page: Page, verdict: str) -> None:
    """Press what stands for the verdict, by finger or mouse."""
    label = page.locator("label", has=page.locator(f"[value={verdict}]"))
    label.tap() if page.evaluate("navigator.maxTouchPoints > 0") else label.click()


def edits(page: Page) -> list[str]:
    return [chip.inner_text() for chip in page.locator("[data-changed] li bdi").all()]


def submit(page: Page) -> None:
    source = page.inner_text(".source")
    page.keyboard.press("Control+Enter")
    wait_for_another(page, source)


def stored() -> list[tuple[str | None, tuple[str, ...], dict[str, object]]]:
    current = Revision.objects.filter(is_current=True).order_by("judgment")
    return [(one.verdict, one.texts, one.details or {}) for one in current]


def test_by_keyboard(transactional_db: None, new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page = at_work(visitor, writer(FIRST, SECOND, ARABIC))
    expect(box(page)).to_be_focused()
    expect(box(page)).to_have_value(page.inner_text(".source"))
    visitor.check()
    # Nothing was changed: the screen asks, and takes no answer.
    page.keyboard.press("Control+Enter")
    expect(page.locator("[data-fault]")).to_contain_text("You have changed nothing.")
    visitor.check()
    page.keyboard.press("n")
    assert chosen(page) == "no-correction-needed"
    source = page.inner_text(".source")
    page.keyboard.press("Enter")
    wait_for_another(page, source)

    source = page.inner_text(".source")
    page.keyboard.press("Control+A")
    page.keyboard.type("He went to the school .")
    assert chosen(page) == "corrected"
    page.keyboard.press("Control+Z")
    page.keyboard.press("Control+Z")
    expect(box(page)).not_to_have_value("He went to the school .")
    page.keyboard.press("Control+Shift+Z")
    page.keyboard.press("Control+Y")
    expect(box(page)).to_have_value("He went to the school .")
    assert len(edits(page)) > 0
    visitor.picture("correction-screen")
    visitor.check()
    submit(page)
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    assert chosen(page) == "fragment"
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).not_to_contain_text("Correct")
    minimal = {"instruction": "minimal"}
    [none, corrected, fragment] = stored()
    assert none[0] == "no-correction-needed"
    assert none[1][0] in (FIRST, SECOND, ARABIC)
    assert corrected[:2] == ("corrected", ("He went to the school .",))
    assert fragment == ("fragment", (), minimal)


def keys_shown(page: Page) -> set[str]:
    return {key.inner_text() for key in page.locator("kbd").all() if key.is_visible()}


def test_single_keys_work_and_are_shown_outside_the_text(
    transactional_db: None, new_visitor: NewVisitor
) -> None:
    visitor = new_visitor()
    page = at_work(visitor, writer(FIRST, SECOND, versions="2"))
    assert keys_shown(page) == {"Ctrl ↵", "Esc", "↑"}
    page.keyboard.type("nfxmgs?")
    expect(box(page)).to_have_value(re.compile("nfxmgs[?]$"))
    page.keyboard.press("Escape")
    assert keys_shown(page) == {"Ctrl ↵", "Esc", "↑", "n", "f", "x", "m", "g", "?", "s"}
    page.keyboard.press("f")
    assert chosen(page) == "fragment"
    page.keyboard.press("ArrowUp")
    expect(box(page)).to_be_focused()
    page.get_by_role("button", name="Undo this edit").focus()
    page.keyboard.press("m")
    assert chosen(page) == "merge-with-next"
    source = page.inner_text(".source")
    page.keyboard.press("Control+Enter")
    wait_for_another(page, source)
    page.keyboard.press("Escape")
    # An Arabic keyboard writes other letters.
    page.evaluate(
        """document.activeElement.dispatchEvent(
            new KeyboardEvent("keydown", {key: "ى", code: "KeyN", bubbles: true}))"""
    )
    assert chosen(page) == "no-correction-needed"
    go_back(page)
    expect(box(page)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("[data-revision]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("[data-revision]")).to_have_count(0)


def test_screen_readers_are_told_the_keys_that_are_shown(
    transactional_db: None, new_visitor: NewVisitor
) -> None:
    ranks = add_annotator(campaign_of_four(), name="bob")
    names = {"↵": "Enter", "Esc": "Escape", "Ctrl ↵": "Control+Enter", "⌘ ↵": "Meta+Enter"}
    for someone in (writer(FIRST), ranks):
        page = at_work(new_visitor(), someone)
        controls = page.locator(":is(button, a, summary, label):has(kbd)").all()
        assert len(controls) > 5
        for control in controls:
            labelled = control.locator("input") if control.locator("input").count() else control
            shown = control.locator("kbd").text_content() or ""
            assert labelled.get_attribute("aria-keyshortcuts") == names.get(shown, shown)


def test_a_mac_shows_its_command_key(transactional_db: None, new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    visitor.context.add_init_script("Object.defineProperty(navigator, 'platform', {value: 'MacIntel'})")
    page = at_work(visitor, writer(FIRST, SECOND))
    submits = page.get_by_role("button", name="Submit")
    expect(submits).to_contain_text("⌘ ↵")
    expect(submits).to_have_attribute("aria-keyshortcuts", "Meta+Enter")
    page.keyboard.type("!")
    source = page.inner_text(".source")
    page.keyboard.press("Meta+Enter")
    wait_for_another(page, source)
    expect(submits).to_contain_text("⌘ ↵")


def test_each_edit_is_taken_back_by_mouse(transactional_db: None, new_visitor: NewVisitor) -> None:
    visitor = new_visitor(scheme="dark")
    page = at_work(visitor, writer(FIRST, instruction="fluency"))
    box(page).fill("Yesterday  he went to school .")
    assert edits(page) == ["He go Yesterday he went", "yesterday"]
    assert page.locator("[data-changed] p").inner_text() == "He go Yesterday he went to school yesterday ."
    expect(page.get_by_text("There are two spaces in a row.")).to_be_visible()
    expect(page.get_by_text("More than 60 %")).to_be_hidden()
    visitor.check()
    visitor.picture("correction-edits")
    page.get_by_role("button", name="Undo this edit").first.click()
    expect(box(page)).to_have_value("He go to school .")
    expect(page.get_by_role("button", name="Undo this edit")).to_be_focused()
    page.get_by_role("button", name="Undo this edit").click()
    expect(box(page)).to_have_value(FIRST)
    assert chosen(page) is None
    expect(page.get_by_role("radio", name="Corrected")).to_be_disabled()
    page.get_by_role("button", name="Undo", exact=True).click()
    page.get_by_role("button", name="Redo", exact=True).click()
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(box(page)).to_have_value("He go to school .")
    page.get_by_role("button", name="Reset to the sentence").click()
    expect(box(page)).to_have_value(FIRST)
    box(page).fill("He went to school yesterday.")
    expect(page.get_by_text("Punctuation is spaced differently")).to_be_visible()
    expect(page.get_by_role("radio", name="No correction needed")).to_be_disabled()
    page.get_by_role("button", name="Submit").click()
    expect(page.locator("form[data-answer]")).to_have_count(0)
    details = {"instruction": "fluency", "warnings": ["tokenisation"]}
    assert stored() == [("corrected", ("He went to school yesterday.",), details)]


def test_natural_text(transactional_db: None, new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page = at_work(visitor, writer("I do n't knows , he said .", tokenisation="tokens"))
    assert page.inner_text(".source") == "I don't knows, he said."
    expect(box(page)).to_have_value("I don't knows, he said.")
    # "!" in place of the full stop and then the full stop again: nothing is changed.
    box(page).press("End")
    box(page).press("Backspace")
    box(page).press_sequentially("!")
    assert edits(page) == ["said. said!"]
    box(page).press("Backspace")
    box(page).press_sequentially(".")
    assert edits(page) == []
    assert chosen(page) is None
    box(page).fill("I don't know, he said.")
    assert edits(page) == ["knows, know,"]
    page.get_by_role("button", name="Submit").click()
    expect(page.locator("form[data-answer]")).to_have_count(0)
    assert stored() == [("corrected", ("I do n't know , he said .",), {"instruction": "minimal"})]


def test_by_touch_on_a_phone(transactional_db: None, new_visitor: NewVisitor) -> None:
    visitor = new_visitor(scheme="dark", device="phone")
    page = at_work(visitor, writer(FIRST, SECOND))
    source = page.inner_text(".source")
    box(page).tap()
    box(page).fill("Completely other words stand here now .")
    expect(page.get_by_text("More than 60 %")).to_be_visible()
    choose(page, "not-annotatable")
    expect(page.get_by_text("The text is not stored with this answer.")).to_be_visible()
    visitor.check()
    visitor.picture("correction-screen")
    # Further typing means a correction after all.
    box(page).press_sequentially("!")
    assert chosen(page) == "corrected"
    choose(page, "merge-with-next")
    page.get_by_role("button", name="Submit").tap()
    wait_for_another(page, source)
    page.get_by_text("What is a minimal correction?").tap()
    visitor.check()
    choose(page, "no-correction-needed")
    page.get_by_role("button", name="Submit").tap()
    expect(page.locator("form[data-answer]")).to_have_count(0)
    assert [verdict for verdict, *_ in stored()] == ["merge-with-next", "no-correction-needed"]


def test_from_right_to_left(transactional_db: None, new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page = at_work(visitor, writer(ARABIC, language="ar"))
    box(page).fill("ذهب الولد إلى المدرسة .")
    assert edits(page) == ["ذهبوا ذهب", "الى إلى"]
    for place in ("textarea", "[data-changed] p", "[data-changed] bdi"):
        assert page.locator(place).first.evaluate("node => getComputedStyle(node).direction") == "rtl", place
    chip, line = page.locator("[data-changed] li").first, page.locator("[data-changed] p")
    assert line.evaluate("node => getComputedStyle(node).textAlign") == "start"
    visitor.check()
    visitor.picture("correction-arabic")
    chip.get_by_role("button").click()
    expect(box(page)).to_have_value("ذهبوا الولد إلى المدرسة .")
    box(page).press("Control+Enter")
    expect(page.locator("form[data-answer]")).to_have_count(0)
    assert stored()[0][1] == ("ذهبوا الولد إلى المدرسة .",)


def test_an_input_method_is_left_alone(transactional_db: None, new_visitor: NewVisitor) -> None:
    page = at_work(new_visitor(), writer("私は学校に行く", language="ja"))
    session = page.context.new_cdp_session(page)
    compose = {"selectionStart": 2, "selectionEnd": 2}
    session.send("Input.imeSetComposition", {"text": "です", **compose})
    expect(box(page)).to_have_value("私は学校に行くです")
    assert chosen(page) is None
    assert edits(page) == []
    page.keyboard.press("Control+Z")
    expect(box(page)).to_have_value("私は学校に行くです")
    session.send("Input.insertText", {"text": "です"})
    expect(box(page)).to_have_value("私は学校に行くです")
    assert chosen(page) == "corrected"
    assert edits(page) == ["です"]
    page.keyboard.press("Control+Z")
    expect(box(page)).to_have_value("私は学校に行く")


def test_pasted_lines_become_one(transactional_db: None, new_visitor: NewVisitor) -> None:
    page = at_work(new_visitor(), writer(FIRST))
    page.keyboard.press("Control+A")
    page.keyboard.press("Enter")
    expect(box(page)).to_have_value(FIRST)
    page.keyboard.insert_text("He went\r\nto\tschool .")
    expect(box(page)).to_have_value("He went to school .")


def test_nothing_is_lost_by_loading_the_page_again(transactional_db: None, new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page = at_work(visitor, writer(FIRST, FIRST, versions="3"))
    expect(box(page, 1)).to_be_hidden()
    box(page).fill("He went to school yesterday .")
    page.get_by_role("button", name="Write another version").click()
    expect(box(page, 1)).to_be_focused()
    box(page, 1).fill("Yesterday he went to school .")
    choose(page, "merge-with-next")
    expect(page.locator("[data-state]")).to_have_text("Saved")
    page.reload()
    on_screen(visitor)
    expect(box(page, 1)).to_have_value("Yesterday he went to school .")
    expect(box(page, 2)).to_be_hidden()
    assert chosen(page) == "merge-with-next"
    assert len(edits(page)) == 3
    visitor.check()
    choose(page, "corrected")
    page.get_by_role("button", name="Submit").click()
    page.locator("[data-last]").click()
    page.locator("[data-revision][data-ready]").wait_for()
    assert chosen(page) == "corrected"
    box(page).fill("")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[data-fault]")).to_have_text("Write the corrected sentence.")
    choose(page, "fragment")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("[data-revision]")).to_have_count(0)
    assert stored() == [("fragment", (), {"instruction": "minimal"})]


def test_it_loads_less_than_60_kb_of_scripts_and_styles(
    transactional_db: None, new_visitor: NewVisitor
) -> None:
    page = at_work(new_visitor(), writer(FIRST))
    loaded = page.evaluate(
        """performance.getEntriesByType("resource")
            .filter(resource => /[.](js|css)$/.test(resource.name))
            .map(resource => resource.decodedBodySize)"""
    )
    assert len(loaded) == 12
    assert 0 < sum(loaded) < 60_000


def test_the_browser_and_the_server_agree(transactional_db: None, new_visitor: NewVisitor) -> None:
    """Both give the same warnings, and taking edits back in any order gives the source again."""
    page = at_work(new_visitor(), writer(FIRST))
    chance = random.Random(1)  # noqa: S311  # no secret
    words = ["He", "goes", "to", "school", "school.", ".", "etc.", ",", "去", "学校", "،", "ذهب", "ذهب،"]
    texts = [(" ".join(chance.choices(words, k=chance.randint(1, 9)))) for _ in range(200)]
    pairs = list(zip(texts[::2], texts[1::2], strict=True))
    script = next(iter(page.locator("script[src*=correction]").all())).get_attribute("src") or ""
    said = page.evaluate(
        """async ([address, pairs]) => {
            const { editsOf, oneLine, shareChanged, tokenisedOtherwise } = await import(address);
            return pairs.map(([source, text]) => {
                let left = text;
                for (let edits; (edits = editsOf(source, left)).length; ) left = edits.at(-1).undone;
                const line = oneLine(`\t${text}\n`);
                return [shareChanged(source, text), tokenisedOtherwise(source, text), left, line];
            });
        }""",
        [script.replace("correction", "edits"), pairs],
    )
    for (source, text), (share, tokenised, left, line) in zip(pairs, said, strict=True):
        assert share == pytest.approx(share_changed(source, text)), (source, text)
        assert tokenised == is_tokenised_otherwise(source, text), (source, text)
        assert left.split() == source.split(), (source, text)
        assert line == one_line(f"\t{text}\n")
