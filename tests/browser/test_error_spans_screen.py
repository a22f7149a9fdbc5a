"""Marking errors in outputs and scoring them."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Page, expect

from annotate.campaigns.lifecycle import launch
from annotate.campaigns.prepared.suggestions import replace_suggestions
from annotate.design.protocols import ErrorSpans, Question
from annotate.judging.entering import add_annotator
from annotate.models import Annotator, Output, Revision
from annotate.templatetags.texts import to_mark
from formats.snapshot.answer_details import json_text
from formats.spans.marked_errors import marked_errors, marks_fault
from formats.text.natural import TextRules, natural
from formats.text.tokens_back import rules_on_screen
from tests.annotate.running import draft, running
from tests.annotate.samples import no_progress, sentence, small_corpus
from tests.browser.conftest import NewVisitor
from tests.browser.working import at_work, go_back, wait_for_another
from tests.depth import examples

SENTENCES = [
    sentence("She go home .", "She do n't goes home ."),
    sentence("It are fine .", "It be n't fine ."),
]


def judge(*outputs: str, shown: int = 1, **options: Any) -> Annotator:
    """Somebody who is asked about sentences with these outputs, or about two with one each."""
    sentences = [sentence("She go home .", *outputs), SENTENCES[1]] if outputs else SENTENCES
    if outputs:
        sentences[1] = sentence("It are fine .", *(f"It is {place} ." for place in range(len(outputs))))
    campaign = running(
        corpus=small_corpus(sentences=sentences, tokenisation="tokens"),
        protocol=ErrorSpans.name,
        outputs_per_screen=shown,
        listed_sentences=[0, 1],
        items=2,
        **options,
    )
    return add_annotator(campaign, name="ada")


def stored() -> list[list[Any]]:
    """The score and the marks of each output of each answer, as shown; all outputs have a length."""
    answers = Revision.objects.filter(is_current=True).order_by("judgment")
    ratings: list[list[Any]] = [
        [*one.ratings.order_by("position").values_list("score", "rating_details")] for one in answers
    ]
    assert all(details.pop("characters") for each in ratings for _, details in each)
    return ratings


def span(start: int, end: int, severity: str = "minor", **more: str) -> dict[str, Any]:
    return {"start": start, "end": end, "severity": severity, **more}


def marks(*spans: dict[str, Any], missing: str = "") -> dict[str, Any]:
    """The details of a rating with these marks."""
    every = [*(each["severity"] for each in spans), *([missing] if missing else [])]
    details: dict[str, Any] = {
        "spans": list(spans),
        "span_score": -sum(1 + 4 * (each == "major") for each in every),
    }
    return {**details, "missing": [{"severity": missing}]} if missing else details


def shown_marks(page: Page) -> list[str]:
    """The marked words as they are shown."""
    return page.locator(".marking mark").all_inner_texts()


def word(page: Page, words: str) -> Any:
    return page.locator(".marking [data-from]", has_text=words).first


def test_by_keyboard_only(transactional_db: None, new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page = at_work(visitor, judge(protocol_options={"marks_below": "66", "types": "Verb\nStyle"}))
    source = page.inner_text(".source")
    text = page.inner_text(".marking")
    assert text in ("She don't goes home.", "It ben't fine."), "it is shown as people write it"
    first = 4 if text.startswith("She") else 3
    ends = [len("She do"), len("She do n't")] if first == 4 else [len("It be"), len("It be n't")]
    page.keyboard.press("Enter")
    expect(page.locator("[data-fault]")).to_have_text("Still to do: correction 1 (Score).")
    page.keyboard.type("0")
    page.keyboard.press("Enter")
    expect(page.locator("[data-fault]")).to_have_text("Still to do: correction 1 (Errors).")
    expect(page.get_by_text("Scores below 66 need a mark.")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    page.keyboard.press("Space")
    page.locator("[data-type]").focus()
    page.keyboard.type("V")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-type]")).to_have_value("Style")
    expect(page.locator("[data-type]")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("m")
    expect(page.locator("[data-missing]")).to_have_text("none")
    page.locator(".marking").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Space")
    expect(page.locator("[data-says]")).to_contain_text("This overlaps another mark.")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press(".")
    page.keyboard.press("End")
    page.keyboard.press("c")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Space")
    page.keyboard.press("m")
    page.keyboard.press("m")
    visitor.check()
    visitor.picture("error-spans-screen")
    length = len("She do n't goes home .") if first == 4 else len("It be n't fine .")
    assert shown_marks(page) == ["don't" if first == 4 else "ben't", "me" if first == 4 else "ne"]
    page.keyboard.press("Space")
    page.keyboard.press("Control+z")
    page.keyboard.press("Enter")
    wait_for_another(page, source)
    last = span(length - 4, length - 2)
    assert stored() == [[(0, marks(span(first, ends[1], "major", type="Verb"), last, missing="major"))]]
    go_back(page)
    expect(page.get_by_text("Before: 0, major “")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Delete")
    page.keyboard.type("8")
    page.keyboard.press("Enter")
    wait_for_another(page, source)
    assert stored() == [[(8, marks(last, missing="major"))]]


def test_by_mouse_only(transactional_db: None, new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page = at_work(visitor, judge("She goes to home quick .", "She went to the home .", shown=2))
    source = page.inner_text(".source")
    texts = page.locator(".marking")
    for place in range(2):
        from_, to = (
            texts.nth(place).locator("[data-from]").first,
            texts.nth(place).locator("[data-from]").nth(2),
        )
        from_.hover()
        page.mouse.down()
        to.hover()
        page.mouse.up()
    parts = page.locator("[data-spans]")
    parts.nth(0).locator("mark").click()
    parts.nth(1).locator("mark").click()
    parts.nth(1).locator("mark").click()
    expect(texts.nth(1).locator("mark")).to_have_count(0)
    parts.nth(1).get_by_role("button", name="Undo").click()
    expect(texts.nth(1).locator("mark.major")).to_have_count(1)
    parts.nth(1).get_by_role("button", name="Shorter").click()
    parts.nth(1).get_by_role("button", name="Missing").click()
    page.locator("[data-slider-of]").nth(0).click(position={"x": 3, "y": 20})
    page.locator("[data-slider-of]").nth(1).click()
    visitor.check()
    visitor.picture("error-spans-two")
    words = [each.split(" ") for each in texts.all_inner_texts()]
    expect(page.locator("[name=score-0]")).to_have_value("0")
    page.get_by_role("button", name="Submit").click()
    wait_for_another(page, source)
    [[first, second]] = stored()
    assert first == (0, marks(span(0, len(" ".join(words[0][:2])), "major")))
    assert second[1] == marks(span(0, len(words[1][0]), "major"), missing="minor")


GONE = span(8, 11, "major")
SUGGESTED = {"spans": [span(0, 3), span(4, 6), GONE], "missing": [{"severity": "minor"}]}
"""For a text that begins with “She do n't goes”."""


