"""The screens of protocols that are not part of Assay: texts, a verdict on one output, two outputs ranked."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from annotate.design.protocols import Protocol
from annotate.judging.entering import add_annotator
from annotate.models import Annotator, Revision
from tests.annotate.running import running
from tests.annotate.toys import BetterOfTwo, Thumbs, TwoVersions, Verdict, registered
from tests.browser.conftest import NewVisitor
from tests.browser.working import at_work, wait_for_another


@pytest.fixture(autouse=True)
def toys(transactional_db: None) -> Iterator[None]:
    with registered(Thumbs(), BetterOfTwo(), Verdict(), TwoVersions()):
        yield


def annotator_of(protocol: type[Protocol]) -> Annotator:
    campaign = running(items=2, protocol=protocol.name, outputs_per_screen=protocol.most_outputs)
    return add_annotator(campaign, name="ada")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_two_texts_and_a_detail_by_keyboard(new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator_of(TwoVersions))
    source = page.inner_text(".source")
    expect(page.locator("[data-output]")).to_have_count(0)
    page.keyboard.type("Once n g ?")
    press(page, "Control+Enter")
    fault = page.locator("[data-fault]")
    expect(fault).to_have_text("Write the second version. Say how well you know the topic.")
    page.keyboard.type("Twice .")
    press(page, "Tab", "2")
    visitor.check()
    press(page, "Enter")
    wait_for_another(page, source)
    answer = Revision.objects.get()
    assert (answer.texts, answer.details) == (("Once n g ?", "Twice ."), {"topic": 2})


def test_a_verdict_on_one_output_by_keyboard(new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator_of(Verdict))
    source = page.inner_text(".source")
    press(page, "Enter")
    expect(page.locator("[data-fault]")).to_have_text("Right or wrong: correction 1.")
    press(page, "y")
    expect(page.locator("[data-fault]")).to_be_hidden()
    visitor.check()
    press(page, "Enter")
    wait_for_another(page, source)
    answer = Revision.objects.get()
    assert (answer.verdict, answer.ratings.count()) == ("right", 1)


def test_outputs_without_controls_are_judged_by_a_question_beside_them(new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator_of(BetterOfTwo))
    source = page.inner_text(".source")
    fault = page.locator("[data-fault]")
    press(page, "Enter")
    expect(fault).to_have_text("Say which is better.")
    press(page, "ArrowUp", "n", "2")
    expect(fault).to_be_hidden()
    expect(page.locator("[name=better]:focus")).to_have_value("1")
    visitor.check()
    press(page, "Enter")
    wait_for_another(page, source)
    ranks = Revision.objects.get().ratings.order_by("position").values_list("rank", flat=True)
    assert list(ranks) == [2, 1], "as shown"


def test_what_the_server_refuses_is_marked_on_outputs_without_controls(new_visitor: NewVisitor) -> None:
    visitor = new_visitor()
    page = at_work(visitor, annotator_of(BetterOfTwo))
    page.evaluate("for (const each of document.querySelectorAll('[name=better]')) each.required = false")
    press(page, "Enter")
    expect(page.locator("[data-fault]")).to_have_text("Say which is better: correction 1, 2.")
    expect(page.locator("[data-output] .missing")).to_have_count(2)
    expect(page.locator("[name=better]:focus")).to_have_value("0")
    visitor.forgive("422")


def test_a_part_that_names_no_handle_is_taken_in_hand_by_its_first_control(new_visitor: NewVisitor) -> None:
    page = at_work(new_visitor(), annotator_of(Thumbs))
    source = page.inner_text(".source")
    page.keyboard.type("up")
    press(page, "Tab")
    page.keyboard.type("down")
    press(page, "Control+Enter")
    wait_for_another(page, source)
    scores = Revision.objects.get().ratings.order_by("position").values_list("score", flat=True)
    assert list(scores) == [100, 0]
