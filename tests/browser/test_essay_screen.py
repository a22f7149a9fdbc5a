"""Judging essays: the source beside the correction, and keys that go from change to change."""

from collections.abc import Sequence

import pytest
from playwright.sync_api import Page, expect

from annotate.campaigns.lifecycle import launch
from annotate.design.protocols import RelativeRanking, Scales
from annotate.judging.entering import add_annotator
from annotate.models import Annotator, Rating
from formats.text.line_ends import in_one_line
from tests.annotate.running import draft
from tests.annotate.samples import no_progress, sentence, small_corpus
from tests.browser.conftest import NewVisitor
from tests.browser.working import at_work, on_screen

PARAGRAPH = "Every day I goes to the school near to my house , and my friends goes with me by bus . " * 8
SOURCE = in_one_line("\n\n".join(["My day", *(f"Part {n} . {PARAGRAPH}".strip() for n in range(12))]))
"""Two thousand words in a title and twelve paragraphs, each with eight sentences that change thrice."""
CORRECTED = SOURCE.replace("I goes", "I go").replace("the school", "school").replace("with me", "with me too")
JOINED = CORRECTED.replace("bus . ¶ ¶ Part 1 .", "bus . Part 1 .").replace("friends goes", "friends go")

IS_SEEN = """(selector) => {
    const box = document.querySelector(selector).getBoundingClientRect()
    const seen = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
    return seen !== null && seen.closest(selector) !== null
}"""


def judge(protocol: str = Scales.name, texts: Sequence[str] = (CORRECTED,)) -> Annotator:
    """Somebody who is asked about the corrections of one essay."""
    corpus = small_corpus(sentences=[sentence(SOURCE, *texts)])
    assert corpus.holds_essays
    campaign = draft(
        corpus=corpus,
        protocol=protocol,
        items=1,
        outputs_per_screen=len(texts),
        listed_sentences=[0],
        marks_edits=True,
    )
    campaign.systems.set(corpus.systems.exclude(name="INPUT"))
    launch(campaign, progress=no_progress)
    return add_annotator(campaign, name="ada")


def place(page: Page) -> str:
    return page.inner_text("[data-change]")


def test_by_keyboard_only(transactional_db: None, new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page = at_work(visitor, judge())
    source, correction = page.locator(".source"), page.locator(".essay")
    assert page.evaluate("scrollY") == 0, "an essay is read from its beginning"
    assert source.locator("p").first.inner_text() == correction.locator("p").first.inner_text() == "My day"
    left, right = source.bounding_box(), correction.bounding_box()
    assert left is not None
    assert right is not None
    assert left["x"] + left["width"] < right["x"], "they stand side by side"
    assert place(page) == "0 of 288"
    page.keyboard.type("jjjj")
    assert place(page) == "4 of 288"
    expect(page.locator("[data-here]")).to_have_text("go (instead of: goes)")
    expect(source.locator("mark")).to_have_text("goes")
    page.keyboard.press("k")
    expect(source.locator("mark")).to_have_count(1)
    expect(source.locator("mark"), "an insertion has no words in the source").to_be_empty()
    page.keyboard.type("j" * 200)
    assert place(page) == "203 of 288"
    assert page.evaluate(IS_SEEN, ".essay [data-here]")
    expect(source.locator("mark")).to_have_text("the")
    assert page.evaluate(IS_SEEN, ".source mark")
    visitor.check()
    visitor.picture("essay-screen")
    page.keyboard.type("43")
    assert page.evaluate(IS_SEEN, ".essay [data-here]"), "a grade does not scroll"
    expect(page.locator("[data-state]")).to_have_text("Saved")
    page.reload()
    on_screen(visitor)
    expect(page.locator("input:checked")).to_have_count(2)
    page.keyboard.press("e")
    expect(page.locator(".essay del").first).to_be_hidden()
    page.keyboard.press("j")
    expect(
        page.locator(".essay [data-here]"), "a change is not looked for among hidden edits"
    ).to_be_visible()
    page.keyboard.type("c")
    page.keyboard.press("Enter")
    expect(page.locator("[data-screen]")).to_have_count(0)
    assert Rating.objects.get().rating_details == {"Grammaticality": 4, "Fluency": 3, "Meaning": None}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_by_touch_on_a_phone(transactional_db: None, new_visitor: NewVisitor, scheme: str) -> None:
    visitor = new_visitor(scheme=scheme, device="phone")
    page = at_work(visitor, judge(texts=(JOINED,)))
    above, below = page.locator(".source").bounding_box(), page.locator(".essay").bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] + above["height"] <= below["y"], "the source stands above"
    for _ in range(33):
        page.get_by_role("button", name="Next change").tap()
    expect(page.locator("[data-here]")).to_have_text("¶ ¶")
    assert page.evaluate(IS_SEEN, ".essay [data-here]")
    page.get_by_role("button", name="Previous change").tap()
    assert place(page) == "32 of 385"
    page.locator("ins", has_text="too").first.tap()
    assert place(page) == "4 of 385"
    visitor.check()
    visitor.picture(f"essay-phone-{scheme}")


def test_each_correction_has_changes_of_its_own(transactional_db: None, new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page = at_work(visitor, judge(RelativeRanking.name, texts=(CORRECTED, CORRECTED.replace("goes", "go"))))
    counts = []
    for _ in range(2):
        page.keyboard.type("j")
        counts.append(place(page))
        page.keyboard.press("n")
    assert sorted(counts) == ["1 of 288", "1 of 384"]
    expect(page.locator(".source mark")).to_have_count(1)
    visitor.check()
    visitor.picture("essay-ranking")
    page.keyboard.type("p12")
    page.keyboard.press("Enter")
    expect(page.locator("[data-screen]")).to_have_count(0)
    assert list(Rating.objects.order_by("rank").values_list("rank", flat=True)) == [1, 2]