def judge_suggested() -> Annotator:
    """Somebody who is asked about one output, with suggested marks."""
    campaign = draft(
        corpus=small_corpus(sentences=SENTENCES),
        protocol=ErrorSpans.name,
        outputs_per_screen=1,
        listed_sentences=[0],
        sampling="listed",
        items=1,
    )
    texts = Output.objects.filter(sentence__position=0, systems__in=campaign.systems.all())
    replace_suggestions(campaign, dict.fromkeys(texts.values_list("pk", flat=True), SUGGESTED))
    launch(campaign, progress=no_progress)
    return add_annotator(campaign, name="ada")


def test_suggested_marks_by_keyboard_only(transactional_db: None, new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page = at_work(visitor, judge_suggested())
    expect(page.get_by_text("Dashed marks are suggestions of a program")).to_be_visible()
    expect(page.locator(".marking mark.suggested")).to_have_count(3)
    expect(page.locator("[data-missing].suggested")).to_have_text("minor")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-says]")).to_contain_text("minor suggested")
    page.keyboard.press("x")
    expect(page.locator(".marking mark.suggested")).to_have_count(2)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Delete")
    visitor.check()
    visitor.picture("error-spans-suggested")
    page.keyboard.press("End")
    page.keyboard.press("Space")
    page.keyboard.type("60")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
    [[(_, details)]] = stored()
    assert [(each["start"], each.get("status")) for each in details["spans"]][:2] == [
        (0, "accepted"),
        (4, "changed"),
    ]
    assert details["spans"][-1]["status"] == "added"
    assert (details["removed"], details["suggested"]) == ([GONE], 4)
    assert details["missing"] == [{"severity": "minor", "status": "accepted"}]
    page.get_by_role("link", name="Your last answers").click()
    page.locator(".given a").click()
    expect(page.locator(".marking mark.suggested")).to_have_count(1)
    expect(page.locator(".marking mark")).to_have_count(3)


