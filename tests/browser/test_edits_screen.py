"""Judging edits one by one."""

from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from annotate.design.protocols import Edits
from annotate.judging.entering import add_annotator
from annotate.models import Annotator, Rating
from formats import SentenceRecord
from formats.snapshot.vocabulary import EditVerdict
from tests.annotate.running import running
from tests.annotate.samples import sentence, small_corpus
from tests.browser.conftest import NewVisitor
from tests.browser.working import at_work, go_back, wait_for_another

SENTENCES = [
    sentence("He go at home in the evening often .", "He goes home in the evening often ."),
    sentence("She like all there cats and dog .", "She likes all their cats and dogs ."),
]
ALIKE = [sentence(f"{each.source} !", f"{each.outputs['Alder']} !") for each in SENTENCES]
"""The same edits of other sentences, for a second screen."""

ACCEPTED, REJECTED, CANNOT_SAY = EditVerdict


def judge(sentences: Sequence[SentenceRecord] = SENTENCES, language: str = "en", **options: Any) -> Annotator:
    """Somebody who is asked about the output of each sentence."""
    campaign = running(
        corpus=small_corpus(sentences=sentences, language=language),
        protocol=Edits.name,
        outputs_per_screen=1,
        listed_sentences=list(range(len(sentences))),
        items=len(sentences),
        **options,
    )
    return add_annotator(campaign, name="ada")


def verdicts() -> list[list[tuple[str, str, str]]]:
    """The edits of each answer: what the span of the sentence reads, its replacement, the verdict."""
    answers = Rating.objects.filter(revision__is_current=True).order_by("revision__judgment")
    return [
        [
            (str(answer.revision.judgment.item.sentence.text)[edit["start"] : edit["end"]], *told(edit))
            for edit in (answer.rating_details or {})["edits"]
        ]
        for answer in answers.select_related("revision__judgment__item__sentence")
    ]


def told(edit: dict[str, Any]) -> tuple[str, str]:
    return edit["replacement"], edit["verdict"]


def at_hand(page: Page) -> Locator:
    return page.locator("[data-question][data-now]")


def test_by_keyboard_only(transactional_db: None, new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page = at_work(visitor, judge([SENTENCES[1], ALIKE[1]]))
    source, reads = page.inner_text(".source"), page.locator("[data-edited]")
    expect(at_hand(page)).to_contain_text("Change like to likes")
    page.keyboard.press("Enter")
    missing = "Still to judge: correction 1 (edit 1, edit 2, edit 3)."
    expect(page.locator("[data-fault]")).to_have_text(missing)
    page.keyboard.type("ar")
    expect(at_hand(page)).to_contain_text("Change dog to dogs")
    expect(reads).to_contain_text("She likes all there cats and dog dogs .", use_inner_text=True)
    page.keyboard.press("Backspace")
    expect(at_hand(page)).to_contain_text("Change there to their")
    expect(page.locator("input:checked")).to_have_count(1)
    page.keyboard.type("cr")
    expect(page.locator("[data-count]")).to_have_text("3 of 3")
    visitor.check()
    visitor.picture("edits-screen")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    expect(at_hand(page).locator("input:checked")).to_have_value("accepted")
    page.keyboard.press("c")
    page.keyboard.press("Enter")
    wait_for_another(page, source)
    assert verdicts() == [
        [("like", "likes", ACCEPTED), ("there", "their", CANNOT_SAY), ("dog", "dogs", REJECTED)]
    ]
    go_back(page)
    expect(page.get_by_text("Before: accept, cannot-say, reject")).to_be_visible()
    page.keyboard.type("aa")
    page.keyboard.press("Enter")
    wait_for_another(page, source)
    assert [verdict for *_, verdict in verdicts()[0]] == [ACCEPTED, ACCEPTED, REJECTED]


def test_by_mouse_only(transactional_db: None, new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page = at_work(visitor, judge([SENTENCES[0], ALIKE[0]]))
    source = page.inner_text(".source")
    expect(page.locator("[data-question]")).to_have_count(1)
    page.locator("label", has_text="Accept").click()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("input:checked")).to_have_count(0)
    expect(page.get_by_role("button", name="Undo")).to_be_hidden()
    page.locator("label", has_text="Reject").click()
    page.get_by_role("button", name="Submit").click()
    wait_for_another(page, source)
    assert verdicts() == [[("go at", "goes", REJECTED)]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_by_touch_on_a_phone(transactional_db: None, new_visitor: NewVisitor, scheme: str) -> None:
    visitor = new_visitor(scheme=scheme, device="phone")
    page = at_work(visitor, judge([SENTENCES[1], ALIKE[1]]))
    source = page.inner_text(".source")
    page.locator("[data-edit]").nth(2).tap()
    expect(at_hand(page)).to_contain_text("Change dog to dogs")
    at_hand(page).locator("label", has_text="Accept").tap()
    page.locator("[data-edit]").nth(0).tap()
    for label in ("Reject", "Cannot say"):
        at_hand(page).locator("label", has_text=label).tap()
    expect(at_hand(page)).to_contain_text("Change dog to dogs")
    visitor.check()
    visitor.picture(f"edits-phone-{scheme}")
    page.get_by_role("button", name="Submit").tap()
    wait_for_another(page, source)
    assert [verdict for *_, verdict in verdicts()[0]] == [REJECTED, CANNOT_SAY, ACCEPTED]


def test_thirty_edits(transactional_db: None, new_visitor: NewVisitor) -> None:
    visitor = new_visitor(device="phone")
    long, another = (
        sentence(
            " ".join(f"{who} go{n} now" for n in range(30)), " ".join(f"{who} goes{n} now" for n in range(30))
        )
        for who in ("he", "she")
    )
    page = at_work(visitor, judge([long, another]))
    source = page.inner_text(".source")
    page.keyboard.type("ar" * 14 + "a")
    expect(at_hand(page)).to_contain_text("Edit 30 of 30")
    expect(page.locator("[data-edit][data-now]")).to_be_in_viewport()
    visitor.check()
    visitor.picture("edits-thirty")
    page.keyboard.press("c")
    page.keyboard.press("Enter")
    wait_for_another(page, source)
    [answer] = verdicts()
    assert answer[28:] == [("go28", "goes28", ACCEPTED), ("go29", "goes29", CANNOT_SAY)]


@pytest.mark.parametrize(
    ("language", "source", "output", "edits"),
    [
        (
            "ar",
            "ذهبت الى المدرسه اليوم 😀 معك",
            "ذهبت إلى المدرسة اليوم معك",
            [("الى المدرسه", "إلى المدرسة"), ("😀", "")],
        ),
        (
            "ja",
            "昨日学校に行くました👩‍👩‍👧とても楽しい",
            "昨日学校へ行くました👩‍👩‍👧とても楽しかった",
            [("に", "へ"), ("い", "かった")],
        ),
        ("hi", "मैं घर जाता हूँ कल ।", "मैं घर गया कल ।", [("जाता हूँ", "गया")]),
    ],
)
def test_texts_of_other_scripts(
    transactional_db: None, new_visitor: NewVisitor, language: str, source: str, output: str, edits: list[Any]
) -> None:
    visitor = new_visitor()
    page = at_work(
        visitor, judge([sentence(source, output), sentence(f"? {source}", f"? {output}")], language)
    )
    shown = page.inner_text(".source")
    page.keyboard.type("a" * len(edits))
    visitor.check()
    visitor.picture(f"edits-{language}")
    page.keyboard.press("Enter")
    wait_for_another(page, shown)
    [answer] = verdicts()
    assert answer == [(*edit, ACCEPTED) for edit in edits]