def test_suggested_marks_by_mouse_only(transactional_db: None, new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page = at_work(visitor, judge_suggested())
    suggested = page.locator(".marking mark.suggested")
    expect(suggested).to_have_count(3)
    suggested.nth(2).click()
    expect(suggested).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    expect(suggested).to_have_count(3)
    suggested.nth(2).click()
    page.get_by_role("button", name="Missing").click()
    page.get_by_role("button", name="Missing").click()
    expect(page.locator("[data-missing]")).to_have_text("none")
    page.locator("[data-slider-of]").click()
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="All done")).to_be_visible()
    [[(_, details)]] = stored()
    assert [each["status"] for each in details["spans"]] == ["accepted", "accepted"]
    assert details["removed"] == [GONE, {"severity": "minor"}]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_by_touch_on_a_phone(transactional_db: None, new_visitor: NewVisitor, scheme: str) -> None:
    visitor = new_visitor(scheme=scheme, device="phone")
    page = at_work(visitor, judge())
    source = page.inner_text(".source")
    length = len(page.locator(".marking [data-from]").first.inner_text())
    page.locator(".marking [data-from]").first.tap()
    expect(page.locator(".marking mark.minor")).to_have_count(1)
    page.locator(".marking mark").tap()
    expect(page.locator(".marking mark.major")).to_have_count(1)
    page.get_by_role("button", name="Longer").tap()
    page.get_by_role("button", name="Shorter").tap()
    page.get_by_role("button", name="By character").tap()
    page.get_by_role("button", name="Shorter").tap()
    page.locator("[data-slider-of]").tap()
    visitor.check()
    visitor.picture(f"error-spans-phone-{scheme}")
    page.get_by_role("button", name="Submit").tap()
    wait_for_another(page, source)
    [[(score, details)]] = stored()
    assert 40 <= score <= 60
    assert details == marks(span(0, length - 1, "major"))


def test_a_draft_keeps_marks(transactional_db: None, new_visitor: NewVisitor) -> None:
    page = at_work(new_visitor(), judge())
    page.keyboard.press("Space")
    expect(page.get_by_text("Saved")).to_be_visible()
    page.evaluate("localStorage.clear()")
    page.reload()
    expect(page.locator(".marking mark.minor")).to_have_count(1)


PIECES = (
    "العربيةُ",
    "هو",
    "हिन्दी",
    "क्षि",
    "日本語です",
    "👩\u200d👩\u200d👧",
    "🇩🇪",
    "e\u0301",
    "do",
    "n't",
    ".",
    "<b>",
    "(",
    ")",
    "𝒳y",
)

MARK = """([html, stored, right, wide, byCharacter]) => {
  const old = document.querySelector("[data-spans]");
  const part = old.cloneNode(true);
  const shown = part.querySelector(".marking");
  const field = part.querySelector("input[hidden]");
  shown.innerHTML = html;
  field.value = stored;
  old.replaceWith(part);
  document.dispatchEvent(new Event("assay-screen"));
  const press = (key, shiftKey = false) =>
    shown.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true }));
  const forward = getComputedStyle(shown).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
  if (!stored) {
    if (byCharacter) part.querySelector("[data-do=characters]").click();
    for (let step = 0; step < right; step += 1) press(forward);
    for (let step = 0; step < wide; step += 1) press(forward, true);
    press(" ");
  }
  const marks = [...shown.querySelectorAll("mark")].map((mark) => mark.textContent);
  return { field: field.value, whole: shown.textContent, seen: shown.innerText, marks };
}"""


def test_what_is_marked_is_what_is_stored_exported_imported_and_shown(
    transactional_db: None, new_visitor: NewVisitor
) -> None:
    """In any script, by word or by character, in text as it is stored or as people write it."""
    page = at_work(new_visitor(), judge())
    protocol, options = ErrorSpans(), ErrorSpans.options()

    @settings(max_examples=examples(300), deadline=None)
    @given(
        pieces=st.lists(st.sampled_from(PIECES), min_size=1, max_size=6),
        blank=st.sampled_from(["", " ", "  "]),
        right=st.integers(0, 8),
        wide=st.integers(0, 3),
        by_character=st.booleans(),
    )
    def check(pieces: list[str], blank: str, right: int, wide: int, by_character: bool) -> None:
        text = blank.join(pieces)
        rules = rules_on_screen(TextRules.NEUTRAL, text)
        html = to_mark(text, rules)
        made = page.evaluate(MARK, [html, "", right, wide, by_character])
        assert made["whole"] == text
        assert made["seen"].split() == (natural(text.split(), rules) if rules else text).split()
        question = Question(text, 1, options, rules, texts=(text,))
        answer = protocol.answer({"score-0": "0", "spans-0": made["field"]}, question)
        [rating] = answer.ratings
        assert rating.rating_details is not None
        details = json.loads(json_text(rating.rating_details))
        assert marks_fault(details) is None
        assert details["characters"] == len(text)
        [one] = marked_errors(details).spans
        assert made["marks"] == [text[one.start : one.end]]
        again = page.evaluate(MARK, [html, protocol.fields(answer)["spans-0"], 0, 0, False])
        assert again["marks"] == made["marks"]
        assert again["whole"] == text

    check()
